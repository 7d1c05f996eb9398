//! Triangle meshes: reading STL and OBJ, convex hull, mass properties.

mod hull;
mod obj;
mod stl;
mod volume;

pub(crate) use hull::{convex_hull, hull_corners};
pub(crate) use volume::{Rule, solid};

use crate::spatial::Vec3;
use std::collections::HashMap;

/// Most vertices or triangles of a mesh.
pub(crate) const MAX_VERTICES: usize = 1_000_000;

/// Vertices and triangles; a triangle's corners run counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TriangleMesh {
    pub(crate) vertices: Vec<Vec3>,
    pub(crate) triangles: Vec<[usize; 3]>,
}

/// Reads a mesh file by the ending of its name.
pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<TriangleMesh, String> {
    let ending = name.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
    let mesh = match ending.as_str() {
        "stl" => stl::read(bytes)?,
        "obj" => obj::read(bytes)?,
        other => {
            return Err(format!(
                "mesh files of type \"{other}\" are not supported; convert it to STL or OBJ"
            ));
        }
    };
    if !mesh.vertices.iter().all(|v| v.iter().all(|x| x.abs() <= 1e30)) {
        return Err("a vertex is not a finite point".into());
    }
    Ok(mesh)
}

impl TriangleMesh {
    /// Makes vertices at the same point one and drops triangles that thereby lose their area.
    pub(crate) fn merge_vertices(&mut self) {
        let mut first: HashMap<[u64; 3], usize> = HashMap::with_capacity(self.vertices.len());
        let mut merged = Vec::new();
        let index: Vec<usize> = self
            .vertices
            .iter()
            .map(|v| {
                // −0 and 0 are the same coordinate
                let key = [v.x, v.y, v.z].map(|x| (x + 0.0).to_bits());
                *first.entry(key).or_insert_with(|| {
                    merged.push(*v);
                    merged.len() - 1
                })
            })
            .collect();
        self.vertices = merged;
        self.triangles = self.triangles.iter().map(|t| t.map(|i| index[i])).collect();
        self.triangles.retain(|[a, b, c]| a != b && b != c && c != a);
    }
}
