//! Contact quality: penetration, friction used, chatter.

use super::Params;
use crate::ContactForce;

/// Figures of all contacts so far.
#[derive(Clone, Debug)]
pub(super) struct Quality {
    pub(super) penetration: f64,
    pub(super) friction_used: f64,
    pub(super) switches: usize,
    bodies: Vec<Points>,
}

/// Loaded points of a body.
#[derive(Clone, Copy, Debug, Default)]
struct Points {
    now: usize,
    before: usize,
    /// Sense and time of the last change.
    change: Option<(bool, f64)>,
}

impl Quality {
    pub(super) fn new(bodies: usize) -> Quality {
        let bodies = vec![Points::default(); bodies];
        Quality { penetration: 0.0, friction_used: 0.0, switches: 0, bodies }
    }

    /// Takes the contacts of a step; chatter is counted only while the character stands.
    pub(super) fn step(
        &mut self,
        contacts: &[ContactForce],
        time: f64,
        weight: f64,
        standing: bool,
        params: &Params,
    ) {
        for contact in contacts {
            self.penetration = self.penetration.max(-contact.distance);
            let normal = contact.force.dot(&contact.normal);
            if normal > params.loaded * weight {
                self.bodies[contact.body].now += 1;
            }
            if normal > params.friction_load * weight && contact.friction > 0.0 {
                let tangential = (contact.force - contact.normal * normal).norm();
                self.friction_used = self.friction_used.max(tangential / (contact.friction * normal));
            }
        }
        for points in &mut self.bodies {
            if points.now != points.before {
                let more = points.now > points.before;
                let undone = points.change.is_some_and(|(was, t)| was != more && time - t < params.short);
                self.switches += usize::from(undone && standing);
                points.change = Some((more, time));
            }
            points.before = core::mem::take(&mut points.now);
        }
    }
}
