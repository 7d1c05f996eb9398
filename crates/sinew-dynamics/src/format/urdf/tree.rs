//! From lists of links and joints to a tree of bodies in depth-first order.

use super::UrdfRoot;
use super::joint::{Joint, read_joint};
use super::link::{read_geoms, read_inertia};
use super::reader::{Reader, child};
use crate::format::FormatError;
use crate::format::nearest::{clip, did_you_mean};
use crate::spatial::{Placement, rotation};
use crate::{BodySpec, JointSpec, ModelSpec};
use roxmltree::Node;
use std::collections::HashMap;

/// Greatest number of links.
const MAX_LINKS: usize = 4096;
/// Greatest number of degrees of freedom, whose square is the size of matrices.
const MAX_DOFS: usize = 1024;
/// A root link of this name is the world.
const WORLD: &str = "world";

struct Link<'n, 't> {
    name: &'n str,
    node: Node<'n, 't>,
    /// Index of the joint that carries it.
    carried_by: Option<usize>,
    /// Joints that it carries, in the order of the file.
    carries: Vec<usize>,
}

pub(super) fn read_robot(reader: &mut Reader) -> Result<ModelSpec, FormatError> {
    let robot = reader.xml.root();
    let (mut links, mut joints) = (Vec::new(), Vec::new());
    for node in robot.children().filter(Node::is_element) {
        match node.tag_name().name() {
            "link" if links.len() == MAX_LINKS => {
                return Err(reader.xml.error(node, format!("more than {MAX_LINKS} links")));
            }
            "link" => {
                let name = reader.text(node, "name")?;
                links.push(Link { name, node, carried_by: None, carries: Vec::new() });
            }
            "joint" => joints.push((node, read_joint(reader, node)?)),
            _ => {}
        }
    }
    let root = connect(reader, &mut links, &joints)?;
    let mut spec = ModelSpec::new(robot.attribute("name").unwrap_or("robot"));
    place_bodies(reader, &links, &joints, root, &mut spec)?;
    let dofs: usize = spec.bodies.iter().flat_map(|b| &b.joints).map(|j| j.kind.nv()).sum();
    if dofs > MAX_DOFS {
        return Err(reader.xml.error(robot, format!("{dofs} degrees of freedom are more than {MAX_DOFS}")));
    }
    Ok(spec)
}

