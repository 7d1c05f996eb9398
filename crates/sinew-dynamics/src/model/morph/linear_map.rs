//! The effect of a symmetric positive linear map on inertia and shapes.
//!
//! | shape | image under `S` |
//! | --- | --- |
//! | mesh, plane's place, every centre | exact |
//! | capsule, cylinder | the axis is mapped exactly; the radius grows by `√(det S / stretch of the axis)`, so that a cylinder has the right volume; a capsule's caps stay round |
//! | sphere | stays a sphere, of the image's volume: radius times `∛(det S)` |
//! | box, ellipsoid | exact when its axes are those of `S`; else the nearest of its kind: `S G = R P` (polar), turned to `R` with half sizes times `exp (log P)ᵢᵢ`, which keeps the image's volume |
//!
//! Each rule followed by the rule for `S⁻¹` gives the shape back.

use super::MassRule;
use crate::spatial::{Inertia, Mat3, Quat, Sym3, Vec3, rotation};
use crate::{Geom, Shape};
use nalgebra::Unit;

/// Mass, centre and tensor of the mapped body.
pub(super) fn inertia(of: &Inertia, map: &Mat3, rule: MassRule) -> Inertia {
    let grown = match rule {
        MassRule::Density => map.determinant(),
        MassRule::Kept => 1.0,
    };
    let i = of.about_com.to_mat3();
    let second = Mat3::identity() * (0.5 * i.trace()) - i;
    let mapped = map * second * map * grown;
    let about_com = Sym3::from_lower(&(Mat3::identity() * mapped.trace() - mapped));
    Inertia { mass: of.mass * grown, com: map * of.com, about_com }
}

/// Maps a shape and its place.
pub(super) fn geom(geom: &mut Geom, map: &Mat3) {
    geom.pos = map * geom.pos;
    let uniform = map[(0, 0)];
    let volume = map.determinant();
    let is_uniform = *map == Mat3::identity() * uniform;
    let turned = rotation::to_matrix(&geom.quat);
    match &mut geom.shape {
        Shape::Plane { .. } => {}
        Shape::Sphere { radius } => *radius *= if is_uniform { uniform } else { libm::cbrt(volume) },
        Shape::Capsule { radius, half } | Shape::Cylinder { radius, half } if is_uniform => {
            *radius *= uniform;
            *half *= uniform;
        }
        Shape::Capsule { radius, half } | Shape::Cylinder { radius, half } => {
            let axis: Vec3 = turned.column(2).into();
            let image = map * axis;
            let stretch = image.norm();
            *half *= stretch;
            *radius *= libm::sqrt(volume / stretch);
            geom.quat = between(&axis, &(image / stretch)) * geom.quat;
        }
        Shape::Box { half } | Shape::Ellipsoid { half } if is_uniform => *half *= uniform,
        Shape::Box { half } | Shape::Ellipsoid { half } => {
            let (turn, stretch) = polar(&(map * turned), &turned, map);
            *half = half.component_mul(&stretch);
            if let Some(turn) = turn {
                geom.quat = turn;
            }
        }
        Shape::Mesh { vertices, .. } => {
            let local = turned.transpose() * map * turned;
            vertices.iter_mut().for_each(|v| *v = local * *v);
        }
    }
}

/// The shortest turn that takes one unit vector to another.
fn between(from: &Vec3, to: &Vec3) -> Quat {
    let axis = from.cross(to);
    let (sin, cos) = (axis.norm(), from.dot(to));
    match Unit::try_new(axis, 1e-300) {
        Some(axis) => rotation::exp(&(axis.into_inner() * libm::atan2(sin, cos))),
        None => Quat::identity(),
    }
}

/// Rotation and logarithmic stretch along its axes of `b = S G`; no rotation when the axes of `G` are those of `S`.
fn polar(b: &Mat3, g: &Mat3, map: &Mat3) -> (Option<Quat>, Vec3) {
    // S in the shape's axes; diagonal: nothing turns
    let local = g.transpose() * map * g;
    let off = [local[(0, 1)], local[(0, 2)], local[(1, 2)]].iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if off <= 1e-14 * local.norm() {
        return (None, local.diagonal());
    }
    // P² = bᵀ b; log and inverse of P through its eigenvectors
    let eigen = (b.transpose() * b).symmetric_eigen();
    let (v, squares) = (eigen.eigenvectors, eigen.eigenvalues);
    let log = v * Mat3::from_diagonal(&squares.map(|x| 0.5 * libm::log(x))) * v.transpose();
    let inverse = v * Mat3::from_diagonal(&squares.map(|x| 1.0 / libm::sqrt(x))) * v.transpose();
    (Some(rotation::from_matrix(&(b * inverse))), log.diagonal().map(libm::exp))
}
