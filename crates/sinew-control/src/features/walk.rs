//! Standing and walking.
//!
//! The paper's controller walks along curves fixed in the world and falls when pushed; this one keeps its objectives and
//! priorities (table 2) and gives them references from the divergent component of motion (`planner`): where the next foot
//! lands and when, and where the centre of pressure should be until then. Priorities:
//!
//! | level | objectives |
//! | --- | --- |
//! | 1 | planted feet stay |
//! | 2 | standing: the ground pushes along the line from the centre of pressure to the centre of mass; squats: height |
//! | 3 | stepping: the same, with a heavy weight; swinging foot, height of the hips, trunk, head, angular momentum, rest pose |

use super::anatomy::Anatomy;
use super::balance::Bearing;
use super::calm::{Calm, mix};
use super::disturbance::Disturbance;
use super::feet::{FRICTION_CALM, FRICTION_USED, Feet};
use super::gait::Gait;
use super::posture::{RestGains, bend_knee, keep_hands, lean, rest, swing_arms, twist_of};
use super::stepping::Step;
use crate::whole_body::{Accelerated, Axes, Foothold, LIMIT_HORIZON, Objective, Priorities, Task, WholeBody};
use crate::{
    Advanced, Command, ControlError, ControlStatus, Controller, Observation, Out, Parameters, Start,
};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Model, Scratch, Side};
use std::sync::Arc;

/// Weight of the height of the centre of mass on the spot: small, because keeping balance comes first.
const ON_THE_SPOT: f64 = 144.0;
/// Time before a limit at which joints are braked in a step, s.
const SWING_HORIZON: f64 = 0.05;
/// Frequency of the trunk's sway, `√(g/leg)`.
const TRUNK_SWAY: f64 = 0.9;
/// Least height of the centre of mass that a pendulum is taken to have, as a share of that with straight legs.
const LEAST_HEIGHT: f64 = 0.3;

/// A body that stands, walks in any direction, turns, and catches pushes by stepping. No motion capture.
///
/// ```
/// use sinew_control::{Action, Command, Episode, features};
/// use sinew_dynamics::characters;
///
/// let mut episode = Episode::on_flat_ground(&features::WALKER, characters::load("human")?)?;
/// episode.perform(&Action::Command(Command::forward(0.8)))?;
/// episode.run(2.0)?;
/// assert!(episode.q()[0] > 0.4 && episode.q()[2] > 0.8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walker {
    /// How it walks.
    pub gait: Gait,
    /// How it walks now, disturbed as it is.
    pub(super) manner: Gait,
    pub(super) body: WholeBody,
    pub(super) anatomy: Anatomy,
    pub(super) feet: Feet,
    /// Where to be over the feet in standing.
    pub(super) bearing: Bearing,
    pub(super) step: Option<Step>,
    /// Present heading, rad, and velocity in its directions, m/s: they follow the command step by step.
    pub(super) heading: f64,
    pub(super) velocity: [f64; 2],
    /// What is added to that velocity, so that steps come out as long as they should, m/s; and where and when the centre of
    /// mass was at the last landing.
    pub(super) trim: Vec3,
    pub(super) mark: Option<(f64, Vec3)>,
    /// Steps at the present speed that it has learnt from.
    pub(super) learnt: usize,
    pub(super) objectives: Vec<Objective>,
    pub(super) holds: Vec<Foothold>,
    pub(super) rest_gains: RestGains,
    pub(super) steps: usize,
    /// `√(g/z)`, the divergent component, and the centre of pressure that is asked for.
    pub(super) omega: f64,
    pub(super) xi: Vec3,
    pub(super) pressure: Vec3,
    pub(super) push: Disturbance,
    /// How undisturbed it walks.
    pub(super) calm: Calm,
    /// How long it has stood quietly, s.
    pub(super) stood: f64,
    /// Moves it without physics, when asked to.
    stepper: Scratch<Accelerated>,
}

