//! Inverse dynamics: the generalised forces that produce given accelerations.
//!
//! The recursive Newton-Euler algorithm (Luh, Walker, Paul 1980) in world axes. Outwards, with `r` the arm from the
//! parent's origin, `ω, α, a` of the link's origin and the fictitious base acceleration `−g`:
//! ```text
//! a = a_p + α_p × r + ω_p × (ω_p × r)
//! ω = ω_p + R q̇,   α = α_p + R q̈ + ω_p × R q̇          (ball; a hinge has its axis for R)
//! F = m (a + α × c + ω × (ω × c)),   N = I α + ω × I ω   (about the centre of mass c)
//! ```
//! Inwards, forces and moments are summed and projected on the joints. No linear velocity is needed. Cost: linear in the
//! number of links.

use crate::data::{Data, Pose, Twist, Wrench};
use crate::kinematics::{AT_WORLD, place, vec3_at, world_axis};
use crate::model::{Link, LinkKind, Model, WORLD};
use crate::spatial::Vec3;

/// Force and moment (about the link's origin) that move a link's own mass as it moves.
#[inline(always)]
pub(crate) fn inertial_wrench(link: &Link, pose: &Pose, w: &Vec3, alpha: &Vec3, a: &Vec3) -> Wrench {
    let inertia = &link.inertia;
    if link.hollow {
        return Wrench::default();
    }
    let c = pose.rot * inertia.com;
    let force = (a + alpha.cross(&c) + w.cross(&w.cross(&c))) * inertia.mass;
    // the rotational part is cheapest in the axes where the inertia is constant
    let (w_in, alpha_in) = (pose.rot.tr_mul(w), pose.rot.tr_mul(alpha));
    let n_in = inertia.about_com * alpha_in + w_in.cross(&(inertia.about_com * w_in));
    Wrench { force, moment: pose.rot * n_in + c.cross(&force) }
}

/// Generalised forces for acceleration `a` (its time derivative of `v`) at `(q, v)`: `M(q) a + h(q, v)`.
///
/// ```
/// # use sinew_dynamics::{BodySpec, Data, JointSpec, Model, ModelSpec, rnea};
/// # use sinew_dynamics::spatial::{Inertia, Vec3};
/// let mut spec = ModelSpec::new("ball");
/// spec.bodies.push(
///     BodySpec::new("ball", None, Inertia::solid_box(2.0, Vec3::repeat(0.1))).with_joint(JointSpec::free("root")),
/// );
/// let model = Model::new(spec)?;
/// let mut data = Data::new(&model);
/// // to stay at rest it must be held up by its weight
/// let tau = rnea(&model, &mut data, &model.neutral(), &[0.0; 6], &[0.0; 6]);
/// assert!((tau[2] - 2.0 * 9.81).abs() < 1e-12);
/// # Ok::<(), sinew_dynamics::ModelError>(())
/// ```
///
/// # Panics
/// If the slices do not have `nq`, `nv`, `nv` numbers.
pub fn rnea<'d>(model: &Model, data: &'d mut Data, q: &[f64], v: &[f64], a: &[f64]) -> &'d [f64] {
    assert_eq!(a.len(), model.nv(), "a must have nv numbers");
    outward(model, data, q, v, |at| vec3_at(a, at), |at| a[at]);
    inward(model, data);
    for link in model.links.iter().filter(|l| l.armature != 0.0) {
        for k in link.v..link.v + link.nv {
            data.out[k] += link.armature * a[k];
        }
    }
    &data.out
}

/// Bias force `h(q, v)`: gravity, centrifugal and Coriolis terms, the generalised force for zero acceleration.
///
/// ```
/// use sinew_dynamics::{Data, characters, bias_force};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let (q, v) = (human.neutral(), vec![0.0; human.nv()]);
/// let h = bias_force(&human, &mut data, &q, &v);
/// assert!((h[2] - 9.81 * human.mass()).abs() < 1e-9); // at rest: what carries the weight
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the slices do not have `nq` and `nv` numbers.
pub fn bias_force<'d>(model: &Model, data: &'d mut Data, q: &[f64], v: &[f64]) -> &'d [f64] {
    outward(model, data, q, v, |_| Vec3::zeros(), |_| 0.0);
    inward(model, data);
    &data.out
}

