//! Bodies as nodes: a tree of frames in the reference placement, and the skin that follows them.

use super::buffer::Builder;
use gltf_json::accessor::Type;
use gltf_json::scene::UnitQuaternion;
use gltf_json::{Index, Mesh, Node, Scene, Skin};
use sinew_dynamics::spatial::{Mat3, Placement, Quat, Vec3, rotation};
use sinew_dynamics::{BodySpec, JointKind, Model};

/// Adds a node per body (body i is node i), a node above them all, and the skinned mesh beside it.
pub(super) fn add(builder: &mut Builder, model: &Model, mesh: Option<Index<Mesh>>) {
    let bodies = model.bodies();
    let rest = frames(model, &model.spec().reference_placements());
    let index = |i: usize| Index::<Node>::new(i as u32);
    let below = |parent: Option<usize>| -> Option<Vec<Index<Node>>> {
        let children: Vec<_> = (0..bodies.len()).filter(|i| bodies[*i].parent == parent).map(index).collect();
        (!children.is_empty()).then_some(children)
    };
    for (i, body) in bodies.iter().enumerate() {
        let local = local(model, &rest, i);
        builder.root.push(Node {
            name: Some(body.name.clone()),
            children: below(Some(i)),
            translation: Some(vector(&local.pos)),
            rotation: Some(UnitQuaternion(quaternion(&rotation::from_matrix(&local.rot)))),
            ..Node::default()
        });
    }
    let above = Node { name: Some(model.name().to_owned()), children: below(None), ..Node::default() };
    let mut nodes = vec![builder.root.push(above)];
    if let Some(mesh) = mesh {
        let inverses: Vec<f32> = rest.iter().flat_map(|frame| matrix(&frame.inverse())).collect();
        let inverse_bind_matrices = Some(builder.floats(Type::Mat4, &inverses, None));
        let skin = builder.root.push(Skin {
            inverse_bind_matrices,
            joints: (0..bodies.len()).map(index).collect(),
            name: Some(model.name().to_owned()),
            skeleton: Some(nodes[0]),
            extensions: None,
            extras: None,
        });
        // a skinned mesh stands where its skeleton puts it: the node has no place of its own
        let name = Some(format!("{} skin", model.name()));
        nodes.push(builder.root.push(Node { mesh: Some(mesh), skin: Some(skin), name, ..Node::default() }));
    }
    let scene = Scene { nodes, name: Some(model.name().to_owned()), extensions: None, extras: None };
    builder.root.scene = Some(builder.root.push(scene));
}

/// Frames of the nodes in the world, of the frames of the bodies: moved to where the first joint is anchored.
pub(super) fn frames(model: &Model, placed: &[Placement]) -> Vec<Placement> {
    let frame = |(body, at): (&BodySpec, &Placement)| {
        let anchor = body.joints.first().filter(|j| j.kind != JointKind::Free).map(|j| j.anchor);
        Placement { rot: at.rot, pos: at.act(&anchor.unwrap_or_default()) }
    };
    model.bodies().iter().zip(placed).map(frame).collect()
}

/// A node's frame in its parent's.
pub(super) fn local(model: &Model, frames: &[Placement], body: usize) -> Placement {
    match model.bodies()[body].parent {
        Some(parent) => frames[parent].inverse() * frames[body],
        None => frames[body],
    }
}

/// A vector in glTF's axes: left, up, forward.
pub(super) fn vector(v: &Vec3) -> [f32; 3] {
    [v.y as f32, v.z as f32, v.x as f32]
}

/// A rotation in glTF's axes, x y z w.
pub(super) fn quaternion(q: &Quat) -> [f32; 4] {
    [q.j as f32, q.k as f32, q.i as f32, q.w as f32]
}

/// A frame as a matrix in glTF's axes, column after column.
fn matrix(frame: &Placement) -> [f32; 16] {
    let order = [1, 2, 0];
    let turned = Mat3::from_fn(|r, c| frame.rot[(order[r], order[c])]);
    let place = vector(&frame.pos);
    let column = |c: usize| [turned[(0, c)] as f32, turned[(1, c)] as f32, turned[(2, c)] as f32, 0.0];
    let [a, b, c] = [column(0), column(1), column(2)];
    let d = [place[0], place[1], place[2], 1.0];
    let mut out = [0.0; 16];
    out.iter_mut().zip([a, b, c, d].iter().flatten()).for_each(|(to, x)| *to = *x);
    out
}
