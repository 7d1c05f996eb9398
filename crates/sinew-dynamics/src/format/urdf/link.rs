//! Links: inertia and shapes.

use super::geometry::{Purpose, read_geom};
use super::reader::{Reader, child};
use crate::Geom;
use crate::format::FormatError;
use crate::spatial::{Inertia, Sym3, rotation};
use roxmltree::Node;

/// Moments below this are zero but for rounding, kg·m².
const ROUNDING: f64 = 1e-15;

/// Mass, centre of mass and tensor of a link, in its own axes.
pub(super) fn read_inertia<'t>(
    reader: &mut Reader<'_, 't>,
    link: Node<'_, 't>,
) -> Result<Inertia, FormatError> {
    let Some(inertial) = child(link, "inertial") else {
        reader.assume(link, "no <inertial>, so its mass is 0");
        return Ok(Inertia::ZERO);
    };
    let (quat, com) = reader.origin(inertial)?;
    let mass_node = reader.inner(inertial, "mass")?;
    reader.text(mass_node, "value")?;
    let mass = reader.number(mass_node, "value")?.unwrap_or_default();
    if mass < 0.0 {
        return Err(reader.xml.error(mass_node, format!("a mass of {mass} kg is negative")));
    }

    let node = reader.inner(inertial, "inertia")?;
    for diagonal in ["ixx", "iyy", "izz"] {
        reader.text(node, diagonal)?;
    }
    let entry = |name| Ok::<f64, FormatError>(reader.number(node, name)?.unwrap_or_default());
    let tensor = Sym3 {
        xx: entry("ixx")?,
        yy: entry("iyy")?,
        zz: entry("izz")?,
        xy: entry("ixy")?,
        xz: entry("ixz")?,
        yz: entry("iyz")?,
    };
    // the tensor is given in the axes of the inertial frame
    let about_com = tensor.rotated(&rotation::to_matrix(&quat));
    let [least, _, most] = about_com.eigenvalues();
    if most.abs() < ROUNDING && least.abs() < ROUNDING {
        return Ok(Inertia { mass, com, about_com: Sym3::ZERO });
    }
    if !(least >= -1e-9 * most.abs()) {
        let problem = format!(
            "the tensor is not that of a body: its principal moments run from {least:.3e} to {most:.3e} kg·m²; none may be \
             negative"
        );
        return Err(reader.xml.error(node, problem));
    }
    Ok(Inertia { mass, com, about_com })
}

/// Collision shapes, or visual ones that collide with nothing where there are none.
pub(super) fn read_geoms<'t>(
    reader: &mut Reader<'_, 't>,
    link: Node<'_, 't>,
) -> Result<Vec<Geom>, FormatError> {
    let mut geoms = Vec::new();
    let of = |tag: &'static str| {
        link.children().filter(move |c: &Node| c.is_element() && c.tag_name().name() == tag)
    };
    for node in of("collision") {
        geoms.extend(read_geom(reader, node, Purpose::Collision)?);
    }
    let collides = of("collision").next().is_some();
    for node in of("visual") {
        if collides {
            reader.leave_out(node, "for drawing only; the link's collision shapes stand for it");
            continue;
        }
        geoms.extend(read_geom(reader, node, Purpose::Drawing)?);
    }
    let friction = child(link, "contact").and_then(|c| child(c, "lateral_friction"));
    if let Some(value) = friction {
        reader.text(value, "value")?;
        let friction = reader.number(value, "value")?.unwrap_or_default();
        if friction < 0.0 {
            return Err(reader.xml.error(value, "friction cannot be negative"));
        }
        geoms.iter_mut().for_each(|g| g.friction = friction);
    }
    Ok(geoms)
}
