//! The world settings that a system wants, and how they combine with those of a scenario.
//!
//! A system *prefers* a time step, a contact model and an integrator: the defaults of a scenario. It *needs* little: a greatest step,
//! perhaps one kind of contacts. A scenario overrides preferences; a scenario that contradicts a need is an error.

use crate::observation::Peeks;
use sinew_world::{Cone, ContactModel, Integrator, Settings};

/// The world settings that a system wants.
#[derive(Clone, Debug, PartialEq)]
pub struct Wants {
    /// Time step, s.
    pub step: f64,
    /// Greatest time step with which it works, s.
    pub step_at_most: f64,
    /// Contact model.
    pub contact: ContactModel,
    /// The kind of contacts that it needs.
    pub contacts: Contacts,
    /// Integrator.
    pub integrator: Integrator,
    /// Tolerance of rigid contacts, m/s: see [`Settings::tolerance`].
    pub tolerance: f64,
    /// What it knows besides what could be sensed.
    pub peeks: Peeks,
}

impl Default for Wants {
    /// 1 ms, rigid contacts, no knowledge beyond what could be sensed.
    fn default() -> Wants {
        Wants {
            step: 0.001,
            step_at_most: 0.02,
            contact: ContactModel::default(),
            contacts: Contacts::Any,
            integrator: Integrator::default(),
            tolerance: Settings::default().tolerance,
            peeks: Peeks::default(),
        }
    }
}

/// The kind of contacts that a system needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contacts {
    /// Any.
    #[default]
    Any,
    /// Rigid ones, with a friction cone of flat sides: its torque law is solved together with the contacts.
    FlatCone,
    /// Rigid contacts, as grips and welds need them.
    Rigid,
    /// Spring contacts.
    Springs,
}

impl Contacts {
    /// Whether a contact model is of this kind.
    pub fn allow(self, model: &ContactModel) -> bool {
        match (self, model) {
            (Contacts::Any, _) => true,
            (Contacts::Rigid, model) => matches!(model, ContactModel::Complementarity { .. }),
            (Contacts::FlatCone, model) => {
                matches!(model, ContactModel::Complementarity { cone: Cone::Polyhedral { .. } })
            }
            (Contacts::Springs, model) => matches!(model, ContactModel::Penalty(_)),
        }
    }

    /// Its description in messages.
    pub fn name(self) -> &'static str {
        match self {
            Contacts::Any => "any contacts",
            Contacts::FlatCone => "rigid contacts with a friction cone of flat sides",
            Contacts::Rigid => "rigid contacts",
            Contacts::Springs => "contacts of springs and dampers",
        }
    }
}

/// The world settings of a scenario; where it gives none, the system's preference holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldPlan {
    /// Time step, s.
    pub step: Option<f64>,
    /// Contact model.
    pub contact: Option<ContactModel>,
    /// Integrator.
    pub integrator: Option<Integrator>,
}

/// A setting of a scenario that contradicts a need of the system.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{system}` needs {needs}, and the scenario says {said}")]
pub struct Unsuitable {
    /// Which key of the plan: `step`, `contact` or `integrator`.
    pub key: &'static str,
    /// The system.
    pub system: &'static str,
    /// What it needs, in words.
    pub needs: String,
    /// What the scenario says.
    pub said: String,
}

impl WorldPlan {
    /// The settings of the world for a system.
    ///
    /// # Errors
    /// When the plan contradicts a need of the system.
    pub fn settle(&self, system: &'static str, wants: &Wants) -> Result<Settings, Unsuitable> {
        let dt = self.step.unwrap_or(wants.step);
        if dt > wants.step_at_most {
            let needs = format!("a time step of {} s at most", wants.step_at_most);
            return Err(Unsuitable { key: "step", system, needs, said: format!("{dt} s") });
        }
        let contact = self.contact.unwrap_or(wants.contact);
        if !wants.contacts.allow(&contact) {
            let needs = wants.contacts.name().to_owned();
            return Err(Unsuitable { key: "contact", system, needs, said: contact.to_string() });
        }
        // the system prefers springs with Runge-Kutta steps and the plan wants rigid contacts: impulses have no rate
        let rigid = matches!(contact, ContactModel::Complementarity { .. });
        let preferred = if rigid { Integrator::SemiImplicitEuler } else { wants.integrator };
        let integrator = self.integrator.unwrap_or(preferred);
        if rigid && integrator.is_runge_kutta() {
            let (needs, said) =
                ("semi-implicit Euler steps for rigid contacts".to_owned(), "Runge-Kutta".to_owned());
            return Err(Unsuitable { key: "integrator", system, needs, said });
        }
        Ok(Settings { dt, contact, integrator, tolerance: wants.tolerance, ..Settings::default() })
    }
}
