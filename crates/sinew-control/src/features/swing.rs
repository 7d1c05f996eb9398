//! The swinging foot: its way from lift-off to landing.
//!
//! A phase `p` runs from 0 at lift-off to 1 at the planned landing. What clears the ground is not the middle of a sole but its lowest edge:
//! the toes after lift-off, the heel before landing. So the edge that is lower is led, up to a height, and down in time. The foot hangs from
//! its shin: the ankle eases from where it was at lift-off, `α₀`, to neutral, so that the angle of the sole (heel up positive) is that of the
//! shin, `σ`; before the landing the toes come up by the `strike`:
//! ```text
//! φ(p) = (σ + α₀ (1 − S(p/ease))) (1 − s) − strike · s,        s = S((p − from)/within),   S(x) = x² (3 − 2x)
//! ```
//! It is asked for with its rate: without it a foot lags by a tenth of a second, and scuffs. A disturbed walker leads the middle
//! of a flat sole, higher; `calm` says how much of each.

use super::calm::{mix, smooth};
use super::feet::Feet;
use super::ground::{EVEN, Obstacles};
use super::posture::{bend_knee, flat_on, point, turned};
use super::stepping::{Lift, Step};
use super::walk::Walker;
use crate::whole_body::{Axes, Goal, Objective, Task};
use crate::{Command, Observation};
use sinew_dynamics::Side;
use sinew_dynamics::spatial::Vec3;

/// How much higher a foot is lifted that met something on its way, as a share of the leg.
const STUMBLE_LIFT: f64 = 0.06;
/// How much higher the middle of a sole is led than its edge, as a share of the leg.
const MIDDLE: f64 = 0.07;
/// Height at which it passes over an edge, m.
const CLEAR: f64 = 0.03;
/// Share of the swing for which a foot that still touches the ground is held where it is, in the plane.
const STUCK: f64 = 0.2;
/// Steps of the simulation that a foot must be early by to be early at all.
const WORTH_IT: f64 = 5.0;
/// Distance from the next tread within which a foot comes down on it, m.
const NEARLY_THERE: f64 = 0.08;
/// Stiffness of the orientation of a swinging foot, 1/s².
const SWING_STIFFNESS: f64 = 400.0;
/// Share of the swing in which a foot that rolled over its toes becomes flat again, when it is to land flat.
const UNROLL: f64 = 0.4;
/// Difference in height of heel and toe beyond which only the lower one is led, m.
const BAND: f64 = 0.02;
/// Length of a step, as a share of the leg, from which on the foot lands with all of its strike.
const FULL_STRIKE: f64 = 0.5;

impl Walker {
    /// How far the heel of a foot in line with its shin is up, rad, and its rate, rad/s.
    pub(super) fn hanging(&self, side: Side) -> [f64; 2] {
        let [forward, left] = Command::directions(self.heading);
        let k = &self.body.kinetics;
        self.anatomy.shins[side as usize]
            .map_or([0.0; 2], |shin| [self.anatomy.pitch_of(k, shin, &forward), k.spin(shin).dot(&left)])
    }

    /// Angle of the swinging sole, heel up positive, rad, and its rate, rad/s, in a swing of a duration.
    fn swing_pitch(&self, step: &Step, lift: &Lift, phase: f64, whole: f64) -> [f64; 2] {
        let gait = &self.manner;
        let calm = self.calm.level();
        let flat = self.rolled() * (1.0 - phase / UNROLL).max(0.0);
        if calm == 0.0 {
            return [flat, 0.0];
        }
        let [hangs, hanging] = self.hanging(step.stance.other());
        let [eased, easing] = smooth(phase / gait.ankle_ease);
        let along = hangs + lift.ankle * (1.0 - eased);
        let rate = hanging - lift.ankle * easing / (gait.ankle_ease * whole);
        let strike = -gait.strike * (self.stride() / FULL_STRIKE).clamp(0.0, 1.0);
        let [struck, striking] = smooth((phase - gait.strike_from) / gait.strike_within);
        let pitch = mix(along, strike, struck);
        let rate = rate * (1.0 - struck) + (strike - along) * striking / (gait.strike_within * whole);
        [mix(flat, pitch, calm), calm * rate]
    }

    /// The point of the swinging foot that is led, in its frame: the lower edge, or the middle.
    fn led_point(&self, step: &Step) -> Vec3 {
        let sole = self.anatomy.sole(step.stance.other());
        let k = &self.body.kinetics;
        let height = |p: &Vec3| k.point(sole.body, p).0.z;
        let (heel, toe) = (sole.heel(), sole.toe());
        let share = (0.5 + (height(&heel) - height(&toe)) / (2.0 * BAND)).clamp(0.0, 1.0);
        let edge = heel + (toe - heel) * share;
        sole.center + (edge - sole.center) * self.calm.level()
    }

