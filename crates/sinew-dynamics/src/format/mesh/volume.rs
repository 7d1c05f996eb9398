//! Mass properties of the solid that triangles enclose.
//!
//! The solid is summed from the tetrahedra between an apex and each triangle. With corners `a b c` seen from the apex
//!
//! ```text
//! V = a·(b×c)/6,   ∫x dV = V (a+b+c)/4,   ∫x xᵀ dV = V/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ),  s = a+b+c.
//! ```
//!
//! Signed volumes are exact for a closed surface wherever the apex is. MuJoCo's default for meshes takes absolute
//! volumes instead, with the apex at the centroid of the surface for volume and centre of mass, and at that centre for
//! the second moments: the same for convex meshes, larger for others.

use super::TriangleMesh;
use crate::spatial::{Inertia, Mat3, Sym3, Vec3};

/// How tetrahedra count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rule {
    /// With the sign of their orientation.
    Exact,
    /// All positive.
    Absolute,
}

/// Inertia at unit density (the mass is the volume), or `None` when the triangles enclose nothing.
pub(crate) fn solid(mesh: &TriangleMesh, rule: Rule) -> Option<Inertia> {
    let centroid = surface_centroid(mesh)?;
    let (volume, first, _) = moments(mesh, &centroid, rule);
    // a surface turned inside out encloses the same solid
    let turned = if volume < 0.0 { -1.0 } else { 1.0 };
    let volume = volume * turned;
    if !(volume > 1e-14) {
        return None;
    }
    let com = centroid + first * (turned / volume);
    let (_, _, second) = moments(mesh, &com, rule);
    let second = second * turned;
    let inertia = Mat3::identity() * second.trace() - second;
    let finite = inertia.iter().chain(com.iter()).all(|x| x.is_finite());
    finite.then(|| Inertia { mass: volume, com, about_com: Sym3::from_lower(&inertia) })
}

/// Mean of the triangles' centres, weighted by area.
fn surface_centroid(mesh: &TriangleMesh) -> Option<Vec3> {
    let (mut area, mut sum) = (0.0, Vec3::zeros());
    for t in &mesh.triangles {
        let [a, b, c] = t.map(|i| mesh.vertices[i]);
        let weight = 0.5 * (b - a).cross(&(c - a)).norm();
        area += weight;
        sum += (a + b + c) * (weight / 3.0);
    }
    (area > 0.0).then(|| sum / area)
}

/// Volume, first and second moments about the apex.
fn moments(mesh: &TriangleMesh, apex: &Vec3, rule: Rule) -> (f64, Vec3, Mat3) {
    let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
    for t in &mesh.triangles {
        let [a, b, c] = t.map(|i| mesh.vertices[i] - apex);
        let signed = a.dot(&b.cross(&c)) / 6.0;
        let v = if rule == Rule::Absolute { signed.abs() } else { signed };
        let s = a + b + c;
        volume += v;
        first += s * (v / 4.0);
        let products = a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose();
        second += products * (v / 20.0);
    }
    (volume, first, second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::mesh::convex_hull;

    fn cuboid(low: Vec3, high: Vec3) -> TriangleMesh {
        let at = |k: usize| {
            Vec3::new([low.x, high.x][k & 1], [low.y, high.y][k >> 1 & 1], [low.z, high.z][k >> 2])
        };
        let vertices: Vec<Vec3> = (0..8).map(at).collect();
        let triangles = convex_hull(&vertices).unwrap();
        TriangleMesh { vertices, triangles }
    }

    #[test]
    fn a_box_has_the_inertia_of_a_box() {
        let mesh = cuboid(Vec3::new(1.0, -2.0, 0.5), Vec3::new(1.2, -1.6, 1.5));
        let size = Vec3::new(0.2, 0.4, 1.0);
        let exact = Inertia::solid_box(0.08, size).moved(&Vec3::new(1.1, -1.8, 1.0));
        for rule in [Rule::Exact, Rule::Absolute] {
            let found = solid(&mesh, rule).unwrap();
            assert!((found.mass - exact.mass).abs() < 1e-15);
            assert!((found.com - exact.com).norm() < 1e-14);
            assert!((found.about_com.to_mat3() - exact.about_com.to_mat3()).norm() < 1e-15);
        }
    }

    #[test]
    fn two_boxes_as_one_surface_count_exactly() {
        let (one, two) = (
            cuboid(Vec3::zeros(), Vec3::repeat(1.0)),
            cuboid(Vec3::new(3.0, 0.0, 0.0), Vec3::new(4.0, 1.0, 1.0)),
        );
        let mut both = one.clone();
        both.vertices.extend(&two.vertices);
        both.triangles.extend(two.triangles.iter().map(|t| t.map(|i| i + 8)));
        let exact = solid(&one, Rule::Exact).unwrap() + solid(&two, Rule::Exact).unwrap();
        let found = solid(&both, Rule::Exact).unwrap();
        assert!((found.mass - 2.0).abs() < 1e-14 && (found.com - exact.com).norm() < 1e-14);
        assert!((found.about_com.to_mat3() - exact.about_com.to_mat3()).norm() < 1e-13);
        assert!(solid(&both, Rule::Absolute).unwrap().mass > 2.1);
        // inside out is the same solid; a flat sheet is none
        both.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        assert!((solid(&both, Rule::Exact).unwrap().mass - 2.0).abs() < 1e-14);
        both.triangles.truncate(2);
        both.triangles.iter_mut().for_each(|t| *t = [0, 1, 2]);
        assert_eq!(solid(&both, Rule::Exact), None);
    }
}
