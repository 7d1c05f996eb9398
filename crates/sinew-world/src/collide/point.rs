//! Signed distance of a point to a solid: negative inside, with the surface point and the outward normal there.
//!
//! Everything is in the frame of the solid. Outside, the surface point is the nearest one of the solid. Inside, it is the
//! nearest one of the surface; where several are equally near (the centre of a sphere) one of them is taken, the same
//! every time.

use super::vector::{clamp, length, unit_or};
use sinew_dynamics::spatial::Vec3;

/// The nearest point of a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// Distance to the surface, negative inside.
    pub(super) distance: f64,
    /// Outward unit normal of the surface there.
    pub(super) normal: Vec3,
    /// The point on the surface.
    pub(super) on_surface: Vec3,
}

/// To a ball about the origin.
pub(super) fn of_ball(p: &Vec3, radius: f64) -> Nearest {
    let r = length(p);
    let normal = unit_or(p, &Vec3::z());
    Nearest { distance: r - radius, normal, on_surface: normal * radius }
}

/// To a box.
pub(super) fn of_box(p: &Vec3, half: &Vec3) -> Nearest {
    let inside = p.zip_map(half, clamp);
    let off = p - inside;
    let distance = length(&off);
    if distance > 1e-150 {
        return Nearest { distance, normal: off / distance, on_surface: inside };
    }
    // inside: the nearest face
    let depth = Vec3::new(half.x - p.x.abs(), half.y - p.y.abs(), half.z - p.z.abs());
    let k = depth.imin();
    let mut normal = Vec3::zeros();
    normal[k] = 1.0_f64.copysign(p[k]);
    let mut on_surface = *p;
    on_surface[k] = half[k].copysign(p[k]);
    Nearest { distance: -depth[k], normal, on_surface }
}

/// To a cylinder along z.
pub(super) fn of_cylinder(p: &Vec3, radius: f64, half: f64) -> Nearest {
    let r = (p.x * p.x + p.y * p.y).sqrt();
    let across = unit_or(&Vec3::new(p.x, p.y, 0.0), &Vec3::x());
    let end = 1.0_f64.copysign(p.z);
    let (side, cap) = (r - radius, p.z.abs() - half);
    let on = |r: f64, z: f64| Vec3::new(across.x * r, across.y * r, z);
    if side > 0.0 && cap > 0.0 {
        // the rim
        let distance = (side * side + cap * cap).sqrt();
        let normal = Vec3::new(across.x * side, across.y * side, end * cap) / distance;
        Nearest { distance, normal, on_surface: on(radius, end * half) }
    } else if cap > side {
        Nearest { distance: cap, normal: Vec3::new(0.0, 0.0, end), on_surface: on(r, end * half) }
    } else {
        Nearest { distance: side, normal: across, on_surface: on(radius, p.z) }
    }
}
