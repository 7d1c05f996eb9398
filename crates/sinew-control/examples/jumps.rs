//! Every kind of jump from many random beginnings, each run audited: `cargo run --release --example jumps [seeds] [folder]`.
//! With a folder, the first run of each kind is recorded there for the viewer.
//!
//! A run stands for half a second in a pose that is off by up to 0.03 rad and 0.05 rad/s in every joint, jumps, and counts as
//! good when it did what was asked, stands still five seconds after landing, never fell, and passes the audit.

use sinew_control::features::{Jump, Jumper, Legs};
use sinew_control::whole_body::Sole;
use sinew_control::{Command, ControlStatus, Controller, Observation};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, Side, characters, forward_kinematics};
use sinew_solve::sweep::{Case, latin_hypercube};
use sinew_world::metrics::{Metrics, Params};
use sinew_world::recording::{Meta, Recording, WorldRecorder};
use sinew_world::{Actuation, Terrain, World};
use std::f64::consts::PI;
use std::sync::Arc;

/// What a run came to.
#[derive(Debug, Default)]
struct Outcome {
    /// Greatest height of the lower of the two soles' lowest points, m.
    clearance: f64,
    /// From the middle of the feet before to where they land, m.
    distance: f64,
    /// Turn of the feet from before to the end, rad.
    turn: f64,
    /// Greatest torque as a share of its limit.
    effort: f64,
    /// Decisions that met only the more important objectives, and those that fell back.
    troubles: [usize; 2],
    /// Steps after landing.
    steps: usize,
    /// Why it is no good.
    failure: Option<String>,
}

/// Where the soles are: lowest point, middle, heading.
fn soles(model: &Model, data: &mut Data, soles: &[Sole; 2], q: &[f64]) -> (f64, Vec3, f64) {
    forward_kinematics(model, data, q);
    let mut low = f64::INFINITY;
    let (mut middle, mut ahead) = (Vec3::zeros(), Vec3::zeros());
    for sole in soles {
        let at = data.body_placement(model, sole.body);
        low = sole.corners.iter().map(|c| at.act(c).z).fold(low, f64::min);
        middle += at.act(&sole.center) * 0.5;
        ahead += at.act(&sole.toe()) - at.act(&sole.heel());
    }
    (low, middle, libm::atan2(ahead.y, ahead.x))
}

