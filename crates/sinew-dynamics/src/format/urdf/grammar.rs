//! The names that URDF knows: which elements may stand where, with which attributes.

use super::reader::Reader;
use crate::format::FormatError;
use crate::format::nearest::{clip, did_you_mean};
use roxmltree::Node;

/// An element of the format.
struct Element {
    name: &'static str,
    attributes: &'static [&'static str],
    /// Elements that may stand inside once.
    once: &'static [&'static str],
    /// Elements that may stand inside any number of times.
    many: &'static [&'static str],
    /// Elements and attributes of other programs. They are listed, and their content is ignored.
    idle: &'static [&'static str],
}

const fn leaf(name: &'static str, attributes: &'static [&'static str]) -> Element {
    Element { name, attributes, once: &[], many: &[], idle: &[] }
}

const ELEMENTS: &[Element] = &[
    Element {
        name: "robot",
        attributes: &["name", "version"],
        once: &[],
        many: &["link", "joint"],
        idle: &[
            "material",
            "transmission",
            "gazebo",
            "ros2_control",
            "sensor",
            "mujoco",
            "self_collision_checking",
        ],
    },
    Element {
        name: "link",
        attributes: &["name"],
        once: &["inertial", "contact"],
        many: &["visual", "collision"],
        idle: &["type", "self_filter", "collision_checking", "self_collision_checking"],
    },
    Element { once: &["origin", "mass", "inertia"], ..leaf("inertial", &[]) },
    Element { once: &["origin", "geometry"], idle: &["material"], ..leaf("visual", &["name"]) },
    Element { once: &["origin", "geometry"], idle: &["material", "verbose"], ..leaf("collision", &["name"]) },
    Element { once: &["box", "cylinder", "sphere", "capsule", "mesh"], ..leaf("geometry", &[]) },
    Element {
        once: &["lateral_friction"],
        idle: &[
            "rolling_friction",
            "spinning_friction",
            "friction_anchor",
            "restitution",
            "stiffness",
            "damping",
            "contact_cfm",
            "contact_erp",
            "inertia_scaling",
        ],
        ..leaf("contact", &[])
    },
    Element {
        once: &["origin", "parent", "child", "axis", "dynamics", "limit", "mimic"],
        idle: &["calibration", "safety_controller", "dont_collapse"],
        ..leaf("joint", &["name", "type"])
    },
    Element { idle: &["D", "K", "mu_coulomb", "mu_viscous"], ..leaf("dynamics", &["damping", "friction"]) },
    Element {
        idle: &["velocity", "acceleration", "deceleration", "jerk"],
        ..leaf("limit", &["lower", "upper", "effort"])
    },
    leaf("origin", &["xyz", "rpy", "quat_xyzw"]),
    leaf("mass", &["value"]),
    leaf("inertia", &["ixx", "ixy", "ixz", "iyy", "iyz", "izz"]),
    leaf("box", &["size"]),
    leaf("cylinder", &["radius", "length"]),
    leaf("sphere", &["radius"]),
    leaf("capsule", &["radius", "length"]),
    leaf("mesh", &["filename", "scale"]),
    leaf("lateral_friction", &["value"]),
    leaf("parent", &["link"]),
    leaf("child", &["link"]),
    leaf("axis", &["xyz"]),
    leaf("mimic", &["joint", "multiplier", "offset"]),
];

/// Why known names are left out.
const IDLE: &str = "not used: it is for drawing, control or other programs";
/// Why other names are left out.
const UNKNOWN: &str = "not known, and left out as asked";

/// Checks every name in the file, and lists what is not used.
pub(super) fn check(reader: &mut Reader) -> Result<(), FormatError> {
    let xml = reader.xml;
    let root = xml.root();
    if root.tag_name().name() != "robot" {
        let hint = if root.has_tag_name("mujoco") { "; this is MJCF: name the file .xml" } else { "" };
        return Err(xml.error(root, format!("a URDF file begins with <robot>{hint}")));
    }
    let mut open = vec![(root, &ELEMENTS[0])];
    while let Some((node, element)) = open.pop() {
        check_attributes(reader, node, element)?;
        let mut seen: Vec<&str> = Vec::new();
        for child in node.children() {
            if child.is_text() && child.text().is_some_and(|t| !t.trim().is_empty()) {
                let text = clip(child.text().unwrap_or_default().trim());
                return Err(xml.error(node, format!("text \"{text}\" has no meaning here; remove it")));
            }
            if !child.is_element() {
                continue;
            }
            let name = child.tag_name().name();
            if child.tag_name().namespace() != root.tag_name().namespace() {
                foreign(reader, child)?;
            } else if element.idle.contains(&name) {
                reader.leave_out(child, IDLE);
            } else if element.many.contains(&name) || element.once.contains(&name) {
                if element.once.contains(&name) && seen.contains(&name) {
                    return Err(xml.error(node, format!("holds <{name}> twice; only one has a meaning")));
                }
                seen.push(name);
                open.extend(ELEMENTS.iter().find(|e| e.name == name).map(|inner| (child, inner)));
            } else if reader.options.skip_unknown {
                reader.leave_out(child, UNKNOWN);
            } else {
                let known = element.once.iter().chain(element.many).copied();
                let problem = format!("is not known inside <{}>{}", element.name, did_you_mean(name, known));
                return Err(xml.error(child, problem));
            }
        }
    }
    Ok(())
}

fn check_attributes(reader: &mut Reader, node: Node, element: &Element) -> Result<(), FormatError> {
    for attribute in node.attributes() {
        let name = attribute.name();
        // a schema's location and the like may stand at the robot
        let foreign = attribute.namespace().is_some();
        if (foreign && element.name == "robot") || (!foreign && element.attributes.contains(&name)) {
            continue;
        }
        if element.idle.contains(&name) {
            reader.leave_out_attribute(node, name, IDLE);
        } else if reader.options.skip_unknown {
            reader.leave_out_attribute(node, name, UNKNOWN);
        } else {
            let hint = did_you_mean(name, element.attributes.iter().copied());
            return Err(reader.xml.error(node, format!("attribute \"{}\" is not known{hint}", clip(name))));
        }
    }
    Ok(())
}

/// The error for an element of another namespace; macros have an error of their own.
fn foreign(reader: &mut Reader, node: Node) -> Result<(), FormatError> {
    if node.tag_name().namespace().is_some_and(|uri| uri.contains("xacro")) {
        return Err(reader.xml.error(node, "is a xacro macro; expand the file with `xacro` first"));
    }
    if reader.options.skip_unknown {
        reader.leave_out(node, UNKNOWN);
        return Ok(());
    }
    Err(reader.xml.error(node, "belongs to another namespace, whose meaning is not known; remove it"))
}
