//! Paths of feet that never slide: flat on a plant, rolling over the heel or the toes, and through the air to the next plant.
//!
//! A foot on the ground stands at a plant: a point `P` under the ankle and a heading. It is pitched by `φ`, toes up when
//! positive, about the edge of the heel (`φ > 0`) or of the toes (`φ < 0`), so that the edge stays where it is.
//!
//! In the air the ankle goes from where it left the ground to where it will land with the velocities it has there: horizontally
//! by a quintic without acceleration at the ends, vertically by the height of the lowest point of the sole, which rises and
//! falls by a bump, and the pitch.

use super::puppet::{FootShape, orientation};
use crate::edit::Track;
use crate::transition::bump;
use sinew_dynamics::spatial::{Quat, Vec3, rotation};

/// A place where a foot stands for a while.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plant {
    /// Under the ankle, on the ground.
    pub(super) at: Vec3,
    pub(super) yaw: f64,
    /// From landing to lifting off, s.
    pub(super) land: f64,
    pub(super) off: f64,
    /// Pitch while it stands: negative on tiptoe.
    pub(super) flat: f64,
    /// Pitch at landing and at lifting off, rad, and the time it takes to come down flat and to roll off, s.
    pub(super) strike: f64,
    pub(super) push: f64,
    pub(super) load: f64,
    pub(super) roll: f64,
    /// How high the sole is lifted before this landing, m.
    pub(super) lift: f64,
}

/// Half of the height by which corner points of the sole are rounded in the air, m.
const ROUND: f64 = 0.07;

/// Part of the roll over the toes that is done when the other foot lands.
const EARLY: f64 = 0.4;

/// The path of one foot.
pub(super) struct FootPath {
    shape: FootShape,
    plants: Vec<Plant>,
    pitch: Track,
}

impl FootPath {
    pub(super) fn new(shape: FootShape, plants: Vec<Plant>) -> FootPath {
        let mut keys = Vec::new();
        for (k, plant) in plants.iter().enumerate() {
            if k > 0 {
                // feet hang after lifting off and reach out before landing
                let before = &plants[k - 1];
                let air = plant.land - before.off;
                keys.push((before.off + 0.12 * air, 1.12 * before.push));
                keys.push((before.off + 0.34 * air, 0.95 * before.push));
                keys.push((before.off + 0.62 * air, 0.30 * before.push + 0.15 * plant.strike));
                keys.push((before.off + 0.88 * air, plant.strike));
            }
            keys.push((plant.land, plant.strike));
            keys.push((plant.land + plant.load, plant.flat));
            if plant.off.is_finite() {
                keys.push((plant.off - plant.roll, plant.flat));
                keys.push((plant.off - 0.42 * plant.roll, plant.flat + EARLY * (plant.push - plant.flat)));
                keys.push((plant.off, plant.push));
            }
        }
        FootPath { shape, plants, pitch: Track::new(keys) }
    }

    /// Whether heel and toe are on the ground.
    pub(super) fn down(&self, t: f64) -> [bool; 2] {
        let Some(plant) = self.plants.iter().find(|p| p.land <= t && t <= p.off) else { return [false; 2] };
        let (loading, rolling) = (t < plant.land + plant.load, t > plant.off - plant.roll);
        let lifted = |pitch: f64, now: bool, sign: f64| now && sign * pitch > 0.0;
        let toe_up = lifted(plant.strike, loading, 1.0) || lifted(plant.push, rolling, 1.0);
        let heel_up = lifted(plant.strike, loading, -1.0) || lifted(plant.push, rolling, -1.0);
        [!heel_up && plant.flat >= 0.0, !toe_up]
    }

    /// How much of the way through the air is behind, from 0 to 1; none on the ground.
    pub(super) fn swing(&self, t: f64) -> Option<f64> {
        let pair = self.plants.windows(2).find(|pair| pair[0].off < t && t < pair[1].land)?;
        Some((t - pair[0].off) / (pair[1].land - pair[0].off))
    }

    /// Ankle and orientation from the reference at a time; also heading.
    pub(super) fn at(&self, t: f64) -> (Vec3, Quat, f64) {
        let next = self.plants.iter().position(|p| t <= p.off).unwrap_or(self.plants.len() - 1);
        let plant = &self.plants[next];
        if t >= plant.land || next == 0 {
            let pitch = self.pitch.at(t);
            return (self.standing(plant, pitch), orientation([-pitch, 0.0, plant.yaw]), plant.yaw);
        }
        let before = &self.plants[next - 1];
        let air = plant.land - before.off;
        let x = (t - before.off) / air;
        let h = 1e-5;
        let leave = |t: f64| self.standing(before, self.pitch.at(t));
        let arrive = |t: f64| self.standing(plant, self.pitch.at(t));
        let (p0, p1) = (leave(before.off), arrive(plant.land));
        // what moves the ankle at both ends is the roll alone
        let v0 = (p0 - leave(before.off - h)) / h * air;
        let v1 = (arrive(plant.land + h) - p1) / h * air;
        let (x3, pitch) = (x * x * x, self.pitch.at(t));
        let s = x3 * (10.0 - 15.0 * x + 6.0 * x * x);
        let a = x - x3 * (6.0 - 8.0 * x + 3.0 * x * x);
        let b = x3 * (-4.0 + 7.0 * x - 3.0 * x * x);
        let mut ankle = p0 + (p1 - p0) * s + v0 * a + v1 * b;
        ankle.z = self.lowest(pitch, x) + plant.lift * bump(x);
        let yaw = before.yaw + (plant.yaw - before.yaw) * s;
        (ankle, orientation([-pitch, 0.0, yaw]), yaw)
    }

    /// The ankle when the foot rolls over its edge at a plant.
    fn standing(&self, plant: &Plant, pitch: f64) -> Vec3 {
        let edge = if pitch >= 0.0 { self.shape.heel } else { self.shape.toe };
        let turn = orientation([-pitch, 0.0, plant.yaw]);
        let out = rotation::exp(&Vec3::new(0.0, 0.0, plant.yaw)) * Vec3::new(edge, 0.0, 0.0);
        plant.at + out + turn * Vec3::new(-edge, 0.0, self.shape.height)
    }

    /// Height of the ankle over the lowest point of the sole, without a corner when the pitch changes sign in the air.
    fn lowest(&self, pitch: f64, x: f64) -> f64 {
        let (c, s) = rotation::cos_sin(pitch);
        let (heel, toe) = (-self.shape.heel * s, -self.shape.toe * s);
        let round = ROUND * bump(x);
        let top = 0.5 * (heel + toe + libm::sqrt((heel - toe) * (heel - toe) + round * round));
        self.shape.height * c + top
    }
}
