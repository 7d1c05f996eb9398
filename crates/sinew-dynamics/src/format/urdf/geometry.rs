//! Shapes of collision and visual elements.

use super::reader::{Reader, child};
use crate::format::nearest::clip;
use crate::format::{FormatError, mesh};
use crate::spatial::Vec3;
use crate::{Geom, Shape};
use roxmltree::Node;

/// Most vertices of all meshes together.
const MAX_VERTICES: usize = 2_000_000;

/// What a shape is for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Purpose {
    Collision,
    Drawing,
}

/// The shape of a `<collision>` or `<visual>`; `None`: a mesh that is left out, and listed.
pub(super) fn read_geom<'t>(
    reader: &mut Reader<'_, 't>,
    node: Node<'_, 't>,
    purpose: Purpose,
) -> Result<Option<Geom>, FormatError> {
    let (quat, pos) = reader.origin(node)?;
    let geometry = child(node, "geometry")
        .ok_or_else(|| reader.xml.error(node, "needs <geometry> with a shape inside"))?;
    let mut shapes = geometry.children().filter(Node::is_element);
    let (Some(shape), None) = (shapes.next(), shapes.next()) else {
        return Err(reader.xml.error(geometry, "needs exactly one shape"));
    };
    let Some(shape) = read_shape(reader, shape, purpose)? else { return Ok(None) };
    let mut geom = Geom { pos, quat, ..Geom::new(shape) };
    geom.name = node.attribute("name").unwrap_or_default().to_owned();
    if purpose == Purpose::Drawing {
        (geom.contype, geom.conaffinity) = (0, 0);
    }
    Ok(Some(geom))
}

fn read_shape<'t>(
    reader: &mut Reader<'_, 't>,
    node: Node<'_, 't>,
    purpose: Purpose,
) -> Result<Option<Shape>, FormatError> {
    Ok(Some(match node.tag_name().name() {
        "box" => {
            reader.text(node, "size")?;
            let size = Vec3::from(reader.numbers::<3>(node, "size")?.unwrap_or_default());
            if !size.iter().all(|s| *s > 0.0) {
                return Err(reader.xml.error(node, "every size must be greater than 0"));
            }
            Shape::Box { half: size * 0.5 }
        }
        "sphere" => Shape::Sphere { radius: reader.positive(node, "radius")? },
        "cylinder" => Shape::Cylinder {
            radius: reader.positive(node, "radius")?,
            half: 0.5 * reader.positive(node, "length")?,
        },
        "capsule" => {
            reader.assume(node, "its length is that of the cylindrical part, without the caps");
            Shape::Capsule {
                radius: reader.positive(node, "radius")?,
                half: 0.5 * reader.positive(node, "length")?,
            }
        }
        _ => return read_mesh(reader, node, purpose),
    }))
}

fn read_mesh<'t>(
    reader: &mut Reader<'_, 't>,
    node: Node<'_, 't>,
    purpose: Purpose,
) -> Result<Option<Shape>, FormatError> {
    let name = reader.text(node, "filename")?;
    let scale = Vec3::from(reader.numbers::<3>(node, "scale")?.unwrap_or([1.0; 3]));
    let loaded =
        (reader.options.load)(name).and_then(|bytes| mesh::read(name, &bytes)).and_then(|mut mesh| {
            mesh.vertices.iter_mut().for_each(|v| v.component_mul_assign(&scale));
            mesh.merge_vertices();
            reader.vertices += mesh.vertices.len();
            match mesh.vertices.len() {
                0 => Err("it has no vertices".to_owned()),
                _ if reader.vertices > MAX_VERTICES => {
                    Err(format!("all meshes have more than {MAX_VERTICES} vertices"))
                }
                _ => Ok(mesh::hull_corners(mesh.vertices)),
            }
        });
    match loaded {
        Ok(vertices) => Ok(Some(Shape::Mesh { name: name.to_owned(), vertices })),
        Err(_) if purpose == Purpose::Drawing => {
            reader.leave_out(node, "a mesh for drawing that cannot be read");
            Ok(None)
        }
        Err(_) if reader.options.skip_missing_meshes => {
            reader.leave_out(
                node,
                "a collision mesh that cannot be read, left out as asked: nothing collides there",
            );
            Ok(None)
        }
        Err(why) => {
            let problem = format!(
                "the collision mesh \"{}\" cannot be read ({}); put the file there, use a box, sphere, cylinder or \
                 capsule, or let it be left out (`sinew inspect` and `export`: --skip-missing-meshes)",
                clip(name),
                clip(&why)
            );
            Err(reader.xml.error(node, problem))
        }
    }
}
