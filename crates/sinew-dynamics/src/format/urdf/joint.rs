//! Joints: type, axis, limits, damping and friction.

use super::reader::{Reader, child};
use crate::JointSpec;
use crate::format::FormatError;
use crate::format::nearest::{clip, did_you_mean};
use crate::spatial::{Quat, Vec3};
use roxmltree::Node;

/// The types of the format.
const TYPES: [&str; 6] = ["revolute", "continuous", "prismatic", "fixed", "floating", "planar"];

/// A joint between two links.
pub(super) struct Joint<'n> {
    pub(super) name: &'n str,
    pub(super) parent: &'n str,
    pub(super) child: &'n str,
    /// The child link in its parent at the joint's zero.
    pub(super) quat: Quat,
    pub(super) pos: Vec3,
    /// Whether it is a `floating` joint.
    pub(super) floats: bool,
    /// The same as joints of a body.
    pub(super) specs: Vec<JointSpec>,
}

pub(super) fn read_joint<'n, 't>(
    reader: &mut Reader<'_, 't>,
    node: Node<'n, 't>,
) -> Result<Joint<'n>, FormatError> {
    let name = reader.text(node, "name")?;
    let parent = reader.text(reader.inner(node, "parent")?, "link")?;
    let child_link = reader.text(reader.inner(node, "child")?, "link")?;
    let (quat, pos) = reader.origin(node)?;
    let mut kind = reader.text(node, "type")?;
    if let Some(mimic) = child(node, "mimic") {
        if !reader.options.weld_mimics {
            let problem = "joints that follow another joint are not supported; remove <mimic> to let the joint move by \
                           itself, or let such joints be welded (UrdfOptions::weld_mimics)";
            return Err(reader.xml.error(mimic, problem));
        }
        reader.assume(node, "it follows another joint, and is welded as asked");
        kind = "fixed";
    }
    let specs = match kind {
        "revolute" => vec![one_dof(reader, node, JointSpec::hinge, true)?],
        "continuous" => vec![one_dof(reader, node, JointSpec::hinge, false)?],
        "prismatic" => vec![one_dof(reader, node, JointSpec::slide, true)?],
        "fixed" => {
            for tag in ["axis", "limit", "dynamics"] {
                if let Some(left) = child(node, tag) {
                    reader.leave_out(left, "has no meaning for a fixed joint");
                }
            }
            Vec::new()
        }
        "floating" => {
            refuse_dynamics(reader, node)?;
            vec![JointSpec::free(name)]
        }
        "planar" => {
            refuse_dynamics(reader, node)?;
            let (x, y) = plane_of(axis(reader, node)?);
            reader.assume(node, "a planar joint becomes two slides and a hinge about its axis");
            JointSpec::planar(name, x, y).into()
        }
        other => {
            let problem = format!(
                "type \"{}\" is not known{}; known are {}",
                clip(other),
                did_you_mean(other, TYPES),
                TYPES.join(", ")
            );
            return Err(reader.xml.error(node, problem));
        }
    };
    Ok(Joint { name, parent, child: child_link, quat, pos, floats: kind == "floating", specs })
}

/// A hinge or slide with its limits, damping and friction.
fn one_dof<'t>(
    reader: &mut Reader<'_, 't>,
    node: Node<'_, 't>,
    make: impl Fn(String, Vec3) -> JointSpec,
    limited: bool,
) -> Result<JointSpec, FormatError> {
    let mut spec = make(reader.text(node, "name")?.to_owned(), axis(reader, node)?);
    match child(node, "limit") {
        Some(limit) => read_limit(reader, limit, limited, &mut spec)?,
        None if limited => {
            let problem = "needs <limit> with lower, upper and effort; a hinge without limits is of type \"continuous\"";
            return Err(reader.xml.error(node, problem));
        }
        None => reader.assume(node, "no <limit>, so its effort is unlimited"),
    }
    if let Some(dynamics) = child(node, "dynamics") {
        let at_least_zero = |attribute| match reader.number(dynamics, attribute)? {
            Some(x) if x < 0.0 => Err(reader.xml.error(dynamics, format!("{attribute} cannot be negative"))),
            x => Ok(x.unwrap_or_default()),
        };
        spec.damping = at_least_zero("damping")?;
        spec.friction_loss = at_least_zero("friction")?;
    }
    Ok(spec)
}

fn read_limit(
    reader: &mut Reader,
    limit: Node,
    limited: bool,
    spec: &mut JointSpec,
) -> Result<(), FormatError> {
    match reader.bound(limit, "effort")? {
        Some(effort) if effort < 0.0 => return Err(reader.xml.error(limit, "effort cannot be negative")),
        Some(effort) => {
            if effort == 0.0 {
                reader.assume(limit, "effort 0 is taken as written: nothing drives the joint");
            }
            spec.effort = [effort; 3];
        }
        None => reader.assume(limit, "no effort, so it is unlimited"),
    }
    let (lower, upper) = (reader.bound(limit, "lower")?, reader.bound(limit, "upper")?);
    match (lower, upper) {
        (None, None) if limited => reader.assume(limit, "neither lower nor upper, so the range is unlimited"),
        (None, None) => {}
        _ if !limited => reader.leave_out(limit, "lower and upper have no meaning for a continuous joint"),
        _ => {
            if lower.is_none() || upper.is_none() {
                reader.assume(limit, "a missing lower or upper is 0");
            }
            let range = [lower.unwrap_or_default(), upper.unwrap_or_default()];
            spec.range = Some(range).filter(|r| *r != [f64::NEG_INFINITY, f64::INFINITY]);
        }
    }
    Ok(())
}

/// Unit axis in the child's frame; x when the file gives none.
fn axis(reader: &mut Reader, node: Node) -> Result<Vec3, FormatError> {
    let given = match child(node, "axis") {
        Some(axis) => reader.numbers::<3>(axis, "xyz")?,
        None => None,
    };
    let Some(xyz) = given else {
        reader.assume(node, "no axis, so it is 1 0 0");
        return Ok(Vec3::x());
    };
    let axis = Vec3::from(xyz);
    let length = axis.norm();
    if !(length > 1e-6 && length.is_finite()) {
        return Err(reader.xml.error(node, "its axis has no direction; give one such as \"0 0 1\""));
    }
    // an axis that is of unit length already stays exact
    Ok(if (length - 1.0).abs() > 1e-15 { axis / length } else { axis })
}

/// Two unit vectors that span the plane of this normal, right-handed; exact for a normal along an axis.
fn plane_of(normal: Vec3) -> (Vec3, Vec3) {
    let mut next = Vec3::zeros();
    next[(normal.iamax() + 1) % 3] = 1.0;
    let x = (next - normal * normal.dot(&next)).normalize();
    (x, normal.cross(&x))
}

fn refuse_dynamics(reader: &mut Reader, node: Node) -> Result<(), FormatError> {
    if let Some(limit) = child(node, "limit") {
        reader.leave_out(limit, "has no meaning for a floating or planar joint");
    }
    let Some(dynamics) = child(node, "dynamics") else { return Ok(()) };
    for attribute in ["damping", "friction"] {
        if reader.number(dynamics, attribute)?.is_some_and(|x| x != 0.0) {
            let problem = format!("{attribute} is not defined for a floating or planar joint; remove it");
            return Err(reader.xml.error(dynamics, problem));
        }
    }
    Ok(())
}
