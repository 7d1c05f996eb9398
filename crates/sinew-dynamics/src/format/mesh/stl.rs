//! STL, binary and ASCII.
//!
//! Binary: 80 bytes of header, a count, then 50 bytes per triangle (normal, three corners, two spare bytes), all
//! little-endian f32. A file is binary when its length fits the count; else it must begin with `solid`.

use super::{MAX_VERTICES, TriangleMesh};
use crate::spatial::Vec3;

const HEADER: usize = 84;
const FACET: usize = 50;

pub(super) fn read(bytes: &[u8]) -> Result<TriangleMesh, String> {
    let mut mesh = match binary_count(bytes) {
        Some(count) => binary(bytes, count)?,
        None => ascii(bytes)?,
    };
    if mesh.triangles.is_empty() {
        return Err("the STL file has no triangles".into());
    }
    mesh.merge_vertices();
    Ok(mesh)
}

/// Number of triangles of a binary file, when the length agrees with it.
fn binary_count(bytes: &[u8]) -> Option<usize> {
    let count: [u8; 4] = bytes.get(HEADER - 4..HEADER)?.try_into().ok()?;
    let count = u32::from_le_bytes(count) as usize;
    (bytes.len() == HEADER + count * FACET).then_some(count)
}

fn binary(bytes: &[u8], count: usize) -> Result<TriangleMesh, String> {
    if count > MAX_VERTICES {
        return Err(format!("the STL file has more than {MAX_VERTICES} triangles"));
    }
    let mut mesh = TriangleMesh::default();
    for facet in bytes[HEADER..].chunks_exact(FACET) {
        // after the normal, which the corners' order gives as well
        let coordinate = |k: usize| {
            let at = 12 + 4 * k;
            f64::from(f32::from_le_bytes([facet[at], facet[at + 1], facet[at + 2], facet[at + 3]]))
        };
        push(&mut mesh, [0, 3, 6].map(|k| Vec3::new(coordinate(k), coordinate(k + 1), coordinate(k + 2))));
    }
    Ok(mesh)
}

fn ascii(bytes: &[u8]) -> Result<TriangleMesh, String> {
    let text = core::str::from_utf8(bytes).ok().filter(|t| t.trim_start().starts_with("solid"));
    let text = text.ok_or("not an STL file: neither binary of the right length nor ASCII")?;
    let mut mesh = TriangleMesh::default();
    let mut corners = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("vertex") => {
                let mut next = || words.next().and_then(|w| w.parse::<f64>().ok());
                let (Some(x), Some(y), Some(z)) = (next(), next(), next()) else {
                    return Err(format!("\"{}\" is not an STL vertex", line.trim()));
                };
                corners.push(Vec3::new(x, y, z));
            }
            Some("endfacet") => {
                let Ok(triangle) = <[Vec3; 3]>::try_from(core::mem::take(&mut corners)) else {
                    return Err("an STL facet does not have three corners".into());
                };
                if mesh.triangles.len() == MAX_VERTICES {
                    return Err(format!("the STL file has more than {MAX_VERTICES} triangles"));
                }
                push(&mut mesh, triangle);
            }
            _ => {}
        }
    }
    Ok(mesh)
}

fn push(mesh: &mut TriangleMesh, corners: [Vec3; 3]) {
    let n = mesh.vertices.len();
    mesh.vertices.extend(corners);
    mesh.triangles.push([n, n + 1, n + 2]);
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASCII: &str = "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n\
        endloop\nendfacet\nfacet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\n\
        endfacet\nendsolid t\n";

    fn to_binary(mesh: &TriangleMesh) -> Vec<u8> {
        let mut bytes = vec![0; 80];
        bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
        for t in &mesh.triangles {
            bytes.extend([0; 12]);
            for i in t {
                mesh.vertices[*i].iter().for_each(|x| bytes.extend((*x as f32).to_le_bytes()));
            }
            bytes.extend([0; 2]);
        }
        bytes
    }

    #[test]
    fn ascii_and_binary_agree() {
        let mesh = read(ASCII.as_bytes()).unwrap();
        assert_eq!((mesh.vertices.len(), mesh.triangles.as_slice()), (3, [[0, 1, 2], [0, 2, 1]].as_slice()));
        assert_eq!(read(&to_binary(&mesh)).unwrap(), mesh);
    }

    #[test]
    fn damaged_files_are_refused() {
        let binary = to_binary(&read(ASCII.as_bytes()).unwrap());
        assert!(read(&binary[..100]).is_err());
        assert!(read(b"").is_err());
        assert!(read(ASCII.replace("vertex 1 0 0", "vertex 1 0").as_bytes()).is_err());
        assert!(read(ASCII.replace("vertex 1 0 0\n", "").as_bytes()).is_err());
        assert!(read(b"solid empty\nendsolid").is_err());
    }
}
