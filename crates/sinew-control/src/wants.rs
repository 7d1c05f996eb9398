//! The world that a system wants, and what comes of it.
//!
//! A system *prefers* a time step, a contact model and an integrator; a scenario that says nothing gets them. It *needs* little: a
//! greatest step, perhaps contacts of one kind. What a scenario says goes before preferences; against a need it is an error.

use crate::observation::Peeks;
use sinew_world::{Cone, ContactModel, Integrator, Settings};

/// The world that a system wants.
#[derive(Clone, Debug, PartialEq)]
pub struct Wants {
    /// Time step, s.
    pub step: f64,
    /// The greatest with which it works at all, s.
    pub step_at_most: f64,
    /// How contact forces are found.
    pub contact: ContactModel,
    /// The kind of contacts without which it does not work.
    pub contacts: Contacts,
    /// How a step is made.
    pub integrator: Integrator,
    /// How exactly rigid contacts are solved, m/s: see [`Settings::tolerance`].
    pub tolerance: f64,
    /// What it knows besides what it feels.
    pub peeks: Peeks,
}

impl Default for Wants {
    /// 1 ms, rigid contacts, nothing but what is felt.
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
    /// Rigid ones: grips and welds need them.
    Rigid,
    /// Springs.
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

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Contacts::Any => "any contacts",
            Contacts::FlatCone => "rigid contacts with a friction cone of flat sides",
            Contacts::Rigid => "rigid contacts",
            Contacts::Springs => "contacts of springs and dampers",
        }
    }
}

/// What a scenario says of how the world is stepped; the rest is as the system prefers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldPlan {
    /// Time step, s.
    pub step: Option<f64>,
    /// How contact forces are found.
    pub contact: Option<ContactModel>,
    /// How a step is made.
    pub integrator: Option<Integrator>,
}

/// A wish of a scenario that a system cannot live with.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{system}` needs {needs}, and the scenario says {said}")]
pub struct Unsuitable {
    /// Which key of the plan: `step`, `contact` or `integrator`.
    pub key: &'static str,
    /// The system.
    pub system: &'static str,
    /// What it needs, in words.
    pub needs: String,
    /// What was said.
    pub said: String,
}

impl WorldPlan {
    /// The settings of a world in which a system acts.
    ///
    /// # Errors
    /// When the plan is against what the system needs.
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
        // springs preferred with Runge-Kutta steps, but told to be rigid: impulses have no rate
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
