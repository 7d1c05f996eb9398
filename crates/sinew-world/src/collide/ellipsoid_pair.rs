//! Two ellipsoids: Newton's method for the direction with the greatest gap.
//!
//! With `Q = R·diag(e²)·Rᵀ` an ellipsoid reaches `h(n) = √(nᵀQn)` along `n`, at the point `p(n) = Qn/h`, and the gap of two
//! of them with centres `c` apart is
//!
//! ```text
//! f(n) = n·w(n),  w = c − p_A(n) − p_B(n),  ∇f = w,  ∇²f = −Σ (Q − ppᵀ)/h
//! ```
//!
//! On the unit sphere the Newton step `δ` in the tangent plane solves `(K + f·I) δ = w` with `K = −∇²f` there. `K` is
//! positive; where the sum is not (deep overlap, far from the answer) it is shifted until it is. Steps that do not raise
//! the gap are shortened. The start is the normal at `c` of the ellipsoid with the matrix `Q_A + Q_B`, which is a good guess
//! of the shape of the Minkowski sum; three or four steps are enough. Whatever the direction, the gap along it is exact.

use super::manifold::Manifold;
use super::vector::{length, tangents, unit_or};
use sinew_dynamics::spatial::{Mat3, Placement, Vec3};

/// Most Newton steps.
const STEPS: usize = 24;
/// Most times that a step is shortened.
const SHORTER: usize = 12;
/// The direction is right when the nearest points lie this exactly over each other, relative to the size.
const PRECISION: f64 = 1e-11;

/// Appends the touch of two ellipsoids.
pub(super) fn pair(
    ha: &Vec3,
    at_a: &Placement,
    hb: &Vec3,
    at_b: &Placement,
    margin: f64,
    out: &mut Manifold,
) {
    let c = at_a.pos - at_b.pos;
    let scale = ha.amax() + hb.amax();
    if !(length(&c) <= scale + margin) {
        return;
    }
    let sum = Sum { qa: matrix(ha, at_a), qb: matrix(hb, at_b), c };
    let mut best = sum.climb(&sum.guess(), scale, margin);
    if best.gap > margin {
        return;
    }
    // deep inside each other there are several ways out: the short axes are tried as well
    if best.gap < -0.5 * ha.min().min(hb.min()) {
        for (h, at) in [(ha, at_a), (hb, at_b)] {
            for k in 0..3 {
                let axis = at.rot.column(k) * 1.0_f64.copysign(at.rot.column(k).dot(&c));
                if sum.at(&axis).gap > best.gap - h[k] {
                    let other = sum.climb(&axis, scale, f64::INFINITY);
                    best = if other.gap > best.gap { other } else { best };
                }
            }
        }
    }
    out.add(at_b.pos + best.pb, &best.n, best.gap, margin, 0);
}

/// `R·diag(e²)·Rᵀ`.
pub(super) fn matrix(half: &Vec3, at: &Placement) -> Mat3 {
    let mut scaled = at.rot;
    for k in 0..3 {
        let mut column = scaled.column_mut(k);
        column *= half[k];
    }
    scaled * scaled.transpose()
}

struct Sum {
    qa: Mat3,
    qb: Mat3,
    c: Vec3,
}

/// A direction with its gap.
#[derive(Clone, Copy)]
struct Direction {
    n: Vec3,
    gap: f64,
    ra: f64,
    rb: f64,
    pa: Vec3,
    pb: Vec3,
}

impl Sum {
    fn guess(&self) -> Vec3 {
        let m = self.qa + self.qb;
        // the inverse up to a factor, by cofactors
        let (x, y, z) = (m.column(0), m.column(1), m.column(2));
        let (yz, zx, xy) = (y.cross(&z), z.cross(&x), x.cross(&y));
        let n = yz * self.c.x + zx * self.c.y + xy * self.c.z;
        unit_or(&n, &unit_or(&self.c, &Vec3::z()))
    }

    #[inline(always)]
    fn at(&self, n: &Vec3) -> Direction {
        let reach = |q: &Mat3| {
            let p = q * n;
            let r = n.dot(&p).max(0.0).sqrt();
            if r > 0.0 { (r, p / r) } else { (0.0, Vec3::zeros()) }
        };
        let ((ra, pa), (rb, pb)) = (reach(&self.qa), reach(&self.qb));
        Direction { n: *n, gap: n.dot(&self.c) - ra - rb, ra, rb, pa, pb }
    }

    /// Climbs to a greatest gap; it ends early when the gap exceeds `enough`.
    fn climb(&self, from: &Vec3, scale: f64, enough: f64) -> Direction {
        let mut here = self.at(from);
        for _ in 0..STEPS {
            if here.gap > enough {
                break;
            }
            let (s, t) = tangents(&here.n);
            let w = self.c - here.pa - here.pb;
            let (gs, gt) = (s.dot(&w), t.dot(&w));
            if gs * gs + gt * gt <= PRECISION * PRECISION * scale * scale {
                break;
            }

            // the curvature in the tangent plane
            let (mut ss, mut st, mut tt) = (here.gap, 0.0, here.gap);
            for (q, r, p) in [(&self.qa, here.ra, &here.pa), (&self.qb, here.rb, &here.pb)] {
                if r > 0.0 {
                    let (qs, qt) = (q * s, q * t);
                    let (ps, pt) = (s.dot(p), t.dot(p));
                    ss += (s.dot(&qs) - ps * ps) / r;
                    st += (s.dot(&qt) - ps * pt) / r;
                    tt += (t.dot(&qt) - pt * pt) / r;
                }
            }
            // shifted until positive
            let (middle, spread) = (0.5 * (ss + tt), (0.25 * (ss - tt) * (ss - tt) + st * st).sqrt());
            let least = middle - spread;
            let wanted = 1e-2 * (middle.abs() + spread) + 1e-9 * scale;
            let shift = if least < wanted { wanted - least } else { 0.0 };
            let (ss, tt) = (ss + shift, tt + shift);
            let det = ss * tt - st * st;
            let (mut ds, mut dt) = ((tt * gs - st * gt) / det, (ss * gt - st * gs) / det);

            // at most 45°, and only upwards
            let size = (ds * ds + dt * dt).sqrt();
            if size > 1.0 {
                (ds, dt) = (ds / size, dt / size);
            }
            let mut climbed = false;
            for _ in 0..SHORTER {
                let n = here.n + s * ds + t * dt;
                let next = self.at(&(n / length(&n)));
                if next.gap > here.gap {
                    (here, climbed) = (next, true);
                    break;
                }
                (ds, dt) = (0.3 * ds, 0.3 * dt);
            }
            if !climbed {
                break;
            }
        }
        here
    }
}
