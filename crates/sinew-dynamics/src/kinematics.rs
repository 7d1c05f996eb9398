//! Forward kinematics: where every link is, and how fast.
//!
//! All quantities are in world axes. A link's frame follows from its parent's by the constant placement of the joint and
//! the joint's own motion: `R = R_parent · R_joint(reference) · R(q)`, `p = p_parent + R_parent · t (+ slide)`.
//! Cost: one 3×3 product per link (two multiplications of columns for hinges about frame axes).

use crate::data::{Data, Pose, Twist};
use crate::model::{BodyId, Link, LinkKind, Model, WORLD};
use crate::spatial::{Mat3, Quat, Vec3, rotation};
use nalgebra::Quaternion;

/// The world as a parent.
pub(crate) const AT_WORLD: Pose = Pose {
    rot: Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
    pos: Vec3::new(0.0, 0.0, 0.0),
    arm: Vec3::new(0.0, 0.0, 0.0),
};

/// The `N` numbers of a state from index `at`.
#[inline(always)]
pub(crate) fn take<const N: usize>(x: &[f64], at: usize) -> [f64; N] {
    x[at..at + N].try_into().expect("slice of N")
}

/// Three numbers of a state as a vector.
#[inline(always)]
pub(crate) fn vec3_at(x: &[f64], at: usize) -> Vec3 {
    Vec3::from(take::<3>(x, at))
}

/// The quaternion `w x y z` of a state.
#[inline(always)]
pub(crate) fn quat_at(x: &[f64], at: usize) -> Quat {
    let [w, x, y, z] = take(x, at);
    Quat::new_unchecked(Quaternion::new(w, x, y, z))
}

/// Frame of a link whose parent is at `parent`.
#[inline(always)]
pub(crate) fn place(link: &Link, q: &[f64], parent: &Pose) -> Pose {
    if link.kind == LinkKind::Free {
        let [x, y, z, qw, qx, qy, qz] = take(q, link.q);
        let pos = Vec3::new(x, y, z);
        return Pose { rot: rotation::matrix_of_wxyz(qw, qx, qy, qz), pos, arm: pos };
    }
    let base = if link.aligned { parent.rot } else { parent.rot * link.rot };
    let mut arm = parent.rot * link.pos;
    let rot = match link.kind {
        LinkKind::Ball => {
            let [w, x, y, z] = take(q, link.q);
            base * rotation::matrix_of_wxyz(w, x, y, z)
        }
        LinkKind::Slide => {
            arm += base * link.axis * (q[link.q] - link.reference);
            base
        }
        _ => {
            let (c, s) = rotation::cos_sin((q[link.q] - link.reference) * link.sense);
            let (x, y, z) = (base.column(0), base.column(1), base.column(2));
            match link.kind {
                LinkKind::HingeX => Mat3::from_columns(&[x.into(), y * c + z * s, z * c - y * s]),
                LinkKind::HingeY => Mat3::from_columns(&[x * c - z * s, y.into(), z * c + x * s]),
                LinkKind::HingeZ => Mat3::from_columns(&[x * c + y * s, y * c - x * s, z.into()]),
                _ => base * rotation::about_axis(&link.axis, c, s),
            }
        }
    };
    Pose { rot, pos: parent.pos + arm, arm }
}

/// World axis of a hinge or slide.
#[inline(always)]
pub(crate) fn world_axis(link: &Link, rot: &Mat3) -> Vec3 {
    match link.kind {
        LinkKind::HingeX => rot.column(0) * link.sense,
        LinkKind::HingeY => rot.column(1) * link.sense,
        LinkKind::HingeZ => rot.column(2) * link.sense,
        _ => rot * link.axis,
    }
}

/// Computes the frames of all links at `q`.
///
/// ```
/// use sinew_dynamics::{Data, characters, forward_kinematics};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let q = human.neutral();
/// forward_kinematics(&human, &mut data, &q);
/// let head = data.body_placement(&human, human.body("head").unwrap());
/// assert!(head.pos.z > 1.4 && head.pos.z < 1.8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If `q` does not have `nq` numbers.
pub fn forward_kinematics(model: &Model, data: &mut Data, q: &[f64]) {
    assert_eq!(q.len(), model.nq(), "q must have nq numbers");
    for (i, link) in model.links.iter().enumerate() {
        let parent = if link.parent == WORLD { AT_WORLD } else { data.poses[link.parent] };
        data.poses[i] = place(link, q, &parent);
    }
}

/// Computes the frames and velocities of all links at `(q, v)`.
///
/// ```
/// use sinew_dynamics::{Data, characters, forward_velocities};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let (q, v) = (human.neutral(), vec![0.0; human.nv()]);
/// let mut v = v;
/// v[5] = 1.0; // the root turns about its own z
/// forward_velocities(&human, &mut data, &q, &v);
/// let head = human.body("head").unwrap();
/// assert!((data.angular_velocity(&human, head).z - 1.0).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If `q` or `v` do not have `nq` and `nv` numbers.
pub fn forward_velocities(model: &Model, data: &mut Data, q: &[f64], v: &[f64]) {
    assert_eq!(v.len(), model.nv(), "v must have nv numbers");
    forward_kinematics(model, data, q);
    for (i, link) in model.links.iter().enumerate() {
        let pose = data.poses[i];
        let parent = if link.parent == WORLD { Twist::default() } else { data.velocities[link.parent] };
        // carried along by the parent
        let mut twist =
            Twist { angular: parent.angular, linear: parent.linear + parent.angular.cross(&pose.arm) };
        match link.kind {
            LinkKind::Free => {
                twist = Twist { linear: vec3_at(v, link.v), angular: pose.rot * vec3_at(v, link.v + 3) };
            }
            LinkKind::Ball => twist.angular += pose.rot * vec3_at(v, link.v),
            LinkKind::Slide => twist.linear += world_axis(link, &pose.rot) * v[link.v],
            _ => twist.angular += world_axis(link, &pose.rot) * v[link.v],
        }
        data.velocities[i] = twist;
    }
}

