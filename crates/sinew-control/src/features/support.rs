//! Support: the situation that the planner gets, the centre of pressure, and the acceleration of the centre of mass that follows from it.

use super::balance::Bearing;
use super::planner::{DETOURS, Situation};
use super::stepping::Step;
use super::walk::Walker;
use crate::whole_body::{Axes, Goal, Objective, Task};
use crate::{Command, Observation};
use sinew_dynamics::Side;
use sinew_dynamics::spatial::Vec3;

/// Least force that is taken for a push, as a share of the weight.
const FELT: f64 = 0.05;
/// Where a foot may land, as shares of the leg: ahead and behind, to its side, least distance from the other foot, and in all.
const REACH: [f64; 4] = [0.65, 0.95, 0.11, 0.65];
/// Time by which the earliest landing is later than now, s.
const SOON: f64 = 0.01;
/// Frequency of a sway that goes from step to step, `√(g/leg)`.
const SWAY: f64 = 0.37;
/// Height of a tread, as a share of the leg, that makes a step a whole step down.
const TREAD: f64 = 0.1;

impl Walker {
    /// Where a planted foot carries last.
    pub(super) fn toe_of(&self, side: Side) -> Vec3 {
        let (anchor, sole) = (self.feet.anchor(side), self.anatomy.sole(side));
        anchor.at + anchor.turn * (sole.toe() - sole.center)
    }

    /// Sideways vector from the standing foot to the usual place of the other.
    fn sideways(&self, stance: Side) -> Vec3 {
        let left = Command::directions(self.heading)[1];
        let sign = if stance == Side::Left { -1.0 } else { 1.0 };
        // soles of feet that cannot roll are level under vertical legs only
        let spread = if self.anatomy.stiff_ankles { self.anatomy.apart } else { self.manner.spread };
        left * (sign * spread * self.anatomy.leg)
    }

