//! Hybrid dynamics: accelerations given at some joints, forces at the others.
//!
//! The articulated-body algorithm with the prescribed joints left standing: their acceleration is part of the motion that
//! the link has without its joint's help, and the whole articulated inertia passes to the parent. Cost: linear in the
//! number of links.

use crate::aba::{accelerate, eliminate, own_inertias};
use crate::data::{Data, Wrench};
use crate::factor::Singular;
use crate::kinematics::{forward_spins, vec3_at, world_axis};
use crate::model::{LinkKind, Model};
use crate::rnea::project;

/// Accelerations where forces are given and forces where accelerations are given.
///
/// `prescribed[j]` says of joint `j` (in the order of [`Model::joints`]) that its accelerations are given in `a`, and its
/// forces in `tau` are to be found; for all others it is the other way round. The unknown entries are overwritten. With all
/// joints except a free root prescribed, this is the motion of a character whose joints follow a plan exactly.
///
/// ```
/// # use sinew_dynamics::{BodySpec, Data, JointSpec, Model, ModelSpec, hybrid_dynamics};
/// # use sinew_dynamics::spatial::{Inertia, Vec3};
/// # let mut spec = ModelSpec::new("two");
/// # let part = Inertia::solid_box(1.0, Vec3::new(0.1, 0.2, 0.4));
/// # spec.bodies.push(BodySpec::new("a", None, part).with_joint(JointSpec::free("root")));
/// # spec.bodies.push(BodySpec::new("b", Some(0), part).at(Vec3::z()).with_joint(JointSpec::hinge("knee", Vec3::y())));
/// # let model = Model::new(spec)?;
/// # let mut data = Data::new(&model);
/// let (q, v) = (model.neutral(), vec![0.0; 7]);
/// // the hinge bends at 3 rad/s² while the body falls
/// let (mut a, mut tau) = (vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0], vec![0.0; 7]);
/// hybrid_dynamics(&model, &mut data, &q, &v, &[false, true], &mut a, &mut tau)?;
/// assert!((a[2] + 9.81).abs() < 1.0 && tau[6] != 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the slices do not fit the model.
pub fn hybrid_dynamics(
    model: &Model,
    data: &mut Data,
    q: &[f64],
    v: &[f64],
    prescribed: &[bool],
    a: &mut [f64],
    tau: &mut [f64],
) -> Result<(), Singular> {
    assert_eq!((a.len(), tau.len()), (model.nv(), model.nv()), "a, tau");
    assert_eq!(prescribed.len(), model.joints().len(), "prescribed must have one entry per joint");
    forward_spins(model, data, q, v);
    own_inertias(model, data, v);
    // a given acceleration is part of what moves the link without the joint's help; links are in the order of joints
    for (i, link) in model.links.iter().enumerate().filter(|(i, _)| prescribed[*i]) {
        let (rot, drift) = (&data.poses[i].rot, &mut data.articulated[i].drift);
        match link.kind {
            LinkKind::Free => {
                drift.linear += vec3_at(a, link.v);
                drift.angular += rot * vec3_at(a, link.v + 3);
            }
            LinkKind::Ball => drift.angular += rot * vec3_at(a, link.v),
            LinkKind::Slide => drift.linear += world_axis(link, rot) * a[link.v],
            _ => drift.angular += world_axis(link, rot) * a[link.v],
        }
    }
    eliminate(model, data, tau, |i| prescribed[i])?;
    accelerate(model, data, |i| prescribed[i]);
    for (i, link) in model.links.iter().enumerate() {
        let dofs = link.v..link.v + link.nv;
        if !prescribed[i] {
            a[dofs.clone()].copy_from_slice(&data.out[dofs]);
            continue;
        }
        let (art, acc) = (&data.articulated[i], &data.accelerations[i]);
        let wrench = Wrench {
            force: art.a * acc.linear + art.b * acc.angular + art.force,
            moment: art.b.tr_mul(&acc.linear) + art.c * acc.angular + art.moment,
        };
        project(link, &data.poses[i], &wrench, tau);
        for k in dofs {
            tau[k] += link.armature * a[k];
        }
    }
    Ok(())
}
