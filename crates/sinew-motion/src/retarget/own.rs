//! A character's own skeleton, and its motions as if they had been captured.

use crate::ik::chain::Chain;
use crate::{Clip, Joint, Pose, Skeleton, Take};
use sinew_dynamics::spatial::{Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, Data, Model, forward_kinematics};
use std::sync::Arc;

impl Skeleton {
    /// The skeleton of a character: a joint per body, at the body's joint, with axes parallel to the world's at rest.
    ///
    /// Tips are the sites of bodies that carry nothing.
    ///
    /// # Panics
    /// When the model has no bodies.
    pub fn of_model(model: &Model) -> Skeleton {
        let at = model.spec().reference_placements();
        let joint_at = |b: usize| {
            let anchor = model.bodies()[b].joints.first().map_or(Vec3::zeros(), |j| j.anchor);
            at[b].act(&anchor)
        };
        let last = |b: usize| !model.bodies().iter().any(|other| other.parent == Some(b));
        let joints = model.bodies().iter().enumerate().map(|(b, body)| {
            let tips =
                body.sites.iter().filter(|_| last(b)).map(|s| at[b].act(&s.pos) - joint_at(b)).collect();
            let offset = body.parent.map_or(Vec3::zeros(), |p| joint_at(b) - joint_at(p));
            Joint { name: body.name.clone(), parent: body.parent, offset, tips }
        });
        Skeleton::new(joints.collect()).expect("a model's bodies come after their parents and have one root")
    }
}

impl Take {
    /// The motion of a character as a take of its own skeleton.
    pub fn of_clip(clip: &Clip) -> Take {
        let model = clip.model();
        let skeleton = Skeleton::of_model(model);
        let rest: Vec<Quat> =
            model.spec().reference_placements().iter().map(|p| rotation::from_matrix(&p.rot)).collect();
        let chains: Vec<Chain> = model
            .bodies()
            .iter()
            .enumerate()
            .map(|(b, body)| Chain::new(model, body.parent.map(BodyId), BodyId(b)))
            .collect();
        let anchor = model.bodies()[0].joints.first().map_or(Vec3::zeros(), |j| j.anchor);
        let mut data = Data::new(model);
        let pose = |q: &[f64]| {
            forward_kinematics(model, &mut data, q);
            let root = data.body_placement(model, BodyId(0));
            // joints' axes are the bodies', turned back by the rest orientation
            let turn = |b: usize| match model.bodies()[b].parent {
                None => rotation::from_matrix(&root.rot) * rest[b].inverse(),
                Some(p) => rest[p] * chains[b].rotation(q) * rest[b].inverse(),
            };
            Pose { root: root.act(&anchor), rotations: (0..chains.len()).map(turn).collect() }
        };
        let poses = clip.frames().map(pose).collect();
        let (name, provenance) = (clip.name.clone(), clip.provenance.clone());
        Take { name, skeleton: Arc::new(skeleton), rate: clip.rate, poses, provenance }
    }
}
