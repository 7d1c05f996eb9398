//! Balance on both feet: squats, leaning, slopes, ground that moves.
//!
//! The paper's balance controller (table 1) is the standing of the [`Walker`]: planted feet first, then the centre of mass by
//! way of the centre of pressure, then height, trunk, angular momentum and pose. What is added here are references for it,
//! which may change at any time, and the ground's own motion.
//!
//! *Squats*: the height, then as important as the place (as in the paper), follows `z = z₀ (1 − d/2 (1 − cos φ))`, `φ̇ = 2π/T`, with its velocity and acceleration, so that it does
//! not lag.
//!
//! *Ground that moves*: a point of a sole that presses on the ground moves with it. The mean of their velocities, weighted by
//! force, is the ground's; in a frame that moves along, the ground is at rest and the controller is what it was. What is new
//! there is the ground's acceleration `a`: to go with it, the centre of pressure lies `a/ω²` behind.

use super::walk::Walker;
use crate::parameters;
use crate::{
    Advanced, Command, ControlError, ControlStatus, Controller, Observation, Out, Parameters, Start,
};
use core::f64::consts::TAU;
use sinew_dynamics::Model;
use sinew_dynamics::spatial::Vec3;
use sinew_world::ContactForce;
use std::sync::Arc;

parameters! {
    /// How a body balances. Lengths are shares of its leg.
    ///
    /// ```
    /// use sinew_control::features::Stance;
    /// let deep = Stance { squat_depth: 0.2, ..Stance::default() };
    /// assert_eq!(deep.get("squat_depth"), Some(0.2));
    /// ```
    pub struct Stance {
        /// Depth of squats as a share of the standing height; 0 for none. Depth and period change with the next squat.
        squat_depth: number(0.0, [0.0, 0.5]).slider(0.0, 0.35).main();
        /// Time of a squat, down and up, s.
        squat_period: number(3.0, [0.5, 60.0]).unit("s").slider(1.5, 6.0).main();
        /// Lean of pelvis and trunk per share of the height that is given up, rad.
        squat_tilt: number(1.6, [-5.0, 5.0]).unit("rad");
        /// How far the centre of mass is ahead of the middle of the feet.
        lean_forward: number(0.0, [-0.3, 0.3]).unit("leg").slider(-0.06, 0.1).main();
        /// How far it is left of it.
        lean_left: number(0.0, [-0.3, 0.3]).unit("leg").slider(-0.12, 0.12).main();
        /// Time in which a change of lean is followed, s.
        lean_time: number(0.5, [0.0, 10.0]).unit("s");
        /// Distance of the divergent component outside the feet at which it steps after all; infinite: never.
        step_beyond: number(f64::INFINITY, [0.0, f64::INFINITY]).unit("leg").slider(0.0, 0.3).main();
        /// Time over which the velocity of the ground is averaged, s.
        ground_time: number(0.02, [0.0, 1.0]).unit("s");
        /// Time over which its acceleration is averaged, s.
        surge_time: number(0.1, [0.0, 1.0]).unit("s");
    }
}

/// Where the centre of mass should be besides over the middle of the feet at standing height, for the [`Walker`]'s standing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bearing {
    /// In the plane, m.
    pub(super) shift: Vec3,
    /// Above standing height, m; its rate, m/s; and the rate of that, m/s².
    pub(super) rise: [f64; 3],
    /// Acceleration of the ground, m/s².
    pub(super) surge: Vec3,
    /// Lean of pelvis and trunk besides the usual, rad.
    pub(super) tilt: f64,
    /// Whether the height is as important as the place.
    pub(super) exact: bool,
    /// Distance of the divergent component outside the feet at which it steps, as a share of the leg; else the gait says when.
    pub(super) step_beyond: Option<f64>,
}

/// A body that balances on both feet, and steps only when it must.
///
/// ```
/// use sinew_control::{Action, Episode, Order, features::BALANCER};
///
/// let human = sinew_dynamics::characters::load("human")?;
/// let mut episode = Episode::on_flat_ground(&BALANCER, human)?;
/// episode.perform(&Action::Set("squat_depth".to_owned(), 0.2.into()))?;
/// episode.perform(&Action::Set("squat_period".to_owned(), 2.0.into()))?;
/// episode.run(1.0)?;
/// assert!(episode.q()[2] < 0.78, "after half a period it is down");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Balancer {
    /// Stands for it.
    pub walker: Walker,
    /// How it stands.
    pub stance: Stance,
    /// Phase of the squat under way, 0 to 2π from top to top, its depth as a share of the standing height, and its period, s.
    phase: f64,
    depth: f64,
    period: f64,
    /// Where the ground has moved to, and how fast it moves.
    ground: Vec3,
    ground_velocity: Vec3,
    /// State and contacts relative to the ground.
    q: Vec<f64>,
    v: Vec<f64>,
    contacts: Vec<ContactForce>,
    /// Places of the free root in them.
    root: Option<(usize, usize)>,
}

impl Balancer {
    /// For a body with a pelvis, thighs and two feet.
    ///
    /// # Errors
    /// When the body lacks one of them.
    pub fn new(model: Arc<Model>) -> Result<Balancer, ControlError> {
        let free = model.free_root();
        Ok(Balancer {
            stance: Stance::default(),
            phase: 0.0,
            depth: 0.0,
            period: 1.0,
            ground: Vec3::zeros(),
            ground_velocity: Vec3::zeros(),
            q: model.neutral(),
            v: vec![0.0; model.nv()],
            contacts: Vec::new(),
            root: free.map(|j| (j.q, j.v)),
            walker: Walker::new(model)?,
        })
    }

