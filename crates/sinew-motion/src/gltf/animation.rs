//! Frames of a clip as curves of the nodes.

use super::buffer::Builder;
use super::nodes::{frames, local, quaternion, vector};
use crate::Clip;
use gltf_json::accessor::Type;
use gltf_json::animation::{Animation, Channel, Interpolation, Property, Sampler, Target};
use gltf_json::validation::Checked::Valid;
use gltf_json::{Accessor, Index};
use sinew_dynamics::spatial::{Placement, Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, Data, Model, forward_kinematics};

/// A place that moves less than this in its parent does not move, m.
const STILL: f64 = 1e-9;

/// Adds the motion: one curve of rotations per body with a joint, and one of places per body that travels in its parent.
pub(super) fn add(builder: &mut Builder, clip: &Clip) {
    let model = clip.model();
    let time: Vec<f32> = (0..clip.len()).map(|k| (k as f64 / clip.rate) as f32).collect();
    let input = builder.floats(Type::Scalar, &time, None);
    let rest = frames(model, &model.spec().reference_placements());
    let curves = curves(clip);
    let mut animation = Animation {
        name: Some(clip.name.clone()),
        channels: vec![],
        samplers: vec![],
        extensions: None,
        extras: None,
    };
    for (body, curve) in curves.iter().enumerate() {
        let at_rest = local(model, &rest, body);
        let free = model.bodies()[body].joints.iter().any(|j| j.kind == sinew_dynamics::JointKind::Free);
        if free || curve.places.iter().any(|p| (p - at_rest.pos).norm() > STILL) {
            let numbers: Vec<f32> = curve.places.iter().flat_map(vector).collect();
            let output = builder.floats(Type::Vec3, &numbers, None);
            channel(&mut animation, body, Property::Translation, input, output);
        }
        if !model.bodies()[body].joints.is_empty() {
            let turns = continuous(&curve.turns, &rotation::from_matrix(&at_rest.rot));
            let numbers: Vec<f32> = turns.iter().flat_map(quaternion).collect();
            let output = builder.floats(Type::Vec4, &numbers, None);
            channel(&mut animation, body, Property::Rotation, input, output);
        }
    }
    // a model without joints has nothing to animate
    if !animation.channels.is_empty() {
        builder.root.push(animation);
    }
}

/// Where a node is in its parent, frame by frame.
#[derive(Clone, Debug, Default)]
struct Curve {
    places: Vec<Vec3>,
    turns: Vec<Quat>,
}

fn curves(clip: &Clip) -> Vec<Curve> {
    let model: &Model = clip.model();
    let mut data = Data::new(model);
    let mut curves = vec![Curve::default(); model.bodies().len()];
    for q in clip.frames() {
        forward_kinematics(model, &mut data, q);
        let placed: Vec<Placement> =
            (0..curves.len()).map(|i| data.body_placement(model, BodyId(i))).collect();
        let frames = frames(model, &placed);
        for (body, curve) in curves.iter_mut().enumerate() {
            let local = local(model, &frames, body);
            curve.places.push(local.pos);
            curve.turns.push(rotation::from_matrix(&local.rot));
        }
    }
    curves
}

/// q and −q are one rotation: of the two the one nearer to the frame before, so that curves between frames are short.
fn continuous(turns: &[Quat], start: &Quat) -> Vec<Quat> {
    let mut before = *start;
    let near = |turn: &Quat| {
        before = if before.coords.dot(&turn.coords) < 0.0 {
            Quat::new_unchecked(-turn.into_inner())
        } else {
            *turn
        };
        before
    };
    turns.iter().map(near).collect()
}

fn channel(
    animation: &mut Animation,
    node: usize,
    path: Property,
    input: Index<Accessor>,
    output: Index<Accessor>,
) {
    let sampler = Index::new(animation.samplers.len() as u32);
    animation.samplers.push(Sampler {
        input,
        output,
        interpolation: Valid(Interpolation::Linear),
        extensions: None,
        extras: None,
    });
    let target = Target { node: Index::new(node as u32), path: Valid(path), extensions: None, extras: None };
    animation.channels.push(Channel { sampler, target, extensions: None, extras: None });
}
