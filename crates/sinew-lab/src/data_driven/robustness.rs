//! Changed bodies and grounds (the paper's section 6): the controller knows only the body's masses and lengths.

use super::{cases, walks, with};
use crate::context::{Case, Context};
use crate::findings::{Figure, Findings};
use crate::scenario::GroundPlan;
use crate::{LabError, Scenario};
use sinew_dynamics::{Change, MassRule, Model, Role, Scale, Side, Span};
use std::sync::Arc;

/// Makes another body.
type Reshape = fn(&Model) -> Vec<Change>;

fn name(model: &Model, role: Role) -> String {
    model.role(role).map_or(String::new(), |body| model.bodies()[body.0].name.clone())
}

/// 15 kg in the middle of the left shin.
fn load(model: &Model) -> Vec<Change> {
    let body = model.role(Role::Shin(Side::Left));
    let at = body.map_or_else(Default::default, |b| model.bodies()[b.0].inertia.com);
    vec![Change::AddPointMass { body: name(model, Role::Shin(Side::Left)), mass: 15.0, at }]
}

/// Thighs and shins of these sides by a factor, masses kept.
fn legs(model: &Model, sides: &[Side], factor: f64) -> Vec<Change> {
    let parts = sides.iter().flat_map(|s| [Role::Thigh(*s), Role::Shin(*s)]);
    let scale = |role| Change::Scale {
        body: name(model, role),
        span: Span::Body,
        scale: Scale::Length(factor),
        mass: MassRule::Kept,
    };
    parts.map(scale).collect()
}

const BODIES: [(&str, &str, Reshape); 4] = [
    ("15 kg on a leg", "stable", load),
    ("legs 48.5 % longer", "stable (50 %)", |m| legs(m, &Side::BOTH, 1.485)),
    ("legs 48.5 % shorter", "stable (50 %)", |m| legs(m, &Side::BOTH, 0.515)),
    ("one leg 3 % shorter", "stable", |m| legs(m, &[Side::Left], 0.97)),
];

pub(super) fn robustness(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let walks = walks(context, &mut found);
    let seconds = context.pick(30.0, 10.0);
    // the quick form has only the walk of the paper's variations
    let chosen: Vec<&super::Walk> =
        walks.iter().filter(|w| !context.quick || ["gentle", "own"].contains(&w.name)).collect();
    let mut items: Vec<(&str, &str, Vec<Case>)> = Vec::new();
    for (what, paper, reshape) in BODIES {
        let mut all = Vec::new();
        for walk in &chosen {
            let scenario = Scenario { name: format!("{}, {what}", walk.name), ..walk.scenario(seconds) };
            let model = scenario.built_in()?;
            let changed = Model::new(model.spec().changed(&reshape(&model))?)?;
            all.push(Case { scenario, model: Arc::new(changed) });
        }
        items.push((what, paper, all));
    }
    for (what, degrees) in [("slope of +6°", 6.0_f64), ("slope of −4°", -4.0)] {
        let slope = |walk: &&super::Walk| {
            let ground =
                GroundPlan::Slope { start: 1.0, pitch: degrees.to_radians(), friction: super::FRICTION };
            Scenario { name: format!("{}, {what}", walk.name), ground, ..walk.scenario(seconds) }
        };
        items.push((what, "stable", cases(chosen.iter().map(slope))?));
    }
    for (what, friction) in [("friction 0.6", 0.6), ("friction 12", 12.0)] {
        let rough = |walk: &&super::Walk| {
            let ground = GroundPlan::Flat { friction };
            let scenario = with(walk.scenario(seconds), "setup.friction", friction);
            Scenario { name: format!("{}, {what}", walk.name), ground, ..scenario }
        };
        items.push((what, "stable", cases(chosen.iter().map(rough))?));
    }
    for (what, paper, cases) in items {
        let runs = context.play(&mut found, &cases)?;
        let up = runs.iter().filter(|run| run.outcome.summary.fell == Some(false)).count();
        let figure =
            Figure::new(format!("{what}: walks that stay up"), &format!("of {}", runs.len()), up as f64);
        found.figure(figure.at_least(1.0).paper(paper));
    }
    found.note(format!("The paper shows one walk for each item; a walk stays up for {seconds} s. Clips are put on the changed body."));
    Ok(found)
}