    /// Velocity of the ground as the soles feel it, m/s.
    pub fn ground_velocity(&self) -> Vec3 {
        self.ground_velocity
    }

    /// Feels how the ground moves, and writes down the state relative to it.
    fn feel_ground(&mut self, seen: &Observation<'_>) {
        let (w, dt) = (&mut self.walker, seen.dt);
        w.body.kinetics.update(seen.q, seen.v);
        let share = |time: f64| (dt / time.max(dt)).min(1.0);
        if let Some((velocity, rise)) = w.feet.ground(&w.anatomy, &w.body.kinetics, seen.contacts) {
            let change = (velocity - self.ground_velocity) * share(self.stance.ground_time);
            self.ground_velocity += change;
            let surge = &mut w.bearing.surge;
            *surge += (change / dt - *surge) * share(self.stance.surge_time);
            // what has been felt is not quite what was: the soles know where the ground is now
            let normal = w.feet.anchors[0].normal;
            self.ground += normal * ((rise - self.ground).dot(&normal) * share(self.stance.surge_time));
        }
        self.q.copy_from_slice(seen.q);
        self.v.copy_from_slice(seen.v);
        self.contacts.clear();
        let here = |c: &ContactForce| ContactForce { point: c.point - self.ground, ..*c };
        self.contacts.extend(seen.contacts.iter().map(here));
        if let Some((q, v)) = self.root {
            for axis in 0..3 {
                self.q[q + axis] -= self.ground[axis];
                self.v[v + axis] -= self.ground_velocity[axis];
            }
        }
        self.ground += self.ground_velocity * dt;
    }

    /// References of this tick.
    fn refer(&mut self, dt: f64) {
        // a body that steps does not squat; the squat begins anew when it stands again
        if !self.walker.stands() {
            (self.phase, self.depth) = (0.0, 0.0);
        }
        // depth and period change at the top: in the middle of a squat, height or speed would have to leap
        if self.walker.stands() && (self.depth == 0.0 || self.phase >= TAU) {
            self.phase = if self.depth == 0.0 { 0.0 } else { self.phase - TAU };
            (self.depth, self.period) = (self.stance.squat_depth, self.stance.squat_period);
        }
        let rate = TAU / self.period;
        self.phase = if self.depth == 0.0 { 0.0 } else { self.phase + rate * dt };
        let Stance { lean_forward, lean_left, lean_time, step_beyond, squat_tilt, .. } = self.stance;
        let w = &mut self.walker;
        let Bearing { shift, rise, tilt, exact, step_beyond: beyond, .. } = &mut w.bearing;
        let (s, c) = libm::sincos(self.phase);
        let depth = 0.5 * self.depth * w.anatomy.tall * w.gait.height;
        *tilt = squat_tilt * 0.5 * self.depth * (1.0 - c);
        *exact = self.depth != 0.0;
        *rise = [depth * (c - 1.0), -depth * rate * s, -depth * rate * rate * c];
        *beyond = Some(step_beyond);
        let [forward, left] = Command::directions(w.heading);
        let goal = (forward * lean_forward + left * lean_left) * w.anatomy.leg;
        *shift += (goal - *shift) * (dt / lean_time.max(dt)).min(1.0);
    }
}

impl Controller for Balancer {
    fn start(&self) -> Start {
        self.walker.start()
    }

    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        (self.phase, self.depth) = (0.0, 0.0);
        (self.ground, self.ground_velocity) = (Vec3::zeros(), Vec3::zeros());
        self.walker.bearing = Bearing::default();
        self.walker.reset(seen)
    }

    fn act(&mut self, seen: &Observation<'_>, command: &Command, out: &mut Out<'_>) -> ControlStatus {
        self.stance.keep_in_range();
        self.feel_ground(seen);
        self.refer(seen.dt);
        let seen = seen.with_state((&self.q, &self.v), &self.contacts);
        // it stands, wherever it is steered
        self.walker.act(&seen, &Command { velocity: [0.0; 2], ..*command }, out)
    }

    fn feasible(&self, command: &Command) -> Command {
        self.walker.feasible(command)
    }

    fn signals(&self, into: &mut Vec<f64>) {
        self.walker.signals(into);
        let v = self.ground_velocity;
        into.extend([libm::remainder(self.phase, TAU), v.x, v.y, v.z]);
    }

    fn parameters(&mut self, group: &str) -> Option<&mut dyn Parameters> {
        match group {
            "stance" => Some(&mut self.stance),
            _ => self.walker.parameters(group),
        }
    }

    fn change_body(&mut self, model: &Arc<Model>) -> Result<(), ControlError> {
        self.walker.change_body(model)
    }

    fn take_over(&mut self, from: &dyn Controller, seen: &Observation<'_>) -> Result<(), ControlError> {
        self.reset(seen)?;
        self.walker.fall_in_with(from);
        Ok(())
    }

    /// It steps in need only if it may; without that the way back is all it has.
    fn value(&mut self, seen: &Observation<'_>) -> Option<f64> {
        let steps = self.stance.step_beyond.is_finite();
        Some(self.walker.worth(seen, steps))
    }

    fn advance(&mut self, seen: &Observation<'_>, next: &mut Advanced) -> bool {
        self.walker.advance(seen, next)
    }
}
