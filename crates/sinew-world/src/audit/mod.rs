//! The physics audit: does the recorded motion follow from the recorded forces, and are these forces physically possible?
//!
//! The audit uses the recording and the algorithms of `sinew-dynamics`, and none of the code that stepped the run. Per step it
//! recomputes, with inverse dynamics at the recorded states, the generalised force that the motion needed, and compares it
//! with the forces on record. An unrecorded root force, a teleport, an edited frame, another mass: all leave a
//! residual. Then it checks each recorded force: contacts push and do not pull, stay inside the friction cone and act where bodies
//! touch; torques stay within the actuators' limits, and nothing drives the root; constraint forces come from joints at their
//! limits or from declared attachments. Finally, the ledger adds up momentum over the whole run, independently of inverse
//! dynamics, so that small cheats of one sign cannot hide below the bound of a single step.
//!
//! | check | worst value |
//! | --- | --- |
//! | `simulated` | rows that are not: the only check of a recording that declares itself kinematic |
//! | `rows` | missing rows: two are needed to compare anything |
//! | `finite numbers` | count of numbers that are not |
//! | `regular times` | difference of a time step from `dt`, in steps |
//! | `unit quaternions` | difference of a length from 1 |
//! | `equation of motion, root` | residual in the rows of free joints, over the weight |
//! | `equation of motion, joints` | residual in the other rows, over weight × 1 m |
//! | `positions follow velocities` | `q_{k+1} ⊖ (q_k ⊕ dt v_{k+1})` |
//! | `contacts do not pull` | force against the normal, over the weight |
//! | `friction cone` | tangential force beyond μ times the normal one, over the weight |
//! | `friction coefficients` | beyond the greatest that `meta` declares, and beyond those of the body's own shapes |
//! | `unit normals` | difference of a length from 1 |
//! | `forces only at contacts` | gap under a force that is open at the beginning and the end of the step |
//! | `contact points on bodies` | distance from the body's shapes beyond that gap |
//! | `contact points on things` | the same for the other side, where it is a thing; a thing without recorded shape and pose is nowhere |
//! | `self-contact reactions` | sum of the forces of the character on itself, over the weight |
//! | `penetration` | depth |
//! | `torque limits` | torque over its limit |
//! | `no drive without actuator` | actuator force where there is no actuator, over the weight |
//! | `nothing holds the root` | force of dampers that the model gives the free joint, over the weight |
//! | `joint limits, turning`, `… sliding` | beyond the range |
//! | `constraint forces explained` | the part that neither limits, dry friction nor attachments explain, over the weight |
//! | `linear momentum ledger`, `angular …` | change of momentum less all impulses, over weight × duration (× 1 m) |
//! | `body changes keep momentum` | jump of momentum, over the mass |
//! | `time step` | s |
//! | `outside impulse`, `impulse from things`, `held by attachments` | N·s that came from outside; for the reader |
//! | `energy of body changes` | J that changes of the body added; for the reader |
//! | `body` | whether it is the built-in one of its name; for the reader |
//!
//! The ledger compares the change of momentum in the equation: between `(q_k, v_k)` and `(q_k, v_{k+1})`,
//! `Δ(A v) = dt (Σ F − Ȧ v)`. Momentum at the end of the run also drifts by what the integrator loses when `A(q)` turns into
//! `A(q_{k+1})`; that share is of the order of `dt`, is not a force, and is given in the note.
//!
//! Where `meta` declares `midpoint_above` and a step begins with a coordinate that turns faster, or a force from outside is greater than the weight, velocity products (in `h` and in
//! `Ȧ v`) are those of the mean of the step's two velocities.
//!
//! With the integrator `rk4` recorded forces are means over the step, and no simple equation holds to rounding. What then is
//! judged is that the equation holds *somewhere near the step*: each row of its residual is taken at the beginning, in the
//! middle and at the end, with the mean acceleration, and the range of the three, with its own width added on either side,
//! must come within [`Bounds::second_order`] of zero. Likewise each coordinate must move at a rate between the two recorded
//! velocities, with as much again on either side; what is beyond is summed over the run. A force that hides inside one
//! step's own change is small, and a lasting one shows in the ledger, which is taken at midpoints and held to
//! [`Bounds::mean_ledger`].
//!
//! Joint limits of penalty worlds are springs: there the ranges are [`Bounds::soft_limits`] times wider. Their ground is soft: shapes may
//! sink in by [`Bounds::soft_ground`].
//!
//! The audit cannot check whether the terrain is that of the scenario, whether the model is the claimed one, and whether declared
//! external forces, attachments and changes of the body are true; it prints their sums. `docs/limits.md` lists
//! the attacks that were tried. Cost: some tens of microseconds per step of a human, memory for two rows.

