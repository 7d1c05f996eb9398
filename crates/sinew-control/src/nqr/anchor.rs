//! Where the clip is in the world.
//!
//! The clip has a frame of its own; the anchor moves it to where the character is. At the end of a cycle it goes on by the cycle's travel.
//! Sideways it leaks towards the character: a plan corrects a sideways error with lateral forces that a foot cannot give, which ends walks
//! at large γ. Sideways is across the way that the plan goes just then; where it stands there is no leak.

use super::policy::Policy;
use sinew_dynamics::Model;
use sinew_dynamics::spatial::Vec3;
use sinew_motion::Travel;

/// Half of the time over which the way of a plan that is played once is looked at, s.
const LOOK: f64 = 0.25;
/// Speed from which on the leak is whole, m/s.
const WALKS: f64 = 0.4;

/// The way that a plan goes at each frame, in the clip's axes: a unit vector, shorter where it goes slowly.
pub(super) fn ways(policy: &Policy, model: &Model) -> Vec<Vec3> {
    let n = policy.frames.len() as i64;
    let Some(root) = model.free_root() else { return vec![Vec3::zeros(); policy.frames.len()] };
    let place = |k: i64| {
        let at = |q: &[f64]| Vec3::new(q[root.q], q[root.q + 1], 0.0);
        match policy.travel {
            Some(travel) => {
                let lap = travel.power(k.div_euclid(n));
                let p = lap.apply(&at(&policy.frames[k.rem_euclid(n) as usize].q));
                Vec3::new(p.x, p.y, 0.0)
            }
            None => at(&policy.frames[k.clamp(0, n - 1) as usize].q),
        }
    };
    let look = (LOOK * policy.rate) as i64;
    let way = |k: i64| {
        let (from, to) = match policy.travel {
            // over a whole cycle it does not sway
            Some(_) => (k - n / 2, k - n / 2 + n),
            None => ((k - look).max(0), (k + look).min(n - 1)),
        };
        let way = place(to) - place(from);
        let speed = way.norm() * policy.rate / (to - from).max(1) as f64;
        way.try_normalize(1e-6).map_or(Vec3::zeros(), |way| way * (speed / WALKS).min(1.0))
    };
    (0..n).map(way).collect()
}

/// How far a clip is moved over the ground, and the height of the ground under it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anchor {
    pub(super) travel: Travel,
    pub(super) floor: f64,
}

impl Anchor {
    pub(super) const NONE: Anchor = Anchor { travel: Travel::NONE, floor: 0.0 };

    /// Brings a configuration and a velocity to the axes of the clip.
    pub(super) fn to_clip(self, model: &Model, q: &mut [f64], v: &mut [f64]) {
        let back = self.travel.inverse();
        back.apply_to(model, q);
        if let Some(root) = model.free_root() {
            q[root.q + 2] -= self.floor;
            let turned = back.direction(&Vec3::new(v[root.v], v[root.v + 1], v[root.v + 2]));
            v[root.v..root.v + 3].copy_from_slice(turned.as_slice());
        }
    }

    /// Brings a generalised force to the axes of the clip: only the root's translation knows them.
    pub(super) fn force_to_clip(self, model: &Model, force: &mut [f64]) {
        if let Some(root) = model.free_root() {
            let at = root.v;
            let turned = self.travel.inverse().direction(&Vec3::new(force[at], force[at + 1], force[at + 2]));
            force[at..at + 3].copy_from_slice(turned.as_slice());
        }
    }

    /// Moves sideways towards a character that is `off` the plan, in the clip's axes, by a share.
    pub(super) fn leak(&mut self, off: &Vec3, way: &Vec3, share: f64) {
        let whole = way.norm();
        let Some(along) = way.try_normalize(1e-6) else { return };
        let off = Vec3::new(off.x, off.y, 0.0);
        let aside = off - along * off.dot(&along);
        self.travel.shift += self.travel.direction(&(aside * (share * whole).min(1.0)));
    }
}
