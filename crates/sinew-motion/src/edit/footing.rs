//! Other ground for a walk: longer or shorter steps, slopes, single steps moved, while feet stay planted.
//!
//! A clip with contacts has plants: spans in which a foot is down. Each plant can be moved by a rigid map that takes the flat
//! floor to where it should be there, `x ↦ g + T(x − g) + s`: `g` the point under the ankle, `s` a shift, `T` a tilt. While a foot
//! stands, its whole motion, rolling included, goes through the map of its plant, so that it stays planted on the new ground
//! exactly as it was on the old one. In the air the maps of the plants before and after are blended. The root, which is over a
//! plant in the middle of its time, is shifted as the plants are, with Catmull-Rom slopes between them, and sinks when a leg is
//! too short; legs follow by inverse kinematics.
//!
//! Cost: one pass of forward kinematics and two closed-form legs; no allocation in [`Footing::apply`].

use super::blend::arc;
use super::limbs::{Limb, Limbs};
use crate::layout::{free_root, vec3_at, write_vec3};
use crate::transition::ease;
use crate::{Clip, heading};
use sinew_dynamics::Side;
use sinew_dynamics::spatial::{Placement, Quat, Vec3, rotation};

/// Greatest part of a leg's length that is used.
const STRETCH: f64 = 0.999;

/// A foot on the ground for a while, and where it goes instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Plant {
    /// Which foot.
    pub side: Side,
    /// First and last time on the ground, s.
    pub from: f64,
    /// Last time on the ground, s.
    pub to: f64,
    /// The point of the floor under the ankle, m.
    pub at: Vec3,
    /// Moves the plant, m.
    pub shift: Vec3,
    /// Tilts the ground under it.
    pub tilt: Quat,
}

impl Plant {
    fn middle(&self) -> f64 {
        0.5 * (self.from + self.to)
    }

    fn map(&self, x: &Placement) -> Placement {
        let turn = rotation::to_matrix(&self.tilt);
        Placement { rot: turn * x.rot, pos: self.at + turn * (x.pos - self.at) + self.shift }
    }
}

/// The plants of a clip, to be moved.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{Travel, edit::Footing, motions};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let walk = motions::load("start", &human)?;
/// let mut footing = Footing::new(&walk).unwrap();
/// footing.scale_stride(0.9);
/// let shorter = footing.clip(&walk);
/// let way = |clip: &sinew_motion::Clip| Travel::between(&human, clip.frame(0), clip.frame(clip.len() - 1)).shift.norm();
/// assert!((way(&shorter) / way(&walk) - 0.9).abs() < 0.02);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Footing {
    plants: [Vec<Plant>; 2],
    /// Side and index of all plants in order of the middle of their times.
    order: Vec<(usize, usize)>,
    limbs: Limbs,
    root: usize,
    origin: Vec3,
    heading: f64,
}

impl Footing {
    /// Finds the plants of a clip; `None` without contacts, without a free root, or without legs of two links.
    pub fn new(clip: &Clip) -> Option<Footing> {
        let contacts = clip.contacts.as_ref()?;
        let model = clip.model();
        let (root, _) = free_root(model)?;
        let mut limbs = Limbs::new(model);
        let mut plants = [Vec::new(), Vec::new()];
        for side in Side::BOTH {
            limbs.place(Limb::Leg(side))?;
            let mut frame = 0;
            while frame < clip.len() {
                let down = |f: &usize| contacts.down(side, *f);
                let length = (frame..clip.len()).take_while(down).count();
                if length > 0 {
                    // under the ankle in the middle of the stance, where the foot is flattest
                    limbs.look_at(clip.frame(frame + length / 2));
                    let ankle = limbs.place(Limb::Leg(side))?;
                    plants[side as usize].push(Plant {
                        side,
                        from: frame as f64 / clip.rate,
                        to: (frame + length - 1) as f64 / clip.rate,
                        at: Vec3::new(ankle.x, ankle.y, 0.0),
                        shift: Vec3::zeros(),
                        tilt: Quat::identity(),
                    });
                }
                frame += length.max(1);
            }
        }
        let start = clip.frame(0);
        let origin = vec3_at(start, root);
        // the way the clip goes; when it stays, the way it faces
        let way = (vec3_at(clip.frame(clip.len() - 1), root) - origin).xy();
        let facing = heading(&crate::layout::quat_at(start, root + 3));
        let heading = if way.norm() > 0.1 { libm::atan2(way.y, way.x) } else { facing };
        let mut order: Vec<(usize, usize)> =
            (0..2).flat_map(|side| (0..plants[side].len()).map(move |k| (side, k))).collect();
        order.sort_by(|a, b| plants[a.0][a.1].middle().total_cmp(&plants[b.0][b.1].middle()));
        Some(Footing { plants, order, limbs, root, origin: Vec3::new(origin.x, origin.y, 0.0), heading })
    }

    /// Plants of a foot in order of time.
    pub fn plants(&self, side: Side) -> &[Plant] {
        &self.plants[side as usize]
    }

