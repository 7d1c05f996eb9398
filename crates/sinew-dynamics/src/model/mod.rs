//! The immutable model of an articulated body.

mod compile;
mod diagnose;
mod extent;
mod geom;
mod guess_roles;
mod joint;
mod link;
mod mirror;
mod morph;
mod rebase;
mod roles;
mod root;
mod spec;

pub use diagnose::Warning;
pub use geom::{Actuator, ActuatorLaw, Geom, Shape, Site};
pub use guess_roles::{GuessedRole, RoleGuess, guess_roles};
pub use joint::{JointKind, JointSpec};
pub(crate) use link::{Link, LinkKind, WORLD};
pub use morph::{Change, MassRule, Scale, Span};
pub use roles::{Role, Roles, Side, UnknownRole};
pub use spec::{BodySpec, Keyframe, ModelSpec, Tie};

use crate::spatial::{Inertia, Placement, Vec3};

/// Index of a body in [`Model::bodies`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub usize);

/// Index of a joint in [`Model::joints`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JointId(pub usize);

/// Why a description is not a model.
///
/// ```
/// use sinew_dynamics::{BodySpec, JointSpec, Model, ModelSpec};
/// use sinew_dynamics::spatial::{Inertia, Vec3};
/// let mut spec = ModelSpec::new("ghost");
/// spec.bodies.push(BodySpec::new("ghost", None, Inertia::ZERO).with_joint(JointSpec::hinge("spin", Vec3::z())));
/// let error = Model::new(spec).unwrap_err();
/// assert!(error.to_string().starts_with("joint \"spin\": it moves nothing that has mass"));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[error("{element}: {problem}")]
pub struct ModelError {
    /// The element: `body "shin_l"`, `joint "knee_l"`, …
    pub element: String,
    /// The problem and its remedy.
    pub problem: String,
}

/// Where a joint's numbers are in the state.
///
/// ```
/// let human = sinew_dynamics::characters::load("human")?;
/// let knee = &human.joints()[human.joint("knee_l").unwrap().0];
/// let mut q = human.neutral();
/// q[knee.q] = 0.5; // bends the left knee
/// # Ok::<(), sinew_dynamics::characters::UnknownCharacter>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct JointInfo {
    /// Name.
    pub name: String,
    /// The body that it moves.
    pub body: BodyId,
    /// Position among the body's joints.
    pub nth: usize,
    /// Its kind.
    pub kind: JointKind,
    /// First index in `q`.
    pub q: usize,
    /// First index in `v`.
    pub v: usize,
}

/// A checked, compiled, immutable articulated body.
///
/// One model serves any number of [`Data`](crate::Data) workspaces on any number of threads. To change a model, edit a
/// copy of its [`spec`](Model::spec) and compile it again.
///
/// State layout (as in MuJoCo): `q` holds, body by body, a free joint's position and quaternion `w x y z`, a ball's
/// quaternion, a hinge's or slide's number. `v` holds a free joint's linear velocity in world axes and angular velocity
/// in body axes, a ball's angular velocity in child axes, a hinge's or slide's rate.
///
/// ```
/// use sinew_dynamics::{Role, Side, characters};
/// let human = characters::load("human")?;
/// assert_eq!((human.nq(), human.nv()), (human.neutral().len(), 35));
/// let foot = human.role(Role::Foot(Side::Left)).unwrap();
/// assert_eq!(human.bodies()[foot.0].name, "foot_l");
/// assert!(human.effort_limits()[6..].iter().all(|e| *e > 0.0)); // the root has no motor
/// # Ok::<(), sinew_dynamics::characters::UnknownCharacter>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    spec: ModelSpec,
    nq: usize,
    nv: usize,
    joints: Vec<JointInfo>,
    /// Frame of each body: the link that carries it (or the world) and its placement there.
    frames: Vec<(usize, Placement)>,
    pub(crate) links: Vec<Link>,
    /// Number of entries of a tree-packed matrix.
    pub(crate) packed: usize,
    /// Start of each degree of freedom's row in tree-packed matrices, and the end of the last.
    starts: Vec<usize>,
    /// For each entry of a tree-packed matrix, its degree of freedom: the path from the root to the row's own.
    paths: Vec<usize>,
    /// Damping and effort limit per degree of freedom.
    pub(crate) damping: Vec<f64>,
    effort: Vec<f64>,
    mass: f64,
    /// Inertia, in the world, of bodies that cannot move.
    pub(crate) fixed: Inertia,
}

impl Model {
    /// Checks a description and compiles it.
    pub fn new(spec: ModelSpec) -> Result<Model, ModelError> {
        compile::compile(spec)
    }

    /// The description that this model was compiled from.
    pub fn spec(&self) -> &ModelSpec {
        &self.spec
    }

    /// Name of the model.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// Numbers in a configuration.
    pub fn nq(&self) -> usize {
        self.nq
    }

    /// Degrees of freedom: numbers in a velocity.
    pub fn nv(&self) -> usize {
        self.nv
    }

    /// Acceleration of free fall.
    pub fn gravity(&self) -> Vec3 {
        self.spec.gravity
    }

    /// Mass of all bodies, kg.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Bodies, parents before children.
    pub fn bodies(&self) -> &[BodySpec] {
        &self.spec.bodies
    }

    /// Joints in the order of the state.
    pub fn joints(&self) -> &[JointInfo] {
        &self.joints
    }

    /// The body of this name.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.spec.body_index(name).map(BodyId)
    }

    /// The joint of this name.
    pub fn joint(&self, name: &str) -> Option<JointId> {
        self.joints.iter().position(|j| j.name == name).map(JointId)
    }

    /// The description of a joint: limits, damping, spring.
    pub fn joint_spec(&self, joint: JointId) -> &JointSpec {
        let info = &self.joints[joint.0];
        &self.spec.bodies[info.body.0].joints[info.nth]
    }

    /// The body and the site of this name.
    pub fn site(&self, name: &str) -> Option<(BodyId, &Site)> {
        let of = |(i, b): (usize, &'_ BodySpec)| b.sites.iter().position(|s| s.name == name).map(|k| (i, k));
        let (i, k) = self.spec.bodies.iter().enumerate().find_map(of)?;
        Some((BodyId(i), &self.spec.bodies[i].sites[k]))
    }

    /// The body that plays a part.
    pub fn role(&self, role: Role) -> Option<BodyId> {
        self.body(self.spec.roles.get(role)?)
    }

    /// Greatest generalised force of the actuators per degree of freedom; zero for a free joint.
    pub fn effort_limits(&self) -> &[f64] {
        &self.effort
    }

    pub(crate) fn row_starts(&self) -> &[usize] {
        &self.starts
    }

    /// Degrees of freedom from the root to `dof`, itself included.
    #[inline(always)]
    pub(crate) fn path(&self, dof: usize) -> &[usize] {
        &self.paths[self.starts[dof]..self.starts[dof + 1]]
    }

    /// The link that carries a body and the body's frame in it; link [`WORLD`] for bodies that cannot move.
    pub(crate) fn frame(&self, body: BodyId) -> &(usize, Placement) {
        &self.frames[body.0]
    }
}
