//! The editable description of an articulated body, as a file states it.
//!
//! A [`ModelSpec`] is plain data with public fields: importers fill it, morphology edits it, writers read it.
//! [`Model::new`](super::Model::new) checks it and compiles it into the form that the algorithms run on.

use super::{Actuator, Geom, JointSpec, Roles, Site};
use crate::spatial::{Inertia, Placement, Quat, Vec3};

/// Description of a character or robot: a forest of bodies connected by joints.
///
/// ```
/// use sinew_dynamics::{BodySpec, JointSpec, Model, ModelSpec};
/// use sinew_dynamics::spatial::{Inertia, Vec3};
///
/// let mut spec = ModelSpec::new("pendulum");
/// let rod = Inertia::solid_box(1.0, Vec3::new(0.02, 0.02, 1.0)).moved(&Vec3::new(0.0, 0.0, -0.5));
/// spec.bodies.push(BodySpec::new("rod", None, rod).with_joint(JointSpec::hinge("pivot", Vec3::y())));
/// let model = Model::new(spec)?;
/// assert_eq!((model.nq(), model.nv()), (1, 1));
/// # Ok::<(), sinew_dynamics::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ModelSpec {
    /// Name of the model.
    pub name: String,
    /// Acceleration of free fall, m/s². Default `0 0 −9.81`.
    pub gravity: Vec3,
    /// Time step that the file proposes, s.
    pub timestep: Option<f64>,
    /// Bodies, parents before children, in the order that lays out the state (depth first).
    pub bodies: Vec<BodySpec>,
    /// Shapes fixed in the world (ground and the like).
    pub world_geoms: Vec<Geom>,
    /// Marked points fixed in the world.
    pub world_sites: Vec<Site>,
    /// Motors and servos.
    pub actuators: Vec<Actuator>,
    /// Pairs of bodies, by name, that never collide.
    pub excludes: Vec<(String, String)>,
    /// Bodies that are held together, or to the world, besides the tree of joints.
    pub ties: Vec<Tie>,
    /// Named states.
    pub keyframes: Vec<Keyframe>,
    /// Which body plays which part (pelvis, left foot, …).
    pub roles: Roles,
}

impl ModelSpec {
    /// An empty description under earth's gravity.
    pub fn new(name: impl Into<String>) -> ModelSpec {
        ModelSpec {
            name: name.into(),
            gravity: Vec3::new(0.0, 0.0, -9.81),
            timestep: None,
            bodies: Vec::new(),
            world_geoms: Vec::new(),
            world_sites: Vec::new(),
            actuators: Vec::new(),
            excludes: Vec::new(),
            ties: Vec::new(),
            keyframes: Vec::new(),
            roles: Roles::default(),
        }
    }

    /// Index of the body of this name.
    pub fn body_index(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|b| b.name == name)
    }

    /// The configuration in which the body stands, if the file has one: the keyframe `ready`, `stand`, `standing`, `home` or `default`, the
    /// first of these; else the only one.
    ///
    /// ```
    /// let human = sinew_dynamics::characters::load("human")?;
    /// assert_eq!(human.spec().standing().unwrap().name, "ready");
    /// # Ok::<(), sinew_dynamics::characters::UnknownCharacter>(())
    /// ```
    pub fn standing(&self) -> Option<&Keyframe> {
        let named = |name: &&str| self.keyframes.iter().find(|key| key.name.eq_ignore_ascii_case(name));
        let only = || self.keyframes.first().filter(|_| self.keyframes.len() == 1);
        ["ready", "stand", "standing", "home", "default"].iter().find_map(named).or_else(only)
    }

    /// The joint of this name.
    pub fn joint_mut(&mut self, name: &str) -> Option<&mut JointSpec> {
        self.bodies.iter_mut().flat_map(|b| &mut b.joints).find(|j| j.name == name)
    }
}

