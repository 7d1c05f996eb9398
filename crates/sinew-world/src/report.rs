//! The forces of one step, for recordings, plots and the audit.

use sinew_dynamics::spatial::Vec3;

/// A contact that carried force during a step (or could have: the force may be zero).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// Body of the actor on which the force acts (index into its model's bodies).
    pub body: usize,
    /// The other side: index into the world's list of names (actors, then platforms), or `None` for terrain. An actor that
    /// touches itself has two of these at the same point, one for each side.
    pub other: Option<usize>,
    /// Where, world coordinates, m.
    pub point: Vec3,
    /// Mean force over the step on the actor, world axes, N.
    pub force: Vec3,
    /// Unit normal towards the actor.
    pub normal: Vec3,
    /// Gap at the beginning of the step, m; negative when they overlap.
    pub distance: f64,
    /// Coefficient of friction of the pair.
    pub friction: f64,
}

/// An external force: a push, a pull, the spring of a hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutsideForce {
    /// Body of the actor.
    pub body: usize,
    /// Where, world coordinates, m.
    pub point: Vec3,
    /// Mean force over the step, world axes, N.
    pub force: Vec3,
}

/// One actor during one step: its state at the beginning and the forces until the end.
#[derive(Clone, Copy, Debug)]
pub struct StepFrame<'a> {
    /// Time at the beginning of the step, s.
    pub time: f64,
    /// Configuration at the beginning.
    pub q: &'a [f64],
    /// Velocity at the beginning.
    pub v: &'a [f64],
    /// Generalised forces of the actuators.
    pub tau: &'a [f64],
    /// Generalised forces of joint limits, dry joint friction, grips and welds.
    pub constraint: &'a [f64],
    /// Contacts.
    pub contacts: &'a [ContactForce],
    /// External forces.
    pub outside: &'a [OutsideForce],
}