impl Walker {
    /// A walker for a body with a pelvis, thighs and two feet.
    ///
    /// # Errors
    /// When the body lacks one of them.
    pub fn new(model: Arc<Model>) -> Result<Walker, ControlError> {
        Ok(Walker {
            gait: Gait::default(),
            manner: Gait::default(),
            anatomy: Anatomy::of(&model)?,
            body: WholeBody::new(model),
            feet: Feet::new(),
            bearing: Bearing::default(),
            step: None,
            heading: 0.0,
            velocity: [0.0; 2],
            trim: Vec3::zeros(),
            mark: None,
            learnt: 0,
            objectives: Vec::new(),
            holds: Vec::new(),
            rest_gains: RestGains::default(),
            steps: 0,
            omega: 3.0,
            xi: Vec3::zeros(),
            pressure: Vec3::zeros(),
            push: Disturbance::default(),
            calm: Calm::default(),
            stood: 0.0,
            stepper: Scratch::default(),
        })
    }

    /// The configuration in which the walker likes to stand, soles on level ground at height 0.
    pub fn rest(&self) -> &[f64] {
        &self.anatomy.rest
    }

    /// Steps taken.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The optimisation with its last solution.
    pub fn body(&self) -> &WholeBody {
        &self.body
    }

    /// What it asked of the optimisation last.
    pub fn objectives(&self) -> &[Objective] {
        &self.objectives
    }

    /// How the levels of its objectives are told apart: strictly, unless changed.
    pub fn priorities_mut(&mut self) -> &mut Priorities {
        &mut self.body.priorities
    }

    /// Goes on in another walker's stride, with its own parameters. Both act on the same body.
    pub(super) fn fall_in_with(&mut self, from: &dyn Controller) {
        let Some(other) = from.as_any().downcast_ref::<Walker>() else { return };
        let (gait, priorities) = (self.gait.clone(), self.body.priorities.clone());
        self.clone_from(other);
        (self.gait, self.body.priorities) = (gait, priorities);
    }

    pub(super) fn gravity(&self) -> f64 {
        self.body.kinetics.model().gravity().norm()
    }

    /// Whether it stands on both feet.
    pub(super) fn stands(&self) -> bool {
        self.step.is_none()
    }

    /// Goes on from wherever the feet are now, both of them taken as planted.
    pub(super) fn resume(&mut self, seen: &Observation<'_>) {
        self.step = None;
        self.push = Disturbance::default();
        self.calm = Calm::default();
        self.stood = 0.0;
        (self.trim, self.mark) = (Vec3::zeros(), None);
        self.velocity = [0.0; 2];
        self.heading = self.anatomy.heading_of(&self.body.kinetics, self.anatomy.pelvis);
        for side in Side::BOTH {
            self.feet.plant(side, self.anatomy.sole(side), &self.body.kinetics, seen);
        }
    }

    /// Takes over the state, and what it says of balance, pushes and the ground.
    pub(super) fn sense(&mut self, seen: &Observation<'_>) {
        self.body.kinetics.update(seen.q, seen.v);
        let k = &self.body.kinetics;
        let height = (k.com().z - self.floor()).max(LEAST_HEIGHT * self.anatomy.tall);
        self.omega = (self.gravity() / height).sqrt();
        self.xi = k.com() + k.com_velocity() / self.omega;
        self.push.feel(k, seen);
        self.feet.feel(&self.anatomy, k, seen);
    }