fn run(model: &Arc<Model>, jump: Jump, start: &Case, file: Option<&str>) -> Outcome {
    let feet = Side::BOTH.map(|s| Sole::of(model, s).expect("a foot"));
    let mut jumper = Jumper::new(model.clone()).expect("a body that can jump");
    let mut world = World::new(Terrain::flat());
    let me = world.add_character("human", model.clone());
    let (angles, speeds) = start.values.split_at(model.nv() - 6);
    let step: Vec<f64> = [0.0; 6].iter().chain(angles).copied().collect();
    let actor = world.actor_mut(me);
    model.integrate(jumper.walker.rest(), &step, &mut actor.q);
    actor.v[6..].copy_from_slice(speeds);
    let mut data = Data::new(model);
    // the soles as low as the ground
    let low = soles(model, &mut data, &feet, &actor.q).0;
    actor.q[2] -= low;
    let before = soles(model, &mut data, &feet, &actor.q);
    jumper.reset(&Observation::of(&world, me)).expect("a body that can jump");

    let dt = world.settings.dt;
    let mut metrics = Metrics::new(model, dt, Some(me), Params::default());
    let mut recorder =
        WorldRecorder::in_memory(&world, me, Meta::new(dt), &["phase".into()]).expect("memory");
    let mut torques = [Actuation::none(model.nv())];
    let mut out = Outcome::default();
    let mut landed: Option<(f64, Vec3)> = None;
    let mut steps = 0;
    while landed.map_or(world.time() < 4.0, |(t, _)| world.time() < t + 6.0) {
        if (world.time() - 0.5).abs() < 0.5 * dt {
            jumper.jump(jump);
        }
        match jumper.act(&Observation::of(&world, me), &Command::STAND, &mut torques[0]) {
            ControlStatus::Partial => out.troubles[0] += 1,
            ControlStatus::FellBack => out.troubles[1] += 1,
            _ => {}
        }
        for (t, most) in torques[0].torque.iter().zip(model.effort_limits()) {
            if *most > 0.0 {
                out.effort = out.effort.max(t.abs() / most);
            }
        }
        if let Err(e) = world.step(&torques) {
            out.failure = Some(e.to_string());
            break;
        }
        let mut telemetry = Default::default();
        jumper.telemetry(&mut telemetry);
        recorder.push(&world, &[telemetry.get("jump_phase").unwrap_or(0.0)]).expect("memory");
        metrics.step(model, &world.frame(me));
        let now = soles(model, &mut data, &feet, &world.actors()[me].q);
        out.clearance = out.clearance.max(now.0);
        if landed.is_none() && jumper.jumps() > 0 {
            landed = Some((world.time(), now.1));
            steps = jumper.walker.steps();
        }
        if let Some((time, why)) = metrics.fall() {
            out.failure = Some(format!("fell at {time:.2} s: {why:?}"));
            break;
        }
    }
    let after = soles(model, &mut data, &feet, &world.actors()[me].q);
    out.distance = landed.map_or(0.0, |(_, at)| Vec3::new(at.x - before.1.x, at.y - before.1.y, 0.0).norm());
    out.turn = libm::remainder(after.2 - before.2, 2.0 * PI);
    out.steps = jumper.walker.steps() - steps;
    let bytes = recorder.into_bytes().expect("memory");
    if let Some(file) = file {
        std::fs::write(file, &bytes).expect("a folder to write to");
    }
    let audit = Recording::from_bytes(bytes).expect("a recording").audit(&Default::default());
    let moving = world.actors()[me].v.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    let miss = libm::remainder(out.turn - jump.twist, 2.0 * PI).abs().to_degrees();
    let mut check = |good: bool, why: String| {
        if !good && out.failure.is_none() {
            out.failure = Some(why);
        }
    };
    check(landed.is_some(), "never landed".into());
    check(moving < 0.05, format!("still moves at {moving:.2}"));
    check(miss < 15.0, format!("turned wrong by {miss:.0}°"));
    check(out.distance >= jump.forward.min(0.4), format!("only {:.2} m far", out.distance));
    check(audit.holds, "the audit does not hold".into());
    out
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seeds: usize = arguments.next().map_or(Ok(20), |n| n.parse())?;
    let folder = arguments.next();
    let human = Arc::new(characters::load("human")?);
    let joints = human.nv() - 6;
    let ranges = [vec![(-0.03, 0.03); joints], vec![(-0.05, 0.05); joints]].concat();
    let starts = latin_hypercube(&ranges, seeds, 1);
    let kinds = [
        ("standing", Jump::default()),
        ("quarter-turn", Jump { twist: 0.5 * PI, ..Jump::default() }),
        ("half-turn", Jump { twist: PI, ..Jump::default() }),
        ("scissor", Jump { legs: Legs::Scissor, ..Jump::default() }),
        ("split", Jump { legs: Legs::Split, ..Jump::default() }),
        ("forward", Jump { forward: 0.5, ..Jump::default() }),
    ];
    println!(
        "{:12} {:>6} {:>17} {:>13} {:>15} {:>7} {:>9}",
        "jump", "good", "clearance, cm", "distance, cm", "turn, °", "effort", "partial"
    );
    for (name, jump) in kinds {
        let runs: Vec<Outcome> = starts
            .iter()
            .enumerate()
            .map(|(k, start)| {
                let file = folder.as_ref().filter(|_| k == 0).map(|f| format!("{f}/{name}.npz"));
                run(&human, jump, start, file.as_deref())
            })
            .collect();
        let range = |f: &dyn Fn(&Outcome) -> f64| {
            let all = || runs.iter().map(f);
            let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
            format!("{low:.1} to {high:.1}")
        };
        let good = runs.iter().filter(|r| r.failure.is_none()).count();
        println!(
            "{name:12} {:>6} {:>17} {:>13} {:>15} {:>7.2} {:>4}+{:<4}",
            format!("{good}/{seeds}"),
            range(&|r| 100.0 * r.clearance),
            range(&|r| 100.0 * r.distance),
            range(&|r| r.turn.to_degrees()),
            runs.iter().fold(0.0f64, |m, r| m.max(r.effort)),
            runs.iter().map(|r| r.troubles[0]).sum::<usize>(),
            runs.iter().map(|r| r.troubles[1]).sum::<usize>(),
        );
        for (k, r) in runs.iter().enumerate().filter(|(_, r)| r.failure.is_some()) {
            println!("    seed {k}: {} ({} steps)", r.failure.as_deref().unwrap_or_default(), r.steps);
        }
    }
    Ok(())
}