/// Frames, velocities, accelerations and inertial wrenches of all links.
#[inline(always)]
pub(crate) fn outward(
    model: &Model,
    data: &mut Data,
    q: &[f64],
    v: &[f64],
    a3: impl Fn(usize) -> Vec3,
    a1: impl Fn(usize) -> f64,
) {
    assert_eq!(q.len(), model.nq(), "q must have nq numbers");
    assert_eq!(v.len(), model.nv(), "v must have nv numbers");
    let n = model.links.len();
    let (poses, velocities) = (&mut data.poses[..n], &mut data.velocities[..n]);
    let (accelerations, wrenches) = (&mut data.accelerations[..n], &mut data.wrenches[..n]);
    let base = Twist { angular: Vec3::zeros(), linear: -model.gravity() };
    for (i, link) in model.links.iter().enumerate() {
        let (parent, w_p, acc) = if link.parent == WORLD {
            (AT_WORLD, Vec3::zeros(), base)
        } else {
            (poses[link.parent], velocities[link.parent].angular, accelerations[link.parent])
        };
        let pose = place(link, q, &parent);
        let arm = pose.arm;
        let mut w = w_p;
        let mut alpha = acc.angular;
        let mut lin = acc.linear + alpha.cross(&arm) + w_p.cross(&w_p.cross(&arm));
        match link.kind {
            LinkKind::Free => {
                w = pose.rot * vec3_at(v, link.v + 3);
                alpha = pose.rot * a3(link.v + 3);
                lin = base.linear + a3(link.v);
            }
            LinkKind::Ball => {
                let spin = pose.rot * vec3_at(v, link.v);
                alpha += pose.rot * a3(link.v) + w_p.cross(&spin);
                w += spin;
            }
            LinkKind::Slide => {
                let axis = world_axis(link, &pose.rot);
                lin += axis * a1(link.v) + w_p.cross(&axis) * (2.0 * v[link.v]);
            }
            _ => {
                let axis = world_axis(link, &pose.rot);
                let spin = axis * v[link.v];
                alpha += axis * a1(link.v) + w_p.cross(&spin);
                w += spin;
            }
        }
        wrenches[i] = inertial_wrench(link, &pose, &w, &alpha, &lin);
        velocities[i].angular = w;
        accelerations[i] = Twist { angular: alpha, linear: lin };
        poses[i] = pose;
    }
}

/// Sums wrenches towards the root and projects them on the joints into `data.out`.
#[inline(always)]
fn inward(model: &Model, data: &mut Data) {
    for (i, link) in model.links.iter().enumerate().rev() {
        let (pose, wrench) = (data.poses[i], data.wrenches[i]);
        project(link, &pose, &wrench, &mut data.out);
        if link.parent != WORLD {
            let parent = &mut data.wrenches[link.parent];
            parent.force += wrench.force;
            parent.moment += wrench.moment + pose.arm.cross(&wrench.force);
        }
    }
}

/// The generalised force of a wrench on the link's own joint.
#[inline(always)]
pub(crate) fn project(link: &Link, pose: &Pose, wrench: &Wrench, out: &mut [f64]) {
    match link.kind {
        LinkKind::Free => {
            out[link.v..link.v + 3].copy_from_slice(wrench.force.as_slice());
            out[link.v + 3..link.v + 6].copy_from_slice(pose.rot.tr_mul(&wrench.moment).as_slice());
        }
        LinkKind::Ball => out[link.v..link.v + 3].copy_from_slice(pose.rot.tr_mul(&wrench.moment).as_slice()),
        LinkKind::Slide => out[link.v] = world_axis(link, &pose.rot).dot(&wrench.force),
        _ => out[link.v] = world_axis(link, &pose.rot).dot(&wrench.moment),
    }
}
