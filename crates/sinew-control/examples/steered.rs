//! Walks by one captured (or built-in) walk where it is told to: a new heading every six seconds.
//!
//! `cargo run --example steered -p sinew-control -- [--clip FILE.bvh] [--seconds S] [--trials N] [--seeds N]`

use sinew_control::nqr::NQR_PLANNER;
use sinew_control::{Action, Beginning, Command, Episode, Order, Value};
use sinew_dynamics::characters;
use sinew_motion::cleanup::Ground;
use sinew_motion::{FitOptions, ImportOptions, bvh, fit, motions};
use sinew_world::{Terrain, World};
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

/// Angles that are turned by, degrees.
const ANGLES: [f64; 20] = [
    45.0, -90.0, 30.0, 180.0, -60.0, 15.0, -135.0, 90.0, -15.0, 120.0, -45.0, 60.0, -180.0, 75.0, -30.0,
    150.0, -75.0, 105.0, 10.0, -120.0,
];
/// Seconds from one to the next.
const EVERY: f64 = 6.0;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut clip, mut seconds, mut trials, mut seeds) = (None, 120.0, 2.0, 1_u64);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let value = args.next().ok_or("a value is missing")?;
        match arg.as_str() {
            "--clip" => clip = Some(value),
            "--seconds" => seconds = value.parse()?,
            "--trials" => trials = value.parse()?,
            "--seeds" => seeds = value.parse()?,
            _ => return Err(format!("there is no option {arg}").into()),
        }
    }
    let model = Arc::new(characters::load("human29")?);
    let walk = match clip {
        Some(file) => {
            let options = FitOptions { ground: Some(Ground::Flat), ..FitOptions::default() };
            fit(&bvh::read(&file, &ImportOptions::default())?.take, &model, &options)?.clip
        }
        None => motions::load("walk", &model)?,
    };
    let mut order = Order::new(&NQR_PLANNER, Arc::clone(&model));
    order.clips.push(Arc::new(walk));
    order.set("trials", Value::Number(trials))?;
    let begin = Instant::now();
    let prepared = order.prepare(&(), &|_| true)?;
    println!("prepared in {:.1} s", begin.elapsed().as_secs_f64());
    for seed in 0..seeds {
        let beginning = Beginning { jitter: [0.0, 0.03], seed, ..Beginning::default() };
        let mut episode =
            Episode::new(World::new(Terrain::flat()), order.clone(), prepared.clone(), beginning)?;
        let (mut wanted, mut changes, mut errors) = (0.0_f64, 0, Vec::new());
        while episode.world().time() < seconds && episode.metrics().fall().is_none() {
            if episode.world().time() >= 2.0 + EVERY * changes as f64 {
                let off = libm::remainder(wanted - model.heading(episode.q()), core::f64::consts::TAU);
                errors.push(format!("{:.0}", off.to_degrees()));
                wanted += ANGLES[(changes + 3 * seed as usize) % ANGLES.len()].to_radians();
                changes += 1;
                episode.perform(&Action::Command(Command { velocity: [1.0, 0.0], heading: wanted }))?;
            }
            episode.step()?;
        }
        let how = episode.metrics().fall().map_or("stands".to_owned(), |(_, fall)| format!("fell: {fall}"));
        let time = episode.world().time();
        println!(
            "seed {seed}: {time:.1} s, {how}; off the heading before each change, °: {}",
            errors.join(" ")
        );
    }
    Ok(())
}
