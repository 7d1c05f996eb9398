//! Colours with crisp borders on a mesh: triangles are cut where the nearest colour changes.
//!
//! For every colour there is a distance, to the nearest shape that wears it. A vertex wears the nearest colour. Along an edge whose
//! ends differ the border lies where the two distances are equal; there the triangle is cut, and the new vertices are made
//! twice, once in each colour.

use super::mesh::{Mesh, Vertex};
use std::collections::HashMap;

/// Cuts the triangles of a mesh. `distances` holds, vertex after vertex, the distance to each of the colours. Returns the colour
/// of every triangle.
pub(super) fn dye(mesh: &mut Mesh, distances: &[f64], colors: usize) -> Vec<usize> {
    let wears: Vec<usize> = distances.chunks_exact(colors).map(nearest).collect();
    let triangles = core::mem::take(&mut mesh.triangles);
    let mut made: HashMap<[u32; 2], u32> = HashMap::new();
    let mut dyed = Vec::with_capacity(triangles.len());
    for corners in triangles {
        let [a, b, c] = corners.map(|v| wears[v as usize]);
        if a == b && b == c {
            mesh.triangles.push(corners);
            dyed.push(a);
            continue;
        }
        // turn the triangle so that the odd corner comes first; with three colours the last wears that of the second
        let odd = if b == c {
            0
        } else if a == c {
            1
        } else {
            2
        };
        let [o, u, v] = [0, 1, 2].map(|k| corners[(odd + k) % 3]);
        // the vertex at the border between two, once for each side
        let mut border = |mesh: &mut Mesh, from: u32, to: u32| {
            *made.entry([from, to]).or_insert_with(|| {
                // the same place to the bit from both sides
                let ends = [from.min(to), from.max(to)].map(|v| v as usize);
                let part = border(distances, colors, ends.map(|v| (v, wears[v])));
                let [a, b] = ends.map(|v| mesh.vertices[v]);
                let between = Vertex::between(&a, &b, part);
                mesh.vertices.push(between);
                mesh.vertices.len() as u32 - 1
            })
        };
        let tip = [o, border(mesh, o, u), border(mesh, o, v)];
        let (ou, ov) = (border(mesh, u, o), border(mesh, v, o));
        mesh.triangles.extend([tip, [ou, u, v], [ou, v, ov]]);
        let rest = wears[u as usize];
        dyed.extend([wears[o as usize], rest, rest]);
    }
    dyed
}

/// Where between two vertices their colours are equally near.
fn border(distances: &[f64], colors: usize, [(a, p), (b, q)]: [(usize, usize); 2]) -> f64 {
    let d = |vertex: usize, color: usize| distances[vertex * colors + color];
    // positive at both ends: how much nearer the own colour is
    let (here, there) = (d(a, q) - d(a, p), d(b, p) - d(b, q));
    if here + there > 0.0 { here / (here + there) } else { 0.5 }
}

fn nearest(distances: &[f64]) -> usize {
    (1..distances.len()).fold(0, |best, i| if distances[i] < distances[best] { i } else { best })
}
