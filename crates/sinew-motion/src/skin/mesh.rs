//! Triangles that follow bodies.

use super::limbs::{Limbs, Weights, nearest};
use super::surface::{Cell, Surface, surface};
use sinew_dynamics::spatial::{Placement, Vec3};
use sinew_dynamics::{Geom, Shape};
use std::collections::{HashMap, HashSet};

/// Vertices of two limbs in one cell that are nearer than this part of it are one.
const SAME: f64 = 0.02;
/// … when the cosine between their normals is greater than this.
const ALIKE: f64 = 0.95;
/// How far a limb's surface goes on where another is nearer, in cells.
const OVERLAP: f64 = 1.5;
/// Directions around and from pole to pole of shapes drawn on their own.
const AROUND: usize = 14;
const DOWN: usize = 9;

/// A vertex in the world, with the character in its reference placement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) position: Vec3,
    pub(super) normal: Vec3,
    pub(super) weights: Weights,
}

impl Vertex {
    pub(super) fn between(a: &Vertex, b: &Vertex, part: f64) -> Vertex {
        Vertex {
            position: a.position.lerp(&b.position, part),
            normal: a.normal.lerp(&b.normal, part).try_normalize(1e-9).unwrap_or(a.normal),
            weights: a.weights.between(&b.weights, part),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Mesh {
    pub(super) vertices: Vec<Vertex>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// The skin of all limbs, and the distance of every vertex to each of the colours.
///
/// A limb has the quadrilaterals where it is nearest, and a little beyond. Near a joint the limbs' surfaces are the same: vertices of
/// neighbours coincide, and a quadrilateral that two limbs have is taken once. Where surfaces part (an armpit) they overlap.
pub(super) fn grow(limbs: &Limbs, colors: usize, cell: f64) -> (Mesh, Vec<f64>) {
    let (mut mesh, mut distances) = (Mesh::default(), Vec::new());
    let mut known: HashMap<Cell, Vec<u32>> = HashMap::new();
    let mut taken: HashSet<[u32; 4]> = HashSet::new();
    let mut seen = Vec::new();
    for limb in 0..limbs.limbs.len() {
        let Surface { cells, positions, normals, quads } =
            surface(|p| limbs.grown(limb, p, &mut seen), limbs.bounds(limb), cell);
        let mut place = vec![u32::MAX; positions.len()];
        for (quad, crossing) in quads {
            limbs.seen(limb, &crossing, 0.0, &mut seen);
            let own = seen.iter().find(|(i, _)| *i == limb).map_or(f64::INFINITY, |s| s.1);
            if own > nearest(&seen).1 + OVERLAP * cell {
                continue;
            }
            let corners = quad.map(|v| {
                let v = v as usize;
                if place[v] == u32::MAX {
                    let here = known.entry(cells[v]).or_default();
                    // an arm and the trunk may touch: those look in opposite directions
                    let same = |n: &&u32| {
                        let other = &mesh.vertices[**n as usize];
                        let apart = (other.position - positions[v]).norm();
                        apart < SAME * cell && other.normal.dot(&normals[v]) > ALIKE
                    };
                    place[v] = here.iter().find(same).copied().unwrap_or_else(|| {
                        let weights = limbs.weights(limb, &positions[v], cell, &mut seen);
                        mesh.vertices.push(Vertex { position: positions[v], normal: normals[v], weights });
                        let from = distances.len();
                        distances.resize(from + colors, 0.0);
                        limbs.color_distances(limb, &positions[v], &mut distances[from..]);
                        here.push(mesh.vertices.len() as u32 - 1);
                        mesh.vertices.len() as u32 - 1
                    });
                }
                place[v]
            });
            let mut sorted = corners;
            sorted.sort_unstable();
            if !taken.insert(sorted) {
                continue;
            }
            // cut along the shorter diagonal
            let [a, b, c, d] = corners;
            let far = |p: u32, q: u32| {
                (mesh.vertices[p as usize].position - mesh.vertices[q as usize].position).norm_squared()
            };
            let split = if far(a, c) <= far(b, d) { [[a, b, c], [a, c, d]] } else { [[b, c, d], [b, d, a]] };
            mesh.triangles.extend(split.into_iter().filter(|[a, b, c]| a != b && b != c && a != c));
        }
    }
    (mesh, distances)
}

/// A convex shape of a body: the hull of a mesh, and of any other shape the points where its surface faces each of many directions.
///
/// Shapes with edges get flat faces between the points, which are corners of theirs.
pub(super) fn solid(geom: &Geom, body: usize, rest: &Placement, round: bool) -> Mesh {
    use core::f64::consts::PI;
    if let (Shape::Mesh { vertices, .. }, Some(hull)) = (&geom.shape, geom.shape.hull_triangles()) {
        let (at, weights) = (*rest * geom.placement(), Weights::of(body));
        let corner = |v: &Vec3| Vertex { position: at.act(v), normal: Vec3::z(), weights };
        let triangles = hull.into_iter().map(|t| t.map(|v| v as u32)).collect();
        return faceted(&Mesh { vertices: vertices.iter().map(corner).collect(), triangles });
    }
    let direction = |i: usize, j: usize| {
        let (polar, azimuth) = (PI * j as f64 / DOWN as f64, 2.0 * PI * (i % AROUND) as f64 / AROUND as f64);
        let (sin, cos) = libm::sincos(polar);
        Vec3::new(sin * libm::cos(azimuth), sin * libm::sin(azimuth), cos)
    };
    let weights = Weights::of(body);
    let vertex =
        |dir: Vec3| Vertex { position: rest.act(&geom.support(&dir)), normal: rest.rot * dir, weights };
    let mut mesh = Mesh::default();
    // the poles once, the rings between them
    mesh.vertices.push(vertex(Vec3::z()));
    mesh.vertices.extend(
        (1..DOWN).flat_map(|j| (0..AROUND).map(move |i| (i, j))).map(|(i, j)| vertex(direction(i, j))),
    );
    mesh.vertices.push(vertex(-Vec3::z()));
    let at = |i: usize, j: usize| match j {
        0 => 0,
        DOWN => (1 + (DOWN - 1) * AROUND) as u32,
        _ => (1 + (j - 1) * AROUND + i % AROUND) as u32,
    };
    for j in 0..DOWN {
        for i in 0..AROUND {
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
            mesh.triangles
                .extend([[a, b, c], [a, c, d]].iter().filter(|[a, b, c]| a != b && b != c && a != c));
        }
    }
    if round { mesh } else { faceted(&mesh) }
}

/// Every triangle with corners of its own and a flat normal; those without area are left out.
fn faceted(mesh: &Mesh) -> Mesh {
    let mut out = Mesh::default();
    for triangle in &mesh.triangles {
        let corners = triangle.map(|v| mesh.vertices[v as usize]);
        let [a, b, c] = corners.map(|v| v.position);
        let Some(normal) = (b - a).cross(&(c - a)).try_normalize(1e-12) else { continue };
        let first = out.vertices.len() as u32;
        out.vertices.extend(corners.map(|v| Vertex { normal, ..v }));
        out.triangles.push([first, first + 1, first + 2]);
    }
    out
}