    /// Objectives of the swinging foot: up over whatever lies between, and down in time.
    pub(super) fn swing(&mut self, step: &Step, seen: &Observation<'_>) {
        let Some(lift) = step.lifted else { return };
        let Lift { time: since, place: from, .. } = lift;
        let (gait, calm) = (&self.manner, self.calm.level());
        let sole = self.anatomy.sole(step.stance.other());
        let left = step.landing.time - (seen.time - step.since);
        let whole = (step.landing.time - (since - step.since)).max(0.05);
        let phase = (seen.time - since) / whole;
        let place = step.landing.place;
        // stairs: up early and down late; a foot that met something on its way is lifted over it
        let slack = (self.tread(&place, seen, place.z - from.z).abs() / (0.1 * self.anatomy.leg)).min(1.0);
        let (high, low) = if step.stumbled {
            (0.0, 0.8)
        } else {
            (gait.up_until - 0.2 * slack, gait.down_from + 0.15 * slack)
        };
        let lift_by = gait.lift + MIDDLE * (1.0 - calm) + if step.stumbled { STUMBLE_LIFT } else { 0.0 };
        let highest = self.highest(&from, &place, seen) + self.unseen(step.stance, seen);
        // the ground that it left, not the sole, which was on its toes
        let left_at = mix(from.z, self.feet.anchor(step.stance.other()).at.z, calm);
        let top = highest.max(left_at).max(place.z) + lift_by * self.anatomy.leg;
        let to = |height: f64, rate: f64, time: f64| Goal::Reach {
            position: Vec3::z() * height,
            velocity: Vec3::z() * rate,
            time,
        };
        let led = self.led_point(step);
        let here = self.body.kinetics.point(sole.body, &sole.center).0;
        let Obstacles { blocked, under, lowest } = self.obstacles(step, seen);
        let hang = self.body.kinetics.point(sole.body, &led).0.z - lowest;
        let up = if (phase < low || step.tipped) && !step.bumped {
            to(top + hang * slack, 0.0, ((high - phase) * whole).max(0.05))
        } else if slack > 0.0
            && (libm::hypot(place.x - here.x, place.y - here.y) > NEARLY_THERE || under > place.z + EVEN)
            && !step.bumped
        {
            // not down before it is there: a riser or the edge of the last tread may be in the way
            to(under.max(place.z) + CLEAR * slack + hang, 0.0, 0.05)
        } else {
            // into the ground, further the longer it is not met
            to(place.z - 0.005 - 0.4 * (-left).max(0.0), -0.1, left)
        };
        let caught = step.bumped
            || step.stumbled && phase < low && (Feet::touches(sole, seen) || Feet::bumps(sole, seen));
        // it is lifted before it goes anywhere
        let stuck = phase < STUCK && !step.free;
        let early = gait.early * self.anatomy.time_unit(self.gravity());
        let early = if early > WORTH_IT * seen.dt { early * (1.0 - slack) } else { 0.0 };
        let (target, time) = if stuck {
            (here, 0.05)
        } else if caught || blocked {
            (here, left.min(0.1))
        } else {
            (place, if early > 0.0 { (left - early).max(0.06) } else { left })
        };
        let across = Goal::Reach { position: target, velocity: Vec3::zeros(), time };
        let normal = seen.terrain.normal(place.x, place.y);
        let forward = Command::directions(self.heading)[0];
        let axis = normal.cross(&forward);
        let [pitch, rate] = self.swing_pitch(step, &lift, phase, whole);
        let turn = Task::Orientation {
            body: sole.body,
            target: turned(axis * pitch) * flat_on(&normal, &forward) * sole.flat,
            rate: axis * rate,
            stiffness: SWING_STIFFNESS,
            damping: 2.0 * SWING_STIFFNESS.sqrt(),
            axes: if self.anatomy.stiff_ankles { Axes::two(axis, normal) } else { Axes::all() },
        };
        let weight = gait.swing_weight;
        self.objectives.push(point(3, weight, sole.body, sole.center, across, Axes::horizontal()));
        self.objectives.push(point(3, weight, sole.body, led, up, Axes::vertical()));
        self.objectives.push(Objective::new(3, gait.pitch_weight * weight, turn));
        let share = (1.0 - 2.0 * phase).max(0.0);
        if share > 0.0 {
            let k = &self.body.kinetics;
            bend_knee(&self.anatomy, k, gait, self.heading, step.stance.other(), share, &mut self.objectives);
        }
    }
}
