//! Declared influences, reported for the reader: they break no rule, but a cheat could hide in them.
//!
//! Grips and welds may hold a character up, objects may carry it, a changed body may gain energy, and a model may differ from the
//! built-in one of its name. None of that is wrong by itself; the audit prints the amounts.

use super::report::{Finding, Worst};
use super::step::Step;
use crate::recording::{BodyChange, Info};
use sinew_dynamics::format::mjcf;
use sinew_dynamics::{Data, JointKind, Model, Roles, characters, kinetic_energy, potential_energy};

/// Sums over the run.
#[derive(Debug)]
pub(super) struct Declared {
    /// By attachments on the root, N·s.
    held: (f64, Worst),
    /// By each object, N·s.
    carried: Vec<f64>,
    greatest: Worst,
    /// By changes of the body, J.
    energy: Worst,
    added: f64,
    itself: Option<usize>,
}

impl Declared {
    pub(super) fn new(info: &Info) -> Declared {
        Declared {
            held: (0.0, Worst::default()),
            carried: vec![0.0; info.things.len()],
            greatest: Worst::default(),
            energy: Worst::default(),
            added: 0.0,
            itself: info.itself(),
        }
    }

    /// Adds a step.
    pub(super) fn step(&mut self, step: &Step<'_>) {
        let frame = &step.frame;
        for joint in step.model.joints().iter().filter(|j| j.kind == JointKind::Free) {
            let force = frame.constraint[joint.v..joint.v + 3].iter().map(|x| x * x).sum::<f64>().sqrt();
            self.held.0 += force * step.dt;
            self.held.1.see(force, step.at);
        }
        for contact in frame.contacts.iter().filter(|c| c.other != self.itself) {
            let Some(sum) = contact.other.and_then(|thing| self.carried.get_mut(thing)) else { continue };
            *sum += contact.force.norm() * step.dt;
            self.greatest.see(contact.force.norm(), step.at);
        }
    }

    /// Adds a change of the body.
    pub(super) fn change(
        &mut self,
        models: [&Model; 2],
        change: &BodyChange,
        next: (&[f64], &[f64]),
        at: (usize, f64),
    ) {
        let energy = |model: &Model, q: &[f64], v: &[f64]| {
            let mut data = Data::new(model);
            kinetic_energy(model, &mut data, q, v) + potential_energy(model, &mut data, q)
        };
        let before = energy(models[0], &change.q_before, &change.v_before);
        let gained = energy(models[1], next.0, next.1) - before;
        self.added += gained;
        self.energy.see(gained.abs(), at);
    }

    pub(super) fn findings(&self, info: &Info) -> Vec<Finding> {
        let mut out = Vec::new();
        if !info.meta.attachments.is_empty() {
            let (impulse, peak) = self.held;
            let held = Worst { value: impulse, ..peak }.measured("held by attachments", "N·s");
            let list =
                info.meta.attachments.iter().take(3).map(|a| format!("{} of {} to {}", a.kind, a.body, a.to));
            let more = info.meta.attachments.len().saturating_sub(3);
            let list = list.collect::<Vec<_>>().join(", ");
            out.push(held.note(if more > 0 { format!("{list} and {more} more") } else { list }));
        }
        let carried: f64 = self.carried.iter().sum();
        if carried > 0.0 {
            let by = self.carried.iter().zip(&info.things).filter(|(sum, _)| **sum > 0.0);
            let by: Vec<String> = by.map(|(sum, name)| format!("{name} {sum:.1}")).collect();
            let all = Worst { value: carried, ..self.greatest }.measured("impulse from things", "N·s");
            out.push(all.note(by.join(", ")));
        }
        if !info.meta.body_changes.is_empty() {
            let most = self.energy.value;
            let energy = Worst { value: self.added, ..self.energy }.measured("energy of body changes", "J");
            out.push(energy.note(format!("{} changes, at most {most:.3} J at once", info.changed.len())));
        }
        if let Some(same) = is_built_in(&info.model) {
            let word = if same { "as built in" } else { "not the built-in body of this name" };
            let differs = Worst { value: f64::from(u8::from(!same)), at: Some((0, 0.0)) };
            out.push(differs.measured("body", "differs").note(word));
        }
        out
    }
}

/// Whether a model is the built-in one of its name; `None`: there is none of this name.
fn is_built_in(model: &Model) -> Option<bool> {
    let plain = |model: &Model| {
        let mut spec = model.spec().clone();
        spec.world_geoms.clear();
        spec.world_sites.clear();
        spec.keyframes.clear();
        spec.roles = Roles::default();
        mjcf::write(&spec)
    };
    characters::text(model.name())?;
    let known = characters::load(model.name()).ok()?;
    Some(plain(&known) == plain(model))
}
