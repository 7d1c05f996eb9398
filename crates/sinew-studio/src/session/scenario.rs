//! The present set-up as a scenario file, and a scenario file as a set-up.

use super::body::BodyPlan;
use super::play::Steering;
use super::setup::{LaneSetup, STANCE, Setup, TerrainPlan};
use sinew::control::features::Gait;
use sinew::lab::Scenario;
use sinew::lab::scenario::{ControllerPlan, GroundPlan};
use sinew::world::terrain::Course;
use std::collections::BTreeMap;
use std::fmt::Write;

/// TOML that `sinew simulate` reads. What scenarios cannot say is said in comments.
pub fn text(setup: &Setup, steering: Steering) -> String {
    let lane = &setup.lanes[0];
    let mut text =
        String::from("# Copied from the studio; run it with: sinew simulate studio.toml --out run.npz\n");
    let _ = writeln!(text, "character = \"{}\"\nseconds = 20\nseed = {}", lane.character, setup.terrain.seed);
    if lane.body != BodyPlan::default() {
        let _ = writeln!(text, "# the body was changed in the studio: {}", changed(&lane.body));
    }
    if setup.lanes.len() > 1 {
        text.push_str("# the first of two characters side by side\n");
    }
    let (gait, usual) = (lane.gait(), Gait::default());
    let differ = Gait::NAMES.iter().filter(|n| gait.get(n) != usual.get(n));
    let gait: Vec<String> = differ.filter_map(|n| Some(format!("{n} = {:?}", gait.get(n)?))).collect();
    let kind = match lane.controller.as_str() {
        "none" => {
            text.push_str("# the studio showed a ragdoll; scenarios have controllers\n");
            "walker"
        }
        kind => kind,
    };
    let _ = writeln!(text, "\n[controller]\nkind = \"{kind}\"");
    if !gait.is_empty() {
        let _ = writeln!(text, "gait = {{ {} }}", gait.join(", "));
    }
    if kind == "balancer" {
        let stance = lane.stance();
        let numbers = STANCE.iter().filter_map(|s| Some(format!("{} = {:?}", s.name, stance.get(s.name)?)));
        let _ = writeln!(text, "stance = {{ {} }}", numbers.collect::<Vec<_>>().join(", "));
    }
    let _ = writeln!(text, "\n[terrain]\n{}", ground(&setup.terrain));
    let _ = writeln!(text, "\n[[command]]\nvelocity = [{:?}, {:?}]", steering.forward, steering.left);
    text
}

fn changed(body: &BodyPlan) -> String {
    let (mut body, mut usual) = (*body, BodyPlan::default());
    let numbers = BodyPlan::SLIDERS.iter().filter_map(|s| {
        let (now, default) = (*body.get_mut(s.name)?, *usual.get_mut(s.name)?);
        (now != default).then(|| format!("{} {now} {}", s.name, s.unit).trim_end().to_owned())
    });
    numbers.collect::<Vec<_>>().join(", ")
}

fn ground(terrain: &TerrainPlan) -> String {
    match terrain.ground() {
        GroundPlan::Flat { friction } => format!("kind = \"flat\"\nfriction = {friction:?}"),
        GroundPlan::Slope { start, pitch, friction } => {
            format!(
                "kind = \"slope\"\nstart = {start:?}\npitch = {:?}\nfriction = {friction:?}",
                pitch.to_degrees()
            )
        }
        GroundPlan::Stairs { start, run, rise, steps, friction } => format!(
            "kind = \"stairs\"\nstart = {start:?}\nrun = {run:?}\nrise = {rise:?}\nsteps = {steps}\nfriction = {friction:?}"
        ),
        GroundPlan::Ledges { start, height, length, count, friction } => format!(
            "kind = \"ledges\"\nstart = {start:?}\nheight = {height:?}\nlength = {length:?}\ncount = {count}\nfriction = {friction:?}"
        ),
        // the studio's own terrain never moves
        GroundPlan::Platform { amplitude: a, frequency, friction } => format!(
            "kind = \"platform\"\namplitude = [{:?}, {:?}, {:?}]\nfrequency = {frequency:?}\nfriction = {friction:?}",
            a.x, a.y, a.z
        ),
        GroundPlan::Course { difficulty, .. } => {
            format!("kind = \"course\"\ncourse = \"{}\"\ndifficulty = {difficulty:?}", terrain.kind)
        }
    }
}

/// The set-up of a scenario, and how it begins to walk. What the studio has no choice for is told.
///
/// # Errors
/// In words, when it asks for a file or for ground that the studio does not have.
pub fn setup(scenario: &Scenario, present: &Setup) -> Result<(Setup, Steering), String> {
    let gait = scenario.controller.gait();
    let stance = match &scenario.controller {
        ControllerPlan::Balancer { stance, .. } => {
            let numbers = STANCE.iter().filter_map(|s| Some((s, stance.get(s.name)?)));
            numbers.map(|(s, value)| (s.name.to_owned(), value.clamp(s.min, s.max))).collect()
        }
        _ => BTreeMap::new(),
    };
    let usual = Gait::default();
    let differ = Gait::NAMES.iter().filter(|n| gait.get(n) != usual.get(n));
    let lane = LaneSetup {
        character: scenario.character.clone(),
        controller: scenario.controller.name().to_owned(),
        gait: differ.filter_map(|n| Some(((*n).to_owned(), gait.get(n)?))).collect(),
        stance,
        ..LaneSetup::default()
    };
    let plan =
        |kind: &str, difficulty: f64| TerrainPlan { kind: kind.into(), difficulty, seed: scenario.seed };
    let terrain = match scenario.ground {
        GroundPlan::Flat { .. } => plan("flat", present.terrain.difficulty),
        GroundPlan::Slope { pitch, .. } => {
            let kind = if pitch >= 0.0 { "uphill" } else { "downhill" };
            plan(kind, (pitch.abs().to_degrees() - 2.0) / 13.0)
        }
        GroundPlan::Stairs { rise, .. } => plan("stairs", (rise.abs() - 0.03) / 0.14),
        GroundPlan::Ledges { height, .. } => plan("ledges", (height.abs() - 0.03) / 0.14),
        GroundPlan::Platform { .. } => {
            return Err("the studio has no ground that moves".to_owned());
        }
        GroundPlan::Course { course, difficulty } => {
            let names = ["flat", "ramps", "stairs", "ledges", "stones", "blocks", "rough", "mixed"];
            let place = Course::ALL.iter().position(|c| *c == course).unwrap_or(0);
            plan(names[place], difficulty)
        }
    };
    let command = scenario.command_at(0.0);
    let steering = Steering { forward: command.velocity[0], left: command.velocity[1], turn: 0.0 };
    Ok((Setup { terrain, lanes: vec![lane] }, steering))
}
