//! A controller made of controllers: two controllers swing a gymnast on a bar up to a handstand from two states; the run begins between them.
//! `cargo run --release --example combination` prints how near each way of mixing comes, and writes `combination.npz`.

use sinew_control::{Beginning, Episode, EpisodeRecorder, Order, Prepared, Start, bellman};
use sinew_dynamics::{Model, characters};
use sinew_motion::Clip;
use sinew_world::{Terrain, World};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// A part: from hanging at these angles, in degrees, to the handstand.
fn part(
    model: &Arc<Model>,
    from: [f64; 2],
    seconds: f64,
) -> Result<(Order, Prepared), Box<dyn std::error::Error>> {
    const RATE: f64 = 100.0;
    let frames = (seconds * RATE) as usize;
    let way = |k: usize| {
        // at rest at both ends
        let s = k as f64 / frames as f64;
        let s = s * s * (3.0 - 2.0 * s);
        let at = |from: f64, to: f64| from.to_radians() * (1.0 - s) + to * s;
        [at(from[0], FRAC_PI_2), at(from[1], 0.0)]
    };
    let clip = Clip::new("swing", Arc::clone(model), RATE, (0..=frames).flat_map(way).collect())?;
    let mut order = Order::new(&bellman::TAPE, Arc::clone(model));
    order.clips.push(Arc::new(clip));
    let prepared = order.prepare(&(), &|_| true)?;
    Ok((order, prepared))
}

/// Runs from the state in between: the distance of the final state from the handstand, and the cost of the torques.
fn swing(
    parts: &[(Order, Prepared)],
    weights: &[f64],
    softness: f64,
    seconds: f64,
) -> Result<(Episode, f64), Box<dyn std::error::Error>> {
    let model = Arc::clone(&parts[0].0.model);
    let mut order = Order::new(&bellman::BELLMAN, Arc::clone(&model));
    order.parts = parts.iter().map(|(order, _)| order.clone()).collect();
    order.set("softness", softness.into())?;
    order.set("weights", sinew_control::Value::Numbers(weights.to_vec()))?;
    let prepared = parts.iter().map(|(_, prepared)| prepared.clone()).collect();
    let prepared = Prepared::default().with_parts(prepared);
    let q = [-105f64, -15.0].map(f64::to_radians).to_vec();
    let start = Start { q, v: vec![0.0; 2], on_ground: false };
    let beginning = Beginning { start: Some(start), ..Beginning::default() };
    let mut episode = Episode::new(World::new(Terrain::flat()), order, prepared, beginning)?;
    let mut cost = 0.0;
    while episode.world().time() < seconds - 1e-9 {
        episode.step()?;
        let tau = episode.world().frame(0).tau[1];
        cost += 0.5 * tau * tau * episode.world().settings().dt;
    }
    Ok((episode, cost))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Arc::new(characters::load("acrobot")?);
    let seconds: f64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(1.5);
    let parts = [part(&model, [-90.0, 0.0], seconds)?, part(&model, [-110.0, -20.0], seconds)?];
    const NEVER: f64 = 1e-300;
    for (name, weights, softness) in [
        ("the first tape alone", [1.0, NEVER], 1e12),
        ("the second tape alone", [NEVER, 1.0], 1e12),
        ("half of each", [1.0, 1.0], 1e12),
        ("combined by their values", [1.0, 1.0], 1.0),
    ] {
        let (episode, cost) = swing(&parts, &weights, softness, seconds)?;
        let off = [episode.q()[0] - FRAC_PI_2, episode.q()[1], episode.v()[0], episode.v()[1]];
        let distance = off.iter().map(|x| x * x).sum::<f64>().sqrt();
        println!("{name:24} ends {distance:.3} off the handstand, torques cost {cost:.0}, {off:.3?}");
    }
    let (episode, _) = swing(&parts, &[1.0, 1.0], 1.0, 0.0)?;
    let mut recorder = EpisodeRecorder::create("combination.npz", &episode, EpisodeRecorder::meta(&episode))?;
    let mut episode = episode;
    while episode.world().time() < seconds {
        episode.step()?;
        recorder.push(&episode)?;
    }
    recorder.finish()?;
    Ok(())
}
