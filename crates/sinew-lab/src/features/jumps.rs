//! Jumps of six kinds, each from many initial states.

use super::jump_at;
use super::leap::Leap;
use crate::context::{Case, Context};
use crate::findings::{Figure, Findings, Table};
use crate::scenario::{ControllerPlan, Scenario};
use crate::{Audited, LabError};
use sinew_control::Value;
use sinew_control::features::{JUMPER, Jump, Legs};
use sinew_dynamics::characters;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

/// When it jumps, s.
const AT: f64 = 0.5;
/// Until when it must have landed and come to rest, and for how long it must then stand still, s.
const SETTLED: f64 = 6.0;
const STAND: f64 = 5.0;
/// By how much joints are off in the beginning, rad and rad/s.
const JITTER: [f64; 2] = [0.03, 0.05];

/// The six kinds: name, jump.
pub(crate) fn kinds() -> [(&'static str, Jump); 6] {
    let usual = Jump::default();
    [
        ("standing", usual),
        ("quarter turn", Jump { twist: FRAC_PI_2, ..usual }),
        ("half turn", Jump { twist: PI, ..usual }),
        ("scissor kick", Jump { legs: Legs::Scissor, ..usual }),
        ("split", Jump { legs: Legs::Split, ..usual }),
        ("forward", Jump { forward: 0.5, ..usual }),
    ]
}

pub(crate) fn scenario(name: String, jump: Jump) -> Scenario {
    let (mut controller, requests) = (ControllerPlan::new(&JUMPER), jump_at(AT, &jump));
    // no shifting of weight and no breathing: the character must stand still
    controller.values.insert("gait.idle".into(), Value::Number(0.0));
    Scenario { name, controller, requests, seconds: SETTLED + STAND, ..Scenario::default() }
}

/// Conditions besides landing and standing still.
#[derive(Clone, Copy)]
struct Demand {
    clearance: f64,
    twist: f64,
    distance: f64,
    /// Least angle between the legs in the air, fore and aft and to the sides, rad.
    scissors: f64,
    split: f64,
}

/// Least angle between the legs in a kick or a split, rad.
const OPEN: f64 = 1.0;

impl Demand {
    fn of(jump: &Jump) -> Demand {
        // 15 cm for the usual jump of 30 cm
        let clearance = 0.5 * jump.height;
        let distance = if jump.forward > 0.0 { 0.4 } else { 0.0 };
        let open = |legs: Legs| if jump.legs == legs { OPEN } else { 0.0 };
        let (scissors, split) = (open(Legs::Scissor), open(Legs::Split));
        Demand { clearance, twist: jump.twist, distance, scissors, split }
    }

    /// Why a jump fails.
    fn failure(&self, run: &Audited, leap: &Leap) -> Option<String> {
        let off = self.off(leap);
        if let Some(why) = run.failure() {
            return Some(why);
        }
        // NaN fails
        let checks = [
            (leap.clearance >= self.clearance, format!("clears {:.2} m", leap.clearance)),
            (off <= 15.0, format!("turned wrong by {off:.0}°")),
            (leap.distance() >= self.distance, format!("only {:.2} m far", leap.distance())),
            (leap.scissors >= self.scissors, format!("kicks by {:.0}°", leap.scissors.to_degrees())),
            (leap.split >= self.split, format!("splits by {:.0}°", leap.split.to_degrees())),
            (leap.still() >= STAND, format!("stood still for {:.1} s", leap.still())),
        ];
        checks.into_iter().find(|(good, _)| !good).map(|(_, why)| why)
    }

    /// How far the turn is from what was asked for, degrees.
    fn off(&self, leap: &Leap) -> f64 {
        libm::remainder(leap.turn() - self.twist, TAU).abs().to_degrees()
    }
}

/// Plays kinds of jumps from random initial states and counts those that succeed.
fn leap(
    context: &Context<'_>,
    found: &mut Findings,
    kinds: &[(String, &str, Jump)],
    seeds: usize,
) -> Result<(), LabError> {
    let mut cases = Vec::new();
    for (name, body, jump) in kinds {
        let model = Arc::new(characters::load(body)?);
        for k in 0..seeds {
            let scenario = scenario(format!("{name}, beginning {}", k + 1), *jump);
            let scenario = Scenario {
                seed: context.seed + k as u64,
                jitter: JITTER,
                character: (*body).to_owned(),
                ..scenario
            };
            cases.push(Case { scenario, model: Arc::clone(&model) });
        }
    }
    let watched = context.watch(found, &cases, |case| Leap::of(&case.model))?;
    let columns =
        ["jump", "clearance, m", "turn, °", "distance, m", "moved after landing for, s", "no good because"];
    let mut table = Table::new("jumps", &columns);
    for ((name, _, jump), runs) in kinds.iter().zip(watched.chunks(seeds)) {
        let demand = Demand::of(jump);
        let mut good = 0;
        for (run, leap) in runs {
            let failure = demand.failure(run, leap);
            good += usize::from(failure.is_none());
            let figures = [leap.clearance, leap.turn().to_degrees(), leap.distance(), leap.settling()];
            table.row(run.outcome.scenario.clone(), &figures);
            table.rows.last_mut().into_iter().for_each(|row| row.push(failure.clone().unwrap_or_default()));
        }
        let paper = "consistent landings";
        let of = format!("of {}", runs.len());
        found.figure(
            Figure::new(format!("good, {name}"), &of, good as f64).at_least(runs.len() as f64).paper(paper),
        );
        // folds that keep NaN
        let worst = |of: &dyn Fn(&Leap) -> f64, pick: fn(f64, f64) -> f64| {
            let all = runs.iter().map(|(_, leap)| of(leap));
            all.reduce(|a, b| if a.is_nan() || b.is_nan() { f64::NAN } else { pick(a, b) })
                .unwrap_or(f64::NAN)
        };
        let clearance =
            Figure::new(format!("clearance, least, {name}"), "m", worst(&|l| l.clearance, f64::min));
        found.figure(clearance.at_least(demand.clearance));
        let off = Figure::new(format!("turn, worst error, {name}"), "°", worst(&|l| demand.off(l), f64::max));
        found.figure(off.at_most(15.0));
        let distance = Figure::new(format!("distance, least, {name}"), "m", worst(&Leap::distance, f64::min));
        found.figure(if demand.distance > 0.0 { distance.at_least(demand.distance) } else { distance });
        for (what, of, least) in [
            ("legs apart fore and aft", &(|l: &Leap| l.scissors) as &dyn Fn(&Leap) -> f64, demand.scissors),
            ("legs apart to the sides", &|l: &Leap| l.split, demand.split),
        ] {
            let apart = Figure::new(format!("{what}, least, {name}"), "°", worst(of, f64::min).to_degrees());
            if least > 0.0 {
                found.figure(apart.at_least(least.to_degrees()));
                let turn = worst(&Leap::trunk_turn, f64::min).to_degrees();
                found.figure(
                    Figure::new(format!("trunk turns to and fro in the air, least, {name}"), "°", turn)
                        .paper("the torso turns against the legs"),
                );
            }
        }
        let settling = worst(&Leap::settling, f64::max);
        found.figure(Figure::new(format!("moves after landing, longest, {name}"), "s", settling));
    }
    found.tables.push(table);
    let runs: Vec<Audited> = watched.into_iter().map(|(run, _)| run).collect();
    found.figure(Figure::falls(&runs).paper("all land"));
    found.note(format!(
        "Every beginning: joints off by up to {} rad and {} rad/s. Good: did what was asked, never fell, stands still (no coordinate faster \
         than {} m/s or rad/s) for {STAND} s in the end, audit holds. Turn and distance are those of the soles.",
        JITTER[0],
        JITTER[1],
        super::leap::STILL
    ));
    Ok(())
}

/// Some of the six kinds by the human.
fn some(context: &Context<'_>, which: &[usize]) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let all = kinds();
    let chosen: Vec<_> = which.iter().map(|k| (all[*k].0.to_owned(), "human", all[*k].1)).collect();
    leap(context, &mut found, &chosen, context.pick(20, 3))?;
    Ok(found)
}

pub(super) fn jumps(context: &Context<'_>) -> Result<Findings, LabError> {
    some(context, &[0])
}

pub(super) fn twists(context: &Context<'_>) -> Result<Findings, LabError> {
    some(context, &[1, 2])
}

pub(super) fn kicks(context: &Context<'_>) -> Result<Findings, LabError> {
    some(context, &[3, 4])
}

pub(super) fn forward(context: &Context<'_>) -> Result<Findings, LabError> {
    some(context, &[5])
}

pub(super) fn heights(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let heights: &[f64] = context.pick(&[0.1, 0.15, 0.2, 0.25, 0.3], &[0.2]);
    let bodies = ["human", "child", "human42"];
    let jump = |body: &'static str, height: f64| {
        (format!("{body}, {height} m"), body, Jump { height, ..Jump::default() })
    };
    let kinds: Vec<_> = bodies.iter().flat_map(|body| heights.iter().map(|h| jump(body, *h))).collect();
    leap(context, &mut found, &kinds, 1)?;
    Ok(found)
}