mod attachments;
mod contacts;
mod declared;
mod explain;
mod joints;
mod ledger;
mod motion;
mod report;
mod step;
mod surface;
mod things;
mod whole;

pub use report::{AuditReport, Finding, Verdict};
pub use whole::{Audit, audit};

/// Bounds of the checks. Values relative to the weight use 9.81 m/s² where there is no gravity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Residual of the equation of motion, over the weight (× 1 m). Rounding alone leaves under 1e-11.
    pub equation: f64,
    /// The same for Runge-Kutta steps; also for their constraint forces without a reason. Twice as much per second of the
    /// run (and for its first) is the bound for the sum of what positions move beyond velocities, m or rad.
    pub second_order: f64,
    /// Distance of a position from where its velocity leads, m or rad.
    pub position: f64,
    /// Difference of a time step from `dt`, in steps.
    pub time: f64,
    /// Difference of quaternions and normals from length 1.
    pub unit: f64,
    /// Pulling and driving forces, over the weight.
    pub force: f64,
    /// Constraint forces without a reason, over the weight.
    pub constraint: f64,
    /// Tangential force beyond the friction cone, over the weight.
    pub cone: f64,
    /// Gap under a contact force, m.
    pub gap: f64,
    /// Distance of a contact point from the body's shapes, m.
    pub off_body: f64,
    /// Greatest time step, s.
    pub step: f64,
    /// Penetration, m.
    pub penetration: f64,
    /// Torque beyond its limit, as a share of the limit.
    pub torque: f64,
    /// Angle beyond a joint's range, rad.
    pub turning: f64,
    /// Distance beyond a joint's range, m.
    pub sliding: f64,
    /// How many times more a joint may go beyond its range in a world of penalty contacts.
    pub soft_limits: f64,
    /// Overlap in worlds of penalty contacts, m, when that is more: their ground is soft.
    pub soft_ground: f64,
    /// How near its limit a joint must be for a limit to push, rad or m.
    pub limit_reach: f64,
    /// Speed of a joint at which it may be braked, rad/s or m/s, in recordings that do not declare the world's.
    pub joint_speed: f64,
    /// Mismatch of the momentum ledger, over weight × duration (× 1 m).
    pub ledger: f64,
    /// The same for Runge-Kutta steps.
    pub mean_ledger: f64,
    /// Jump of momentum at a body change, over the mass, m/s or m²/s.
    pub change: f64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            equation: 1e-8,
            second_order: 5e-2,
            position: 1e-9,
            time: 1e-6,
            unit: 1e-9,
            force: 1e-8,
            constraint: 1e-8,
            cone: 1e-6,
            gap: 1e-4,
            off_body: 5e-3,
            step: 0.02,
            penetration: 0.02,
            torque: 1e-9,
            turning: 0.02,
            sliding: 2e-3,
            soft_limits: 20.0,
            soft_ground: 0.06,
            limit_reach: 1e-3,
            joint_speed: 100.0,
            ledger: 1e-10,
            mean_ledger: 1e-3,
            change: 1e-9,
        }
    }
}

/// Options of an audit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Bounds of the checks.
    pub bounds: Bounds,
    /// Compare motion with forces at every n-th step only (1: all); more than 1 leaves out the momentum ledger.
    pub every: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { bounds: Bounds::default(), every: 1 }
    }
}
