//! Falls: the rule and its reasons.

use super::Params;
use super::parts::Part;
use crate::ContactForce;
use core::fmt;
use sinew_dynamics::Model;

/// Why a run counts as fallen.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fall {
    /// The trunk or the head touched the ground.
    Touched {
        /// Name of the body.
        body: String,
    },
    /// The centre of mass dropped too low.
    Low {
        /// Height over the ground, m.
        height: f64,
        /// Height when standing, m.
        standing: f64,
    },
    /// A part other than the feet supported weight.
    Supported {
        /// Name of the body.
        body: String,
        /// Share of the weight.
        share: f64,
    },
}

impl fmt::Display for Fall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fall::Touched { body } => write!(f, "{body} touched the ground"),
            Fall::Low { height, standing } => {
                write!(f, "the centre of mass dropped to {height:.2} m, from {standing:.2} m when standing")
            }
            Fall::Supported { body, share } => {
                write!(f, "{body} supported {:.0} % of the weight", 100.0 * share)
            }
        }
    }
}

/// The watch for a fall.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    standing: f64,
    /// Height of the ground under the feet, once they touched it.
    ground: Option<f64>,
    /// Since how long each body supports weight, s.
    supporting: Vec<f64>,
    /// Upward force on each body in this step, N.
    upward: Vec<f64>,
}

impl Watch {
    pub(super) fn new(model: &Model, standing: f64) -> Watch {
        let zeros = vec![0.0; model.bodies().len()];
        Watch { standing, ground: None, supporting: zeros.clone(), upward: zeros }
    }

    /// Looks at a step; `contacts` are those with other things than the character itself.
    pub(super) fn step<'c>(
        &mut self,
        model: &Model,
        parts: &[Part],
        com_height: f64,
        contacts: impl Iterator<Item = &'c ContactForce>,
        (dt, weight): (f64, f64),
        params: &Params,
    ) -> Option<Fall> {
        let name = |body: usize| model.bodies()[body].name.clone();
        self.upward.fill(0.0);
        let mut sole = f64::INFINITY;
        for contact in contacts.filter(|c| c.force.norm() > params.loaded * weight) {
            match parts[contact.body] {
                Part::Foot(_) => sole = sole.min(contact.point.z),
                Part::Trunk | Part::Head if contact.other.is_none() => {
                    return Some(Fall::Touched { body: name(contact.body) });
                }
                _ => self.upward[contact.body] += contact.force.z,
            }
        }
        if sole.is_finite() {
            self.ground = Some(sole);
        }
        if let Some(ground) = self.ground
            && com_height - ground < params.fall_height * self.standing
        {
            return Some(Fall::Low { height: com_height - ground, standing: self.standing });
        }
        for (body, (held, upward)) in self.supporting.iter_mut().zip(&self.upward).enumerate() {
            *held = if *upward > params.support * weight { *held + dt } else { 0.0 };
            if *held >= params.support_time {
                return Some(Fall::Supported { body: name(body), share: upward / weight });
            }
        }
        None
    }
}
