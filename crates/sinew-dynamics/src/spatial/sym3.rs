//! Symmetric 3×3 matrices as six numbers: rotational inertia.

use super::{Mat3, Vec3};
use core::ops::{Add, AddAssign, Mul, Sub};

/// A symmetric 3×3 matrix.
///
/// ```
/// use sinew_dynamics::spatial::{Sym3, Vec3};
/// let box_inertia = Sym3::diagonal(1.0, 2.0, 3.0);
/// assert_eq!(box_inertia * Vec3::new(1.0, 1.0, 1.0), Vec3::new(1.0, 2.0, 3.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Sym3 {
    pub xx: f64,
    pub yy: f64,
    pub zz: f64,
    pub xy: f64,
    pub xz: f64,
    pub yz: f64,
}

impl Sym3 {
    /// All entries zero.
    pub const ZERO: Sym3 = Sym3 { xx: 0.0, yy: 0.0, zz: 0.0, xy: 0.0, xz: 0.0, yz: 0.0 };

    /// A diagonal matrix.
    #[inline(always)]
    pub fn diagonal(xx: f64, yy: f64, zz: f64) -> Sym3 {
        Sym3 { xx, yy, zz, ..Sym3::ZERO }
    }

    /// The lower triangle of `m`, taken as symmetric.
    #[inline(always)]
    pub fn from_lower(m: &Mat3) -> Sym3 {
        Sym3 { xx: m.m11, yy: m.m22, zz: m.m33, xy: m.m21, xz: m.m31, yz: m.m32 }
    }

    /// As a full matrix.
    #[inline(always)]
    pub fn to_mat3(self) -> Mat3 {
        Mat3::new(self.xx, self.xy, self.xz, self.xy, self.yy, self.yz, self.xz, self.yz, self.zz)
    }

    /// `R S Rᵀ`: the same tensor in rotated axes.
    #[inline(always)]
    pub fn rotated(&self, r: &Mat3) -> Sym3 {
        let b = r * self.to_mat3();
        // only the six distinct entries of b Rᵀ
        let dot = |i: usize, j: usize| b[(i, 0)] * r[(j, 0)] + b[(i, 1)] * r[(j, 1)] + b[(i, 2)] * r[(j, 2)];
        Sym3 { xx: dot(0, 0), yy: dot(1, 1), zz: dot(2, 2), xy: dot(1, 0), xz: dot(2, 0), yz: dot(2, 1) }
    }

    /// Adds `s·(|r|² 1 − r rᵀ)`: the inertia of a point of mass `s` at `r`.
    #[inline(always)]
    pub fn add_point(&mut self, s: f64, r: &Vec3) {
        let t = r * s;
        let (x, y, z) = (t.x * r.x, t.y * r.y, t.z * r.z);
        self.xx += y + z;
        self.yy += x + z;
        self.zz += x + y;
        self.xy -= t.x * r.y;
        self.xz -= t.x * r.z;
        self.yz -= t.y * r.z;
    }

    /// `s·v vᵀ`.
    #[inline(always)]
    pub fn outer(v: &Vec3, s: f64) -> Sym3 {
        let t = v * s;
        Sym3 { xx: t.x * v.x, yy: t.y * v.y, zz: t.z * v.z, xy: t.x * v.y, xz: t.x * v.z, yz: t.y * v.z }
    }

    /// All entries times `s`.
    #[inline(always)]
    pub fn scaled(&self, s: f64) -> Sym3 {
        Sym3 {
            xx: self.xx * s,
            yy: self.yy * s,
            zz: self.zz * s,
            xy: self.xy * s,
            xz: self.xz * s,
            yz: self.yz * s,
        }
    }

    /// Inverse by cofactors, or `None` when the determinant is not positive.
    ///
    /// Meant for positive definite matrices, such as articulated rotational inertia.
    ///
    /// ```
    /// use sinew_dynamics::spatial::Sym3;
    /// assert_eq!(Sym3::diagonal(1.0, 2.0, 4.0).inverse(), Some(Sym3::diagonal(1.0, 0.5, 0.25)));
    /// assert_eq!(Sym3::ZERO.inverse(), None);
    /// ```
    #[inline(always)]
    pub fn inverse(&self) -> Option<Sym3> {
        let cxx = self.yy * self.zz - self.yz * self.yz;
        let cxy = self.xz * self.yz - self.xy * self.zz;
        let cxz = self.xy * self.yz - self.xz * self.yy;
        let det = self.xx * cxx + self.xy * cxy + self.xz * cxz;
        if det.is_nan() || det <= 0.0 {
            return None;
        }
        let s = 1.0 / det;
        Some(Sym3 {
            xx: cxx * s,
            xy: cxy * s,
            xz: cxz * s,
            yy: (self.xx * self.zz - self.xz * self.xz) * s,
            yz: (self.xy * self.xz - self.xx * self.yz) * s,
            zz: (self.xx * self.yy - self.xy * self.xy) * s,
        })
    }

    /// Eigenvalues in ascending order.
    ///
    /// ```
    /// # use sinew_dynamics::spatial::Sym3;
    /// assert_eq!(Sym3::diagonal(3.0, 1.0, 2.0).eigenvalues(), [1.0, 2.0, 3.0]);
    /// ```
    pub fn eigenvalues(&self) -> [f64; 3] {
        let m = self.to_mat3();
        let finite = m.iter().all(|x| x.is_finite());
        let eigen = if finite { m.try_symmetric_eigen(1e-15, 200) } else { None };
        let mut e = eigen.map_or([f64::NAN; 3], |e| e.eigenvalues.into());
        e.sort_by(f64::total_cmp);
        e
    }
}

impl Mul<Vec3> for Sym3 {
    type Output = Vec3;
    #[inline(always)]
    fn mul(self, v: Vec3) -> Vec3 {
        Vec3::new(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )
    }
}

impl Mul<&Mat3> for Sym3 {
    type Output = Mat3;
    #[inline(always)]
    fn mul(self, m: &Mat3) -> Mat3 {
        self.to_mat3() * m
    }
}

impl Add for Sym3 {
    type Output = Sym3;
    #[inline(always)]
    fn add(self, o: Sym3) -> Sym3 {
        Sym3 {
            xx: self.xx + o.xx,
            yy: self.yy + o.yy,
            zz: self.zz + o.zz,
            xy: self.xy + o.xy,
            xz: self.xz + o.xz,
            yz: self.yz + o.yz,
        }
    }
}

impl Sub for Sym3 {
    type Output = Sym3;
    #[inline(always)]
    fn sub(self, o: Sym3) -> Sym3 {
        Sym3 {
            xx: self.xx - o.xx,
            yy: self.yy - o.yy,
            zz: self.zz - o.zz,
            xy: self.xy - o.xy,
            xz: self.xz - o.xz,
            yz: self.yz - o.yz,
        }
    }
}

impl AddAssign for Sym3 {
    #[inline(always)]
    fn add_assign(&mut self, o: Sym3) {
        *self = *self + o;
    }
}