    /// The planner's description of a step.
    pub(super) fn situation(&self, step: &Step, time: f64) -> Situation<'_> {
        let [forward, left] = Command::directions(self.heading);
        let leg = self.anatomy.leg;
        let usual = self.step_time();
        let elapsed = if step.shifting { 0.0 } else { time - step.since };
        let first = (self.manner.hurry * usual).max(elapsed + SOON);
        let sole = self.anatomy.sole(step.stance);
        let carrying = self.feet.carrying_point(step.stance, sole, &self.body.kinetics);
        let anchor = self.feet.anchor(step.stance);
        let toe = self.toe_of(step.stance) - anchor.at;
        let heel_off = self.manner.heel_off * usual;
        // in a brisk calm walk the pressure rolls from the heel to the toes
        let rolling = self.to_toes();
        let heel_first = self.heel_first(anchor.forward);
        Situation {
            xi: self.xi,
            stance: carrying + (anchor.at - carrying) * step.downs[0].max(rolling) - heel_first,
            heel_first,
            old: step.old,
            leave: self.toe_of(step.stance),
            transfer: self.manner.transfer
                * usual
                * self.briskness(libm::hypot(self.velocity[0], self.velocity[1])),
            omega: self.omega,
            elapsed,
            velocity: self.trim
                + forward * self.velocity[0]
                + left * (self.velocity[1] + self.sway(time, SWAY) * self.speed_unit()),
            sideways: self.sideways(step.stance),
            detours: step.detours,
            toes: step.downs.map(|down| toe * down.max(rolling) + heel_first),
            onto_toes: [0.5 * heel_off, heel_off],
            usual,
            times: [first, (self.manner.delay * usual).max(first)],
            forward,
            reach: REACH.map(|share| share * leg),
            cross: self.manner.cross * leg,
            support: &self.feet.polygon,
            overreach: self.manner.overreach * leg,
            gain: self.ankle_gain(),
            push: if self.pushed() { self.push.acceleration } else { Vec3::zeros() },
            persistence: self.manner.persistence * self.anatomy.time_unit(self.gravity()),
            time_cost: self.manner.time_cost,
            offset_cost: self.manner.offset_cost,
            leg,
        }
    }

    /// By how much the next steps are longer than usual, because the ground does not carry everywhere, and how much of a step down
    /// they are.
    pub(super) fn detours(&self, step: &Step, seen: &Observation<'_>) -> ([Vec3; DETOURS], [f64; DETOURS]) {
        let s = self.situation(step, seen.time);
        let (mut stance, mut sideways) = (self.feet.anchor(step.stance).at, s.sideways);
        let mut swing = step.stance.other();
        let mut chosen = step.lifted.map(|_| step.landing.place.z);
        let mut downs = [0.0; DETOURS];
        let detours = core::array::from_fn(|k| {
            let usual = stance + s.velocity * s.usual + sideways;
            let place = self.footholds(swing, chosen.take(), seen)(&usual);
            let down = self.tread(&place, seen, stance.z - place.z) / (TREAD * self.anatomy.leg);
            downs[k] = down.clamp(0.0, 1.0);
            (stance, sideways, swing) = (place, -sideways, swing.other());
            let d = place - usual;
            Vec3::new(d.x, d.y, 0.0)
        });
        (detours, downs)
    }

    /// Whether a push is felt.
    pub(super) fn pushed(&self) -> bool {
        self.push.acceleration.norm() > FELT * self.gravity()
    }

    /// Height of the ground under the standing foot.
    pub(super) fn floor(&self) -> f64 {
        match self.step {
            None => self.feet.middle().z,
            Some(step) => self.feet.anchor(step.stance).at.z,
        }
    }

    /// How much higher than the standing foot the ground is at a centre of pressure between it and the foot behind, m.
    fn above(&self, step: &Step, pressure: &Vec3) -> f64 {
        let new = self.feet.anchor(step.stance).at;
        let (way, at) = (step.old - new, pressure - new);
        let share = (way.x * at.x + way.y * at.y) / (way.x * way.x + way.y * way.y).max(1e-6);
        way.z * share.clamp(0.0, 1.0)
    }

    /// Feedback of the centre of pressure on the divergent component.
    fn ankle_gain(&self) -> f64 {
        self.manner.ankle_gain / self.anatomy.time_unit(self.gravity()) / self.omega
    }

    /// The centre of pressure, and the acceleration of the centre of mass that follows from it.
    pub(super) fn balance(&mut self, seen: &Observation<'_>) -> Objective {
        let gain = self.ankle_gain();
        let overreach = self.manner.overreach * self.anatomy.leg;
        let mut pressure = match self.step {
            None => {
                let Bearing { shift, surge, .. } = self.bearing;
                let error = self.xi - self.feet.middle() - shift - self.idle_shift();
                let wanted = self.xi + error * gain - surge / (self.omega * self.omega);
                self.feet.polygon.clamp(&wanted, -overreach)
            }
            Some(step) => {
                let s = self.situation(&step, seen.time);
                if step.shifting {
                    let offset = s.offset(&s.sideways, s.usual);
                    let wanted = self.xi + (self.xi - s.stance - offset) * (2.0 * gain);
                    self.feet.polygon.clamp(&wanted, -overreach)
                } else {
                    s.pressure(&s.course(), &self.xi, s.elapsed)
                }
            }
        };
        pressure.z = self.floor() + self.step.map_or(0.0, |step| self.above(&step, &pressure));
        self.pressure = pressure;
        // the ground pushes along the line from there to the centre of mass: c̈ − g has no part across that line
        let line = self.body.kinetics.com() - self.pressure;
        let axes = [Vec3::new(line.z, 0.0, -line.x), Vec3::new(0.0, line.z, -line.y)].map(|a| a.normalize());
        let goal = Goal::Accelerate(self.body.kinetics.model().gravity());
        // standing still, the paper's strict level; in motion a heavy weight, which arms and trunk need not meet at any price
        let (level, weight) = if self.step.is_none() { (2, 1.0) } else { (3, self.manner.balance_weight) };
        Objective::new(level, weight, Task::Com { goal, axes: Axes::two(axes[0], axes[1]) })
    }
}
