//! Joints as a description states them.

use crate::spatial::Vec3;

/// The kind of a joint: its degrees of freedom.
///
/// A body without joints is welded. A universal joint is two hinges on one body and a planar joint two slides and a
/// hinge ([`JointSpec::universal`], [`JointSpec::planar`]): their coordinates are the same numbers, and MuJoCo reads
/// them as such.
///
/// ```
/// use sinew_dynamics::JointKind;
/// assert_eq!((JointKind::Free.nq(), JointKind::Free.nv()), (7, 6)); // a quaternion has four numbers
/// assert_eq!((JointKind::Ball.nq(), JointKind::Ball.nv()), (4, 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// Six degrees of freedom: position and orientation in the world.
    Free,
    /// Three degrees of freedom: a quaternion; velocity in the axes of the child.
    Ball,
    /// Rotation about an axis in the body's frame.
    Hinge {
        /// Unit axis in the body's frame.
        axis: Vec3,
    },
    /// Translation along an axis in the body's frame.
    Slide {
        /// Unit axis in the body's frame.
        axis: Vec3,
    },
}

impl JointKind {
    /// Numbers in the configuration.
    pub fn nq(&self) -> usize {
        match self {
            JointKind::Free => 7,
            JointKind::Ball => 4,
            _ => 1,
        }
    }

    /// Numbers in the velocity.
    pub fn nv(&self) -> usize {
        match self {
            JointKind::Free => 6,
            JointKind::Ball => 3,
            _ => 1,
        }
    }
}

/// A joint between a body and its parent.
///
/// ```
/// use sinew_dynamics::JointSpec;
/// use sinew_dynamics::spatial::Vec3;
/// let mut knee = JointSpec::hinge("knee", Vec3::y()).limited(0.0, 2.4);
/// (knee.armature, knee.damping, knee.effort[0]) = (0.01, 2.0, 200.0);
/// let ankle = JointSpec::universal("ankle", Vec3::y(), Vec3::x()); // two hinges
/// assert_eq!((knee.kind.nv(), ankle[1].name.as_str()), (1, "ankle_2"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct JointSpec {
    /// Name, unique among joints.
    pub name: String,
    /// Its kind.
    pub kind: JointKind,
    /// Centre of the joint in the body's frame, m; ignored for a free joint, whose centre is the body's origin.
    pub anchor: Vec3,
    /// Value of the coordinate in the reference placement (hinge, slide), rad or m.
    pub reference: f64,
    /// Inertia added to the joint's diagonal entries of the mass matrix, kg·m² or kg.
    pub armature: f64,
    /// Viscous damping, N·m·s/rad or N·s/m.
    pub damping: f64,
    /// Stiffness of the spring towards `spring_reference`, N·m/rad or N/m.
    pub stiffness: f64,
    /// Rest position of the spring (hinge, slide; a ball's spring rests at the identity), rad or m.
    pub spring_reference: f64,
    /// Dry friction: the generalised force that it can hold, N·m or N.
    pub friction_loss: f64,
    /// Least and greatest coordinate; for a ball `[0, greatest angle]`. `None`: unlimited.
    pub range: Option<[f64; 2]>,
    /// Greatest generalised force of the actuators per degree of freedom, N·m or N (the first entry for one-DoF joints).
    pub effort: [f64; 3],
}

impl JointSpec {
    fn new(name: impl Into<String>, kind: JointKind) -> JointSpec {
        JointSpec {
            name: name.into(),
            kind,
            anchor: Vec3::zeros(),
            reference: 0.0,
            armature: 0.0,
            damping: 0.0,
            stiffness: 0.0,
            spring_reference: 0.0,
            friction_loss: 0.0,
            range: None,
            effort: [f64::INFINITY; 3],
        }
    }

    /// Six degrees of freedom.
    pub fn free(name: impl Into<String>) -> JointSpec {
        JointSpec::new(name, JointKind::Free)
    }

    /// Three rotational degrees of freedom.
    pub fn ball(name: impl Into<String>) -> JointSpec {
        JointSpec::new(name, JointKind::Ball)
    }

    /// Rotation about `axis` (normalised when the model is compiled).
    pub fn hinge(name: impl Into<String>, axis: Vec3) -> JointSpec {
        JointSpec::new(name, JointKind::Hinge { axis })
    }

    /// Translation along `axis` (normalised when the model is compiled).
    pub fn slide(name: impl Into<String>, axis: Vec3) -> JointSpec {
        JointSpec::new(name, JointKind::Slide { axis })
    }

    /// Two hinges with a common centre: the first turns in the parent, the second in the first. Named `name_1`, `name_2`.
    pub fn universal(name: &str, first: Vec3, second: Vec3) -> [JointSpec; 2] {
        [JointSpec::hinge(format!("{name}_1"), first), JointSpec::hinge(format!("{name}_2"), second)]
    }

    /// Translation along two axes, then rotation about their normal. Named `name_x`, `name_y`, `name_turn`.
    pub fn planar(name: &str, x: Vec3, y: Vec3) -> [JointSpec; 3] {
        [
            JointSpec::slide(format!("{name}_x"), x),
            JointSpec::slide(format!("{name}_y"), y),
            JointSpec::hinge(format!("{name}_turn"), x.cross(&y)),
        ]
    }

    /// Sets the least and greatest coordinate.
    pub fn limited(mut self, low: f64, high: f64) -> JointSpec {
        self.range = Some([low, high]);
        self
    }

    /// Puts the joint's centre at `anchor` in the body's frame.
    pub fn anchored(mut self, anchor: Vec3) -> JointSpec {
        self.anchor = anchor;
        self
    }
}