/// Computes the frames, velocities and accelerations of all links at `(q, v)` with joint accelerations `a`.
///
/// With `a` zero, the accelerations of points are the `J̇ v` of their Jacobians.
///
/// ```
/// use sinew_dynamics::{Data, characters, forward_accelerations, spatial::Vec3};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let (q, v) = (human.neutral(), vec![0.0; human.nv()]);
/// let mut v = v;
/// v[5] = 2.0; // turning at 2 rad/s …
/// forward_accelerations(&human, &mut data, &q, &v, &vec![0.0; human.nv()]);
/// let root = human.body("pelvis").unwrap();
/// let beside = data.body_placement(&human, root).pos + Vec3::new(0.5, 0.0, 0.0);
/// let inwards = data.point_acceleration(&human, root, &beside);
/// assert!((inwards.x + 0.5 * 4.0).abs() < 1e-12); // … a point half a metre out is pulled in by r ω²
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the slices do not have `nq`, `nv`, `nv` numbers.
pub fn forward_accelerations(model: &Model, data: &mut Data, q: &[f64], v: &[f64], a: &[f64]) {
    assert_eq!(a.len(), model.nv(), "a must have nv numbers");
    forward_velocities(model, data, q, v);
    for (i, link) in model.links.iter().enumerate() {
        let (pose, w) = (data.poses[i], data.velocities[i].angular);
        let (w_p, acc) = if link.parent == WORLD {
            Default::default()
        } else {
            (data.velocities[link.parent].angular, data.accelerations[link.parent])
        };
        let mut twist = Twist {
            angular: acc.angular,
            linear: acc.linear + acc.angular.cross(&pose.arm) + w_p.cross(&w_p.cross(&pose.arm)),
        };
        match link.kind {
            LinkKind::Free => {
                twist = Twist { linear: vec3_at(a, link.v), angular: pose.rot * vec3_at(a, link.v + 3) };
            }
            LinkKind::Ball => twist.angular += pose.rot * vec3_at(a, link.v) + w_p.cross(&w),
            LinkKind::Slide => {
                let axis = world_axis(link, &pose.rot);
                twist.linear += axis * a[link.v] + w_p.cross(&axis) * (2.0 * v[link.v]);
            }
            _ => twist.angular += world_axis(link, &pose.rot) * a[link.v] + w_p.cross(&w),
        }
        data.accelerations[i] = twist;
    }
}

/// Frames and angular velocities only: all that the dynamics need.
#[inline(always)]
pub(crate) fn forward_spins(model: &Model, data: &mut Data, q: &[f64], v: &[f64]) {
    assert_eq!(v.len(), model.nv(), "v must have nv numbers");
    assert_eq!(q.len(), model.nq(), "q must have nq numbers");
    for (i, link) in model.links.iter().enumerate() {
        let (parent, w_p) = if link.parent == WORLD {
            (AT_WORLD, Vec3::zeros())
        } else {
            (data.poses[link.parent], data.velocities[link.parent].angular)
        };
        let pose = place(link, q, &parent);
        data.velocities[i].angular = match link.kind {
            LinkKind::Free => pose.rot * vec3_at(v, link.v + 3),
            LinkKind::Ball => w_p + pose.rot * vec3_at(v, link.v),
            LinkKind::Slide => w_p,
            _ => w_p + world_axis(link, &pose.rot) * v[link.v],
        };
        data.poses[i] = pose;
    }
}

impl Data {
    /// Angular velocity of a body in world axes, after [`forward_velocities`].
    pub fn angular_velocity(&self, model: &Model, body: BodyId) -> Vec3 {
        match model.frame(body).0 {
            WORLD => Vec3::zeros(),
            link => self.velocities[link].angular,
        }
    }

    /// Velocity, in world axes, of the point of a body that is now at `point` in the world, after [`forward_velocities`].
    pub fn point_velocity(&self, model: &Model, body: BodyId, point: &Vec3) -> Vec3 {
        match model.frame(body).0 {
            WORLD => Vec3::zeros(),
            link => {
                let twist = &self.velocities[link];
                twist.linear + twist.angular.cross(&(point - self.poses[link].pos))
            }
        }
    }

    /// Angular acceleration of a body in world axes, after [`forward_accelerations`].
    pub fn angular_acceleration(&self, model: &Model, body: BodyId) -> Vec3 {
        match model.frame(body).0 {
            WORLD => Vec3::zeros(),
            link => self.accelerations[link].angular,
        }
    }

    /// Acceleration, in world axes, of the point of a body that is now at `point`, after [`forward_accelerations`].
    pub fn point_acceleration(&self, model: &Model, body: BodyId, point: &Vec3) -> Vec3 {
        match model.frame(body).0 {
            WORLD => Vec3::zeros(),
            link => {
                let (w, acc) = (self.velocities[link].angular, &self.accelerations[link]);
                let arm = point - self.poses[link].pos;
                acc.linear + acc.angular.cross(&arm) + w.cross(&w.cross(&arm))
            }
        }
    }
}