/// One rigid body and the joints that let it move in its parent.
///
/// ```
/// use sinew_dynamics::{BodySpec, Geom, JointSpec, Shape};
/// use sinew_dynamics::spatial::Vec3;
/// let shape = Shape::Capsule { radius: 0.05, half: 0.2 };
/// let shin = BodySpec::new("shin", None, shape.solid(3.5))
///     .at(Vec3::new(0.0, 0.0, -0.42))
///     .with_joint(JointSpec::hinge("knee", Vec3::y()))
///     .with_geom(Geom::new(shape));
/// assert_eq!(shin.inertia.mass, 3.5);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BodySpec {
    /// Name, unique among bodies.
    pub name: String,
    /// Index of the parent body; `None`: the world.
    pub parent: Option<usize>,
    /// Origin of the body's frame in the parent's frame with all joints at their reference, m.
    pub pos: Vec3,
    /// Orientation of the body's frame in the parent's.
    pub quat: Quat,
    /// Mass, centre of mass and inertia in the body's frame.
    pub inertia: Inertia,
    /// Joints from the parent outwards; none: the body is welded to its parent.
    pub joints: Vec<JointSpec>,
    /// Shapes in the body's frame.
    pub geoms: Vec<Geom>,
    /// Marked points in the body's frame.
    pub sites: Vec<Site>,
}

impl BodySpec {
    /// A body at its parent's origin, without joints or shapes.
    pub fn new(name: impl Into<String>, parent: Option<usize>, inertia: Inertia) -> BodySpec {
        BodySpec {
            name: name.into(),
            parent,
            pos: Vec3::zeros(),
            quat: Quat::identity(),
            inertia,
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
        }
    }

    /// Puts the body's frame at `pos` in its parent.
    pub fn at(mut self, pos: Vec3) -> BodySpec {
        self.pos = pos;
        self
    }

    /// Turns the body's frame in its parent.
    pub fn turned(mut self, quat: Quat) -> BodySpec {
        self.quat = quat;
        self
    }

    /// Adds a joint after those already there.
    pub fn with_joint(mut self, joint: JointSpec) -> BodySpec {
        self.joints.push(joint);
        self
    }

    /// Adds several joints, as [`JointSpec::universal`] and [`JointSpec::planar`] return them.
    pub fn with_joints(mut self, joints: impl IntoIterator<Item = JointSpec>) -> BodySpec {
        self.joints.extend(joints);
        self
    }

    /// Adds a shape.
    pub fn with_geom(mut self, geom: Geom) -> BodySpec {
        self.geoms.push(geom);
        self
    }

    /// Adds a marked point.
    pub fn with_site(mut self, site: Site) -> BodySpec {
        self.sites.push(site);
        self
    }

    /// The body's frame in its parent's, joints at their reference.
    pub fn placement(&self) -> Placement {
        Placement::new(self.quat, self.pos)
    }
}

/// Two bodies held together at a point, as `<connect>` and `<weld>` of MJCF say it. A world with such a character holds them by forces.
#[derive(Clone, Debug, PartialEq)]
pub struct Tie {
    /// Name; may be empty.
    pub name: String,
    /// The held body.
    pub body: String,
    /// By whom; `None`: the world.
    pub other: Option<String>,
    /// Where, in the body's frame, m.
    pub point: Vec3,
    /// The same point in the other's frame, or in the world, m.
    pub point_other: Vec3,
    /// A weld also holds this orientation of the body in the other's frame, or in the world; `None`: it may turn.
    pub orientation: Option<Quat>,
}

/// A named state.
///
/// ```
/// let human = sinew_dynamics::characters::load("human")?;
/// let key = &human.spec().keyframes[0];
/// assert_eq!(key.q.len(), human.nq());
/// # Ok::<(), sinew_dynamics::characters::UnknownCharacter>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframe {
    /// Name.
    pub name: String,
    /// Configuration, `nq` numbers.
    pub q: Vec<f64>,
    /// Velocity, `nv` numbers, or empty: at rest.
    pub v: Vec<f64>,
}
