//! A robot of others, as it is, with legs of five degrees of freedom: it balances, walks, turns by 90° and takes a push of 0.4 N·s/kg from any
//! side.

use sinew_control::features::{BALANCER, WALKER};
use sinew_control::{Command, System};
use sinew_dynamics::format::mjcf;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Model, Role, Side};
use sinew_lab::scenario::{ControllerPlan, PushPlan, Strength};
use sinew_lab::{Scenario, Simulation};
use sinew_motion::on_its_feet;
use std::path::Path;
use std::sync::Arc;

/// A body of a file, on its feet.
fn load(path: &Path) -> Arc<Model> {
    let (model, _) = mjcf::read_model(path).unwrap_or_else(|e| panic!("{e}"));
    let mut spec = model.spec().clone();
    spec.complete_roles(None);
    let (spec, notes) = on_its_feet(spec);
    println!("{}: {notes:?}", path.display());
    Arc::new(Model::new(spec).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

/// Plays it; distance and change of heading in degrees, or how it fell.
fn play(scenario: Scenario, model: &Arc<Model>) -> Result<[f64; 2], String> {
    let mut simulation = Simulation::new(scenario, Arc::clone(model)).map_err(|e| e.to_string())?;
    while !simulation.ended() {
        simulation.step().map_err(|e| e.to_string())?;
        if let Some((time, fall)) = simulation.metrics().fall() {
            return Err(format!("fell at {time:.2} s: {fall}"));
        }
    }
    let summary = simulation.metrics().summary();
    Ok([summary.distance_m, summary.heading_change_deg])
}

#[test]
fn legs_of_five_degrees_of_freedom_balance_walk_turn_and_take_pushes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/characters");
    if !folder.is_dir() {
        println!(
            "skipped: no bodies of others in ../shared/characters; the repositories dm_control and mujoco_menagerie have such files"
        );
        return;
    }
    let mut wrong = Vec::new();
    let file = "unitree_h1.xml";
    let model = load(&folder.join(file));
    let leg = {
        let at = model.spec().reference_placements();
        let low = model.spec().extent(&at, &Vec3::z()).map_or(0.0, |[low, _]| low);
        at[model.role(Role::Thigh(Side::Left)).unwrap().0].pos.z - low
    };
    let speed = (0.05 * leg * model.gravity().norm()).sqrt();
    let of = |system: &'static System, seconds: f64| Scenario {
        controller: ControllerPlan::new(system),
        seconds,
        ..Scenario::default()
    };
    let mut judge = |what: String, run: Result<[f64; 2], String>, good: &dyn Fn(f64, f64) -> bool| {
        println!("{file} {what}: {run:?}");
        if !run.as_ref().is_ok_and(|[went, turned]| good(*went, *turned)) {
            wrong.push(format!("{file} {what}: {run:?}"));
        }
    };
    judge("balances".into(), play(of(&BALANCER, 10.0), &model), &|went, _| went < 0.1);
    let (ahead, left) = (Command::forward(speed), std::f64::consts::FRAC_PI_2);
    let commands = vec![(0.0, ahead), (6.0, Command { heading: left, ..ahead })];
    let walk = Scenario { commands, ..of(&WALKER, 12.0) };
    let walks = play(walk, &model);
    judge(format!("walks at {speed:.2} m/s and turns"), walks, &|went, turned| {
        went > 0.6 * 12.0 * speed && (turned - 90.0).abs() < 10.0
    });
    for side in 0..4 {
        let direction = f64::from(side) * std::f64::consts::FRAC_PI_2;
        let strength = Strength::PerMass { direction, impulse: 0.4 };
        let push = PushPlan { time: 1.5, seconds: 0.1, strength, part: Role::Trunk };
        let pushed = Scenario { pushes: vec![push], ..of(&WALKER, 6.0) };
        judge(format!("takes a push at {} degrees", 90 * side), play(pushed, &model), &|_, _| true);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