    /// All objectives of this tick.
    fn compose(&mut self, seen: &Observation<'_>) {
        // a leg that swings runs into its limits; brakes that are put on late make torques buzz
        self.body.limit_horizon = if self.step.is_some() { SWING_HORIZON } else { LIMIT_HORIZON };
        let balance = self.balance(seen);
        let height = self.height(seen);
        self.objectives.clear();
        self.holds.clear();
        let (k, gait) = (&self.body.kinetics, &self.manner);
        let heel = self.heel(seen.time);
        let grip = mix(FRICTION_USED, FRICTION_CALM, self.calm.level());
        self.feet.hold(&self.anatomy, k, heel, grip, &mut self.objectives, &mut self.holds);
        let com = |goal, axes| Task::Com { goal, axes };
        self.objectives.push(balance);
        let Bearing { tilt, exact, .. } = self.bearing;
        let brisk = self.briskness(libm::hypot(self.velocity[0], self.velocity[1]));
        let weight = ON_THE_SPOT + (gait.height_weight - ON_THE_SPOT) * brisk;
        let (level, weight) = if exact { (2, 1.0) } else { (3, weight) };
        self.objectives.push(Objective::new(level, weight, com(height, Axes::vertical())));
        let sway = self.sway(seen.time, TRUNK_SWAY);
        let walking = self.step.is_some();
        let twist = if walking { twist_of(&self.anatomy, k, gait, self.heading) } else { [0.0; 2] };
        let leaning = [tilt, gait.lean + tilt - self.breath()];
        lean(&self.anatomy, gait, self.heading, leaning, sway, twist, &mut self.objectives);
        rest(&self.anatomy, k, gait, &mut self.rest_gains, &mut self.objectives);
        keep_hands(&self.anatomy, k, gait, &mut self.objectives);
        if let Some(step) = self.step {
            swing_arms(&self.anatomy, k, gait, self.heading, &mut self.objectives);
            if let Some([rise, _]) = self.roll(seen.time) {
                let share = (rise / gait.roll.max(1e-9)).min(1.0);
                let behind = step.stance.other();
                bend_knee(&self.anatomy, k, gait, self.heading, behind, share, &mut self.objectives);
            }
            self.swing(&step, seen);
        }
    }
}

impl Controller for Walker {
    fn start(&self) -> Start {
        Start::standing(self.body.kinetics.model(), self.rest())
    }

    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        self.change_body(seen.model)?;
        self.feet = Feet::new();
        (self.steps, self.learnt) = (0, 0);
        self.body.kinetics.update(seen.q, seen.v);
        self.resume(seen);
        Ok(())
    }

    fn act(&mut self, seen: &Observation<'_>, command: &Command, out: &mut Out<'_>) -> ControlStatus {
        self.gait.keep_in_range();
        self.settle_manner();
        self.sense(seen);
        self.proceed(seen, command);
        self.calm_down(seen);
        self.stand_about(seen);
        self.compose(seen);
        let status = self.body.solve(&self.objectives, &self.holds);
        out.torque().copy_from_slice(self.body.torque());
        status
    }

    fn signals(&self, into: &mut Vec<f64>) {
        let landing = self.step.map(|s| s.landing);
        let [x, y, time] = landing.map_or([f64::NAN; 3], |l| [l.place.x, l.place.y, l.time]);
        let (xi, pressure, push) = (self.xi, self.pressure, self.push.acceleration);
        into.extend([self.steps as f64, xi.x, xi.y, pressure.x, pressure.y, self.feet.polygon.margin(&xi)]);
        into.extend([push.x, push.y, self.body.fallbacks() as f64, x, y, time]);
    }

    fn parameters(&mut self, group: &str) -> Option<&mut dyn Parameters> {
        match group {
            "gait" => Some(&mut self.gait),
            "priorities" => Some(&mut self.body.priorities),
            _ => None,
        }
    }

    fn change_body(&mut self, model: &Arc<Model>) -> Result<(), ControlError> {
        let anatomy = Anatomy::of(model)?;
        for side in Side::BOTH {
            self.feet.grow(side, self.anatomy.sole(side), anatomy.sole(side));
        }
        self.anatomy = anatomy;
        self.rest_gains = RestGains::default();
        self.body = self.body.with_model(Arc::clone(model));
        self.stepper = Scratch::default();
        Ok(())
    }

    fn feasible(&self, command: &Command) -> Command {
        self.within_reach(command)
    }

    fn value(&mut self, seen: &Observation<'_>) -> Option<f64> {
        Some(self.worth(seen, true))
    }

    fn advance(&mut self, seen: &Observation<'_>, next: &mut Advanced) -> bool {
        let Walker { stepper, body, anatomy, .. } = self;
        stepper.get_or(|| Accelerated::new(body, &anatomy.soles)).step(body, seen, next);
        true
    }
}