    /// The same, to move them one by one.
    pub fn plants_mut(&mut self, side: Side) -> &mut [Plant] {
        &mut self.plants[side as usize]
    }

    /// Makes steps longer or shorter along the way by a factor; the width stays. At the same rate the speed changes with it.
    pub fn scale_stride(&mut self, factor: f64) {
        let along = Vec3::new(libm::cos(self.heading), libm::sin(self.heading), 0.0);
        for plant in self.plants.iter_mut().flatten() {
            plant.shift = along * ((factor - 1.0) * along.dot(&(plant.at - self.origin)));
        }
    }

    /// Lays the floor on a slope that rises by `angle` (rad) along the way from where the clip begins.
    pub fn ramp(&mut self, angle: f64) {
        let along = Vec3::new(libm::cos(self.heading), libm::sin(self.heading), 0.0);
        let across = Vec3::new(-along.y, along.x, 0.0);
        for plant in self.plants.iter_mut().flatten() {
            plant.shift.z = libm::tan(angle) * along.dot(&(plant.at - self.origin));
            plant.tilt = rotation::exp(&(across * -angle));
        }
    }

    /// Edits the configuration that the clip has at time `t`; says how far a foot stays from its place, m.
    pub fn apply(&mut self, t: f64, q: &mut [f64]) -> f64 {
        self.limbs.look_at(q);
        let mut feet = [Placement::identity(); 2];
        let mut shift = self.root_shift(t);
        for side in Side::BOTH {
            let Some(foot) = self.limbs.end(Limb::Leg(side)) else { return 0.0 };
            feet[side as usize] = self.mapped(side, t, &foot);
        }
        // a leg that is too short takes the root down
        for side in Side::BOTH {
            let limb = Limb::Leg(side);
            let (Some(hip), Some(length)) = (self.limbs.root(limb), self.limbs.length(limb)) else {
                return 0.0;
            };
            let Some(ankle) = self.limbs.ankle(side, &feet[side as usize]) else { return 0.0 };
            let across = (hip + shift - ankle).xy().norm_squared();
            let room = libm::sqrt((STRETCH * STRETCH * length * length - across).max(0.0));
            shift.z = shift.z.min(ankle.z + room - hip.z);
        }
        let root = vec3_at(q, self.root) + shift;
        write_vec3(q, self.root, &root);
        let mut worst: f64 = 0.0;
        for side in Side::BOTH {
            let reach = self.limbs.put_foot(side, &feet[side as usize], &shift, q);
            worst = worst.max(reach.map_or(0.0, |r| r.distance));
        }
        worst
    }

    /// A foot at a time through the maps of its plants.
    fn mapped(&self, side: Side, t: f64, foot: &Placement) -> Placement {
        let plants = &self.plants[side as usize];
        let next = plants.partition_point(|p| p.to < t);
        match (next.checked_sub(1).map(|k| &plants[k]), plants.get(next)) {
            (_, Some(plant)) if plant.from <= t => plant.map(foot),
            (Some(a), Some(b)) => {
                let weight = ease((t - a.to) / (b.from - a.to));
                let (at_a, at_b) = (a.map(foot), b.map(foot));
                let turn = arc(&rotation::from_matrix(&at_a.rot), &rotation::from_matrix(&at_b.rot), weight);
                Placement::new(turn, at_a.pos.lerp(&at_b.pos, weight))
            }
            (Some(plant), None) | (None, Some(plant)) => plant.map(foot),
            (None, None) => *foot,
        }
    }

    /// The shift of the root at a time.
    fn root_shift(&self, t: f64) -> Vec3 {
        let key = |i: usize| {
            let (side, k) = self.order[i];
            (self.plants[side][k].middle(), self.plants[side][k].shift)
        };
        let Some(last) = self.order.len().checked_sub(1) else { return Vec3::zeros() };
        // slope from the neighbours on both sides, or the one there is
        let slope = |i: usize| {
            let ((t0, x0), (t1, x1)) = (key(i.saturating_sub(1)), key((i + 1).min(last)));
            if t1 - t0 > 1e-9 { (x1 - x0) / (t1 - t0) } else { Vec3::zeros() }
        };
        let after = (0..=last).find(|&i| key(i).0 > t);
        match after {
            Some(0) => key(0).1 + slope(0) * (t - key(0).0),
            None => key(last).1 + slope(last) * (t - key(last).0),
            Some(i) => {
                let ((t0, a), (t1, b)) = (key(i - 1), key(i));
                let (h, x) = (t1 - t0, (t - t0) / (t1 - t0));
                let (x2, x3) = (x * x, x * x * x);
                a + (b - a) * (3.0 * x2 - 2.0 * x3)
                    + (slope(i - 1) * (x3 - 2.0 * x2 + x) + slope(i) * (x3 - x2)) * h
            }
        }
    }

    /// The whole clip, edited.
    pub fn clip(&mut self, clip: &Clip) -> Clip {
        let mut edited = clip.clone();
        for i in 0..clip.len() {
            self.apply(i as f64 / clip.rate, edited.frame_mut(i));
        }
        edited.provenance.add("plants moved");
        edited
    }
}
