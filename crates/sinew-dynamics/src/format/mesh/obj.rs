//! Wavefront OBJ: vertices and faces; everything else in such a file is for drawing.

use super::{MAX_VERTICES, TriangleMesh};
use crate::spatial::Vec3;

pub(super) fn read(bytes: &[u8]) -> Result<TriangleMesh, String> {
    let text = core::str::from_utf8(bytes).map_err(|_| "the OBJ file is not UTF-8 text")?;
    let mut mesh = TriangleMesh::default();
    for (nth, line) in text.lines().enumerate() {
        let wrong = |what: &str| format!("line {} of the OBJ file: {what}", nth + 1);
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let mut next = || words.next().and_then(|w| w.parse::<f64>().ok());
                let (Some(x), Some(y), Some(z)) = (next(), next(), next()) else {
                    return Err(wrong("a vertex needs three numbers"));
                };
                mesh.vertices.push(Vec3::new(x, y, z));
            }
            Some("f") => {
                let corners: Option<Vec<usize>> = words.map(|w| corner(w, mesh.vertices.len())).collect();
                let corners = corners.ok_or_else(|| wrong("a corner is not a vertex of this file"))?;
                if corners.len() < 3 {
                    return Err(wrong("a face needs three corners"));
                }
                // a polygon is a fan of triangles
                mesh.triangles.extend(corners[1..].windows(2).map(|w| [corners[0], w[0], w[1]]));
            }
            _ => {}
        }
        if mesh.vertices.len() > MAX_VERTICES || mesh.triangles.len() > MAX_VERTICES {
            return Err(format!("the OBJ file has more than {MAX_VERTICES} vertices or triangles"));
        }
    }
    if mesh.vertices.is_empty() {
        return Err("the OBJ file has no vertices".into());
    }
    mesh.merge_vertices();
    Ok(mesh)
}

/// The vertex of a corner `v`, `v/vt`, `v//vn` or `v/vt/vn`, counted from 1 or, when negative, from the last one.
fn corner(word: &str, vertices: usize) -> Option<usize> {
    let index: i64 = word.split('/').next()?.parse().ok()?;
    let zero_based = if index < 0 { vertices as i64 + index } else { index - 1 };
    usize::try_from(zero_based).ok().filter(|i| *i < vertices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_of_every_form() {
        let text = "# square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3//1 4\nf -1 -2 -4\n";
        let mesh = read(text.as_bytes()).unwrap();
        assert_eq!(mesh.vertices.len(), 4);
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3], [3, 2, 0]]);
    }

    #[test]
    fn wrong_faces_are_refused() {
        for face in ["f 1 2 4", "f 0 1 2", "f 1 2", "f 1 2 x", "f -4 1 2"] {
            let text = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{face}\n");
            let e = read(text.as_bytes()).unwrap_err();
            assert!(e.starts_with("line 4 of the OBJ file"), "{face}: {e}");
        }
    }
}
