//! Follows captured motions with nothing set, and tells for each how far it came.
//!
//! `cargo run --example captured -p sinew-control -- [--character C] [--variant mirrored|faster|slower] [--starts N] [--seconds S] [--set NAME=VALUE] [--plan] FILE.bvh …`

use sinew_control::spacetime::{Ends, Repeats, SpacetimeParams, optimise, reference_of};
use sinew_control::{Beginning, Clips, Episode, Order, Registry, Value};
use sinew_dynamics::characters;
use sinew_motion::cleanup::Ground;
use sinew_motion::edit::Mirror;
use sinew_motion::{Clip, FitOptions, ImportOptions, bvh, fit};
use sinew_world::{Terrain, World};
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (mut character, mut variant, mut starts) = ("human29".to_owned(), String::new(), 1_usize);
    let (mut plan_only, mut seconds, mut files, mut set) = (false, 20.0, Vec::new(), Vec::new());
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or("a value is missing");
        match arg.as_str() {
            "--character" => character = value()?,
            "--variant" => variant = value()?,
            "--starts" => starts = value()?.parse()?,
            "--seconds" => seconds = value()?.parse()?,
            "--set" => set.push(value()?),
            "--plan" => plan_only = true,
            _ => files.push(arg),
        }
    }
    let model = Arc::new(characters::load(&character)?);
    let registry = Registry::built_in();
    let system =
        registry.iter().find(|s| s.needs.clips == Clips::One).ok_or("no controller follows a clip")?;
    for file in files {
        let name = file.rsplit('/').next().unwrap_or(&file).trim_end_matches(".bvh").to_owned();
        let begin = Instant::now();
        let import =
            ImportOptions { rate: name.starts_with("75_").then_some(60.0), ..ImportOptions::default() };
        let take = bvh::read(&file, &import)?.take;
        let fitted = fit(&take, &model, &FitOptions { ground: Some(Ground::Flat), ..FitOptions::default() })?;
        let clip = varied(fitted.clip, &variant);
        print!("{name:28} {:5.1} s fit {:4.1} ", clip.duration(), begin.elapsed().as_secs_f64());
        if plan_only {
            let reference = match reference_of(&clip, Repeats::Guess) {
                Ok(reference) => reference,
                Err(why) => {
                    println!("refused: {why}");
                    continue;
                }
            };
            let begin = Instant::now();
            let plan = optimise(&reference, &SpacetimeParams::default(), &|_| true)?;
            let kind = if matches!(reference.ends, Ends::Cycle(_)) { "cycle" } else { "once" };
            let r = &plan.report;
            let air = plan.reference.down.iter().filter(|d| !d.iter().any(|d| *d)).count();
            println!(
                "{kind:5} {:5} frames, air {air:4}; {:5.1} s, solved {} {}/{} root {:.1e} slip {:.4} height {:.4} effort {:.2} off {:.3} m {:.1}°",
                plan.len(),
                begin.elapsed().as_secs_f64(),
                r.solved,
                r.steps,
                r.rounds,
                r.root[1],
                r.slip,
                r.height,
                r.effort,
                r.off_root,
                r.off_joints.to_degrees(),
            );
            continue;
        }
        let mut order = Order::new(system, model.clone());
        order.clips.push(Arc::new(clip));
        for said in &set {
            let (path, text) = said.split_once('=').ok_or("PATH=VALUE")?;
            let value = match text {
                "true" | "false" => Value::Flag(text == "true"),
                _ => text.parse().map_or_else(|_| Value::Name(text.to_owned()), Value::Number),
            };
            order.set(path, value)?;
        }
        let begin = Instant::now();
        let prepared = match order.prepare(&(), &|_| true) {
            Ok(prepared) => prepared,
            Err(why) => {
                println!("{:5.1} s, refused: {why}", begin.elapsed().as_secs_f64());
                continue;
            }
        };
        let took = begin.elapsed().as_secs_f64();
        let followed =
            system.follows.map(|f| f(&order, &prepared)).transpose()?.ok_or("nothing is followed")?;
        let most = if followed.cycles { seconds } else { followed.clip.duration() };
        let mut ends = Vec::new();
        for start in 0..starts {
            let mut order = order.clone();
            let jitter = if start > 0 { [0.0, 0.03] } else { [0.0; 2] };
            if followed.cycles {
                order.set("phase", Value::Number(start as f64 / starts as f64))?;
            }
            let beginning = Beginning { jitter, seed: start as u64, ..Beginning::default() };
            let mut episode = Episode::new(World::new(Terrain::flat()), order, prepared.clone(), beginning)?;
            while episode.world().time() < most && episode.metrics().fall().is_none() {
                episode.step()?;
            }
            ends.push(match episode.metrics().fall() {
                Some(_) => format!("{:.1}", episode.world().time()),
                None => "ok".to_owned(),
            });
        }
        let good = ends.iter().all(|e| e == "ok");
        println!(
            "{} prep {took:5.1} s, {:5.2} s {}; {}: {}",
            if followed.cycles { "cycle" } else { "once " },
            followed.clip.duration(),
            followed.notes.join(" "),
            if good { "GOOD" } else { "FELL" },
            ends.join(" "),
        );
    }
    Ok(())
}

/// A motion seen in a mirror, or faster or slower by a tenth.
fn varied(clip: Clip, variant: &str) -> Clip {
    match variant {
        "mirrored" => Mirror::new(clip.model()).clip(&clip),
        "faster" | "slower" => {
            let mut clip = clip;
            clip.rate *= if variant == "faster" { 1.1 } else { 1.0 / 1.1 };
            clip
        }
        _ => clip,
    }
}
