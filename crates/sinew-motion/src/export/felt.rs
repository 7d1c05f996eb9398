//! The contacts of a simulated run: a foot is down where the ground presses on it.
//!
//! A force on a foot nearer to its heel's edge than to the front edge of its sole is one on the heel. The ground's level is the mean
//! height of the points of a stance. Gaps of less than 0.1 s, as in the rule for captured motions, are the chatter of a landing
//! and are closed.

use crate::contacts::runs;
use crate::{Clip, FootContacts, Sole};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Role, Side};
use sinew_world::recording::Recording;

/// Shorter gaps are none, s.
const CHATTER: f64 = 0.1;
/// A lighter touch is none, share of the weight.
const LIGHT: f64 = 1e-3;

/// Which parts of the feet touch in every row; none for a body without two feet.
pub(super) fn contacts(run: &Recording, clip: &Clip) -> Option<FootContacts> {
    let model = clip.model();
    let rest = model.spec().reference_placements();
    let mut contacts = FootContacts::none(run.len());
    let mut data = sinew_dynamics::Data::new(model);
    let weight = 9.81 * model.mass();
    let mut feet = Vec::with_capacity(2);
    for side in Side::BOTH {
        let sole = Sole::of(model, side)?;
        let middle =
            |pair: [crate::BodyPoint; 2]| pair.map(|p| rest[p.body.0].act(&p.at)).iter().sum::<Vec3>() * 0.5;
        let (heel, toe) = (middle(sole.heel), middle(sole.toe));
        let bodies =
            [model.role(Role::Foot(side))?, model.role(Role::Toe(side)).unwrap_or(BodyId(usize::MAX))];
        feet.push((side, heel, toe - heel, bodies));
    }
    let mut heights: [Vec<(f64, f64)>; 2] = [0, 1].map(|_| vec![(0.0, 0.0); run.len()]);
    for k in 0..run.len() {
        let frame = run.frame(k);
        if frame.contacts.is_empty() {
            continue;
        }
        sinew_dynamics::forward_kinematics(model, &mut data, frame.q);
        for contact in frame.contacts {
            for (side, heel, along, bodies) in &feet {
                let body = contact.body;
                if !bodies.iter().any(|b| b.0 == body) || contact.force.norm() < LIGHT * weight {
                    continue;
                }
                // where it is on the foot at rest
                let local = data.body_placement(model, BodyId(body)).inverse().act(&contact.point);
                let at = rest[body].act(&local) - heel;
                let s = *side as usize;
                let front = at.dot(along) > 0.5 * along.norm_squared();
                if front {
                    contacts.toe[s][k] = true
                } else {
                    contacts.heel[s][k] = true
                }
                heights[s][k].0 += contact.point.z;
                heights[s][k].1 += 1.0;
            }
        }
    }
    let least = libm::round(CHATTER * clip.rate) as usize;
    for side in 0..2 {
        for flags in [&mut contacts.heel[side], &mut contacts.toe[side]] {
            for gap in runs(flags.len(), |k| !flags[k]) {
                if gap.start > 0 && gap.end < flags.len() && gap.len() < least {
                    flags[gap].fill(true);
                }
            }
        }
    }
    for side in Side::BOTH {
        for stance in contacts.stances(side) {
            let sums = &heights[side as usize][stance.clone()];
            let (sum, count) = sums.iter().fold((0.0, 0.0), |(a, b), (x, n)| (a + x, b + n));
            contacts.level[side as usize][stance].fill(if count > 0.0 { sum / count } else { 0.0 });
        }
    }
    Some(contacts)
}