/// Links every joint with the links that it names, checks that they form one tree, and returns its root.
fn connect<'n, 't>(
    reader: &Reader<'_, 't>,
    links: &mut [Link<'n, 't>],
    joints: &[(Node<'n, 't>, Joint<'n>)],
) -> Result<usize, FormatError> {
    let mut index = HashMap::new();
    for (i, link) in links.iter().enumerate() {
        if index.insert(link.name, i).is_some() {
            return Err(reader.xml.error(link.node, "a link of this name came before; names must differ"));
        }
    }
    let mut names = HashMap::new();
    for (j, (node, joint)) in joints.iter().enumerate() {
        if names.insert(joint.name, j).is_some() {
            return Err(reader.xml.error(*node, "a joint of this name came before; names must differ"));
        }
        let find = |name: &str| {
            index.get(name).copied().ok_or_else(|| {
                let near = did_you_mean(name, links.iter().map(|l| l.name));
                reader.xml.error(*node, format!("there is no link \"{}\"{near}", clip(name)))
            })
        };
        let (parent, child) = (find(joint.parent)?, find(joint.child)?);
        if let Some(other) = links[child].carried_by {
            let problem = format!(
                "link \"{}\" hangs from joint \"{}\" already; a link can have one parent only",
                clip(joint.child),
                clip(joints[other].1.name)
            );
            return Err(reader.xml.error(*node, problem));
        }
        links[child].carried_by = Some(j);
        links[parent].carries.push(j);
    }

    let mut roots = links.iter().enumerate().filter(|(_, l)| l.carried_by.is_none());
    let Some((root, first)) = roots.next() else {
        let problem = match links.is_empty() {
            true => "has no links",
            false => "every link is the child of a joint: the joints form a cycle; one link must be the root",
        };
        return Err(reader.xml.error(reader.xml.root(), problem));
    };
    if let Some((_, second)) = roots.next() {
        let problem = format!(
            "two links have no parent, \"{}\" and this one; connect them by a joint, so that there is one root",
            clip(first.name)
        );
        return Err(reader.xml.error(second.node, problem));
    }
    Ok(root)
}

/// A link to be placed: its index, the body that carries it, and that body's frame in the world while it cannot move.
type Pending = (usize, Option<usize>, Option<Placement>);

/// Reads links into bodies, depth first from the root.
fn place_bodies<'n, 't>(
    reader: &mut Reader<'_, 't>,
    links: &[Link<'n, 't>],
    joints: &[(Node<'n, 't>, Joint<'n>)],
    root: usize,
    spec: &mut ModelSpec,
) -> Result<(), FormatError> {
    let index: HashMap<&str, usize> = links.iter().enumerate().map(|(i, l)| (l.name, i)).collect();
    let mut placed = vec![false; links.len()];
    let mut open: Vec<Pending> = vec![(root, None, Some(Placement::identity()))];
    while let Some((at, parent, parent_frame)) = open.pop() {
        placed[at] = true;
        let link = &links[at];
        let carried = link.carried_by.map(|j| (joints[j].0, &joints[j].1));
        let (this, frame) = match link.name {
            WORLD => {
                read_world(reader, link, carried.map(|c| c.0), spec)?;
                (None, Some(Placement::identity()))
            }
            _ => {
                let body = read_body(reader, link, carried, parent, parent_frame, joints)?;
                let frame = parent_frame.filter(|_| body.joints.is_empty()).map(|f| f * body.placement());
                spec.bodies.push(body);
                (Some(spec.bodies.len() - 1), frame)
            }
        };
        // what floats hangs from the world: a tree of its own, after this one
        let (floating, held): (Vec<usize>, Vec<usize>) =
            link.carries.iter().partition(|&&j| joints[j].1.floats && frame.is_some());
        for j in floating {
            open.insert(0, (index[joints[j].1.child], None, frame));
        }
        open.extend(held.iter().rev().map(|&j| (index[joints[j].1.child], this, frame)));
    }
    match placed.iter().position(|done| !done) {
        None => Ok(()),
        Some(lost) => {
            let problem = "cannot be reached from the root: the joints above it form a cycle";
            Err(reader.xml.error(links[lost].node, problem))
        }
    }
}

/// The root link that is called `world`.
fn read_world<'n, 't>(
    reader: &mut Reader<'_, 't>,
    link: &Link<'n, 't>,
    carried: Option<Node>,
    spec: &mut ModelSpec,
) -> Result<(), FormatError> {
    if let Some(joint) = carried {
        return Err(reader.xml.error(joint, "a link called \"world\" can only be the root"));
    }
    reader.assume(link.node, "the root link of this name is the world itself");
    if child(link.node, "inertial").is_some() {
        reader.leave_out(link.node, "its <inertial>: the link is the world and cannot move");
    }
    spec.world_geoms = read_geoms(reader, link.node)?;
    Ok(())
}

fn read_body<'n, 't>(
    reader: &mut Reader<'_, 't>,
    link: &Link<'n, 't>,
    carried: Option<(Node<'n, 't>, &Joint<'n>)>,
    parent: Option<usize>,
    parent_frame: Option<Placement>,
    joints: &[(Node<'n, 't>, Joint<'n>)],
) -> Result<BodySpec, FormatError> {
    let mut body = BodySpec::new(link.name, parent, read_inertia(reader, link.node)?);
    body.geoms = read_geoms(reader, link.node)?;
    let Some((node, joint)) = carried else {
        if root_is_free(reader, link, joints) {
            body.joints.push(JointSpec::free(unused_name(joints)));
        }
        return Ok(body);
    };
    (body.pos, body.quat, body.joints) = (joint.pos, joint.quat, joint.specs.clone());
    if joint.floats {
        let Some(frame) = parent_frame else {
            let problem = "a floating joint must hang from the world: make its parent the root and fix it \
                           (UrdfRoot::Fixed), or call the root link \"world\"";
            return Err(reader.xml.error(node, problem));
        };
        let at = frame * body.placement();
        (body.pos, body.quat) = (at.pos, rotation::from_matrix(&at.rot));
    }
    Ok(body)
}

/// Whether the root link goes on a free joint.
fn root_is_free<'t>(
    reader: &mut Reader<'_, 't>,
    link: &Link<'_, 't>,
    joints: &[(Node<'_, 't>, Joint)],
) -> bool {
    let carries_floating = link.carries.iter().any(|&j| joints[j].1.floats);
    match reader.options.root {
        UrdfRoot::Free => true,
        UrdfRoot::Fixed => false,
        UrdfRoot::Guess if carries_floating => {
            reader.assume(link.node, "the root link carries a floating joint, so it is fixed in the world");
            false
        }
        UrdfRoot::Guess => {
            reader.assume(link.node, "the file does not say how the root moves; it is put on a free joint");
            true
        }
    }
}

/// A name for the root's free joint that no other joint has.
fn unused_name(joints: &[(Node, Joint)]) -> String {
    let taken = |name: &str| joints.iter().any(|(_, j)| j.name == name);
    let mut name = "root".to_owned();
    while taken(&name) {
        name.push_str("_free");
    }
    name
}
