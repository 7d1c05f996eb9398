//! Seeded shapes and placements.

use rand::{RngExt, SeedableRng};
use sinew_dynamics::spatial::{Placement, Vec3, rotation};
use sinew_world::collide::Shape;

/// A seeded source of everything a collision test needs.
pub(crate) struct Random(rand_pcg::Pcg64);

/// The shapes with a volume, by number.
pub(crate) const KINDS: usize = 6;

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(rand_pcg::Pcg64::seed_from_u64(seed))
    }

    /// A number in `[low, high)`.
    pub(crate) fn real(&mut self, low: f64, high: f64) -> f64 {
        self.0.random_range(low..high)
    }

    /// An index below `n`.
    pub(crate) fn index(&mut self, n: usize) -> usize {
        self.0.random_range(0..n)
    }

    /// Three numbers in `[−size, size)`.
    pub(crate) fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.real(-size, size), self.real(-size, size), self.real(-size, size))
    }

    /// A direction, evenly distributed.
    pub(crate) fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            let n = v.norm();
            if n > 0.1 && n < 1.0 {
                return v / n;
            }
        }
    }

    /// A frame within `size` of the origin, turned by any angle.
    pub(crate) fn placement(&mut self, size: f64) -> Placement {
        let turn = self.direction() * self.real(0.0, 3.1);
        Placement::new(rotation::exp(&turn), self.vector(size))
    }

    /// A frame moved by up to `by` (m, rad).
    pub(crate) fn nudged(&mut self, at: &Placement, by: f64) -> Placement {
        let turn = rotation::to_matrix(&rotation::exp(&self.vector(by)));
        Placement { rot: turn * at.rot, pos: at.pos + self.vector(by) }
    }

    /// A shape of one of [`KINDS`] kinds: sphere, capsule, box, ellipsoid, cylinder, mesh.
    pub(crate) fn shape(&mut self, kind: usize) -> Shape {
        let mut size = || self.real(0.05, 0.4);
        match kind {
            0 => Shape::Sphere { radius: size() },
            1 => Shape::Capsule { radius: size(), half: size() },
            2 => Shape::Box { half: Vec3::new(size(), size(), size()) },
            3 => Shape::Ellipsoid { half: Vec3::new(size(), size(), size()) },
            4 => Shape::Cylinder { radius: size(), half: size() },
            _ => {
                let count = 4 + self.index(30);
                let stretch = Vec3::new(self.real(0.05, 0.4), self.real(0.05, 0.4), self.real(0.05, 0.4));
                let vertices = (0..count).map(|_| self.direction().component_mul(&stretch)).collect();
                Shape::Mesh { name: String::new(), vertices }
            }
        }
    }
}
