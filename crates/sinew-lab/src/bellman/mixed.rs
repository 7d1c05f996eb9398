//! Tapes and combinations of them, played in a world and audited.

use crate::LabError;
use crate::findings::Findings;
use sinew_control::bellman::{BELLMAN, TAPE};
use sinew_control::{Beginning, Episode, EpisodeRecorder, Order, Prepared, Start, Value};
use sinew_dynamics::Model;
use sinew_motion::Clip;
use sinew_world::recording::Recording;
use sinew_world::{Push, Terrain, World};
use std::sync::Arc;

/// A part of a combination, ready to be built.
pub(super) type Part = (Order, Prepared);

/// A λ so large that only the weights count: a fixed blend.
pub(super) const BLEND: f64 = 1e12;
/// A weight of practically zero.
pub(super) const NEVER: f64 = 1e-300;

/// Frames per second of the clips that give the end states.
const RATE: f64 = 100.0;

/// A tape from a state at rest or in motion to a configuration at rest, in a given time.
pub(super) fn tape(
    model: &Arc<Model>,
    (q0, v0): (&[f64], &[f64]),
    goal: &[f64],
    seconds: f64,
    costs: &[(&str, f64)],
) -> Result<Part, LabError> {
    let frames = libm::round(seconds * RATE) as usize;
    let mut q = Vec::with_capacity((frames + 1) * q0.len());
    for k in 0..=frames {
        // a cubic from configuration and velocity to configuration and rest
        let s = k as f64 / frames as f64;
        let [a, b, c] =
            [1.0 - s * s * (3.0 - 2.0 * s), s * (1.0 - s) * (1.0 - s) * seconds, s * s * (3.0 - 2.0 * s)];
        q.extend(q0.iter().zip(v0).zip(goal).map(|((q0, v0), q1)| a * q0 + b * v0 + c * q1));
    }
    let clip =
        Clip::new("way", Arc::clone(model), RATE, q).map_err(|error| LabError::Clip(error.to_string()))?;
    let mut order = Order::new(&TAPE, Arc::clone(model));
    order.clips.push(Arc::new(clip));
    for (name, value) in costs {
        order.set(name, (*value).into())?;
    }
    let prepared = order.prepare(&(), &|_| true)?;
    Ok((order, prepared))
}

/// A run: the parts and how they are mixed, the initial state, the duration and pushes.
pub(super) struct Mix<'a> {
    pub(super) parts: &'a [Part],
    pub(super) weights: &'a [f64],
    pub(super) softness: f64,
    pub(super) start: (&'a [f64], &'a [f64]),
    pub(super) seconds: f64,
    pub(super) pushes: &'a [(f64, Push)],
}

/// The result of a run.
pub(super) struct Played {
    /// Configuration and velocity at the end.
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    /// ½∫‖τ‖² of the torques in the world.
    pub(super) effort: f64,
    /// Time, first coordinates, shares of the parts.
    pub(super) way: Vec<(f64, Vec<f64>, Vec<f64>)>,
}

/// Plays a mixture, and audits it.
pub(super) fn play(mix: &Mix<'_>, name: &str, found: &mut Findings) -> Result<Played, LabError> {
    let model = Arc::clone(&mix.parts[0].0.model);
    let mut order = Order::new(&BELLMAN, Arc::clone(&model));
    order.parts = mix.parts.iter().map(|(order, _)| order.clone()).collect();
    order.set("softness", mix.softness.into())?;
    order.set("weights", Value::Numbers(mix.weights.to_vec()))?;
    let prepared = mix.parts.iter().map(|(_, prepared)| prepared.clone()).collect();
    let start = Start { q: mix.start.0.to_vec(), v: mix.start.1.to_vec(), on_ground: false };
    let beginning = Beginning { start: Some(start), ..Beginning::default() };
    let world = World::new(Terrain::flat());
    let mut episode = Episode::new(world, order, Prepared::default().with_parts(prepared), beginning)?;
    let mut recorder = EpisodeRecorder::in_memory(&episode, EpisodeRecorder::meta(&episode))?;
    let mut played = Played { q: Vec::new(), v: Vec::new(), effort: 0.0, way: Vec::new() };
    let mut pushes = mix.pushes.iter().peekable();
    let dt = episode.world().settings().dt;
    while episode.world().time() < mix.seconds - 0.5 * dt {
        while let Some((_, push)) = pushes.next_if(|(from, _)| *from < episode.world().time() + 0.5 * dt) {
            episode.world_mut().push(*push);
        }
        episode.step()?;
        recorder.push(&episode)?;
        let tau = episode.world().frame(0).tau;
        played.effort += 0.5 * dt * tau.iter().map(|t| t * t).sum::<f64>();
        let shares = episode.signals()[..mix.parts.len()].to_vec();
        played.way.push((episode.world().time(), episode.q().to_vec(), shares));
    }
    (played.q, played.v) = (episode.q().to_vec(), episode.v().to_vec());
    let recording = Recording::from_bytes(recorder.into_bytes()?)?;
    let audit = recording.audit(&Default::default());
    found.runs += 1;
    found.simulated_s += mix.seconds;
    found.body(model.name(), model.mass());
    if !audit.holds {
        found.broken.push(format!("{name}: {}", audit.failures().collect::<Vec<_>>().join(", ")));
    }
    Ok(played)
}
