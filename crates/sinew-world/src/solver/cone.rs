//! One contact by itself: Coulomb's law with a circular cone, solved exactly.
//!
//! Given the velocity `d` that the contact would have without its own impulse (normal first, already less the wanted
//! normal velocity) and the contact's inverse inertia `A`, one of three things happens: it opens (`p = 0`), it sticks
//! (`p = −A⁻¹ d` lies in the cone), or it slides: `p = p_n (1, μ t)` with `t` against the sliding velocity.

use sinew_dynamics::spatial::{Mat3, Vec3};

/// The impulse of a contact; `inverse` is `A⁻¹`, `guess` the last impulse.
#[inline]
pub(crate) fn solve_contact(a: &Mat3, inverse: &Mat3, d: &Vec3, mu: f64, guess: &Vec3) -> Vec3 {
    if d.x >= 0.0 {
        return Vec3::zeros();
    }
    let stick = -(inverse * d);
    if stick.x > 0.0 && stick.y * stick.y + stick.z * stick.z <= mu * mu * stick.x * stick.x {
        return stick;
    }
    if mu == 0.0 {
        return Vec3::new(-d.x / a.m11, 0.0, 0.0);
    }
    slide(a, d, mu, direction(guess.y, guess.z).or_else(|| direction(stick.y, stick.z)).unwrap_or((1.0, 0.0)))
}

fn direction(x: f64, y: f64) -> Option<(f64, f64)> {
    let n = (x * x + y * y).sqrt();
    (n > 1e-300).then(|| (x / n, y / n))
}

/// Impulse on the cone's boundary, opposite to the sliding velocity that it leaves.
///
/// Friction along the unit vector `t` needs the normal impulse `p_n = −d_n/e`, `e = A_nn + μ A_nt·t`, and leaves the sliding
/// velocity `(e d_t − d_n (A_tn + μ A_tt t))/e`. That this is along `−t` makes `t × (…)` vanish: a polynomial of second
/// degree on the unit circle.
fn slide(a: &Mat3, d: &Vec3, mu: f64, guess: (f64, f64)) -> Vec3 {
    let turning = Turning {
        x: a.m11 * d.z - d.x * a.m13,
        y: d.x * a.m12 - a.m11 * d.y,
        xx: mu * (a.m12 * d.z - d.x * a.m23),
        yy: mu * (d.x * a.m23 - a.m13 * d.y),
        xy: mu * (a.m13 * d.z - a.m12 * d.y - d.x * (a.m33 - a.m22)),
    };
    let effective = |t: (f64, f64)| a.m11 + mu * (a.m12 * t.0 + a.m13 * t.1);
    // friction must brake, not drive; for nearly sticking contacts this is decided up to rounding
    let least = 1e-12 * a.trace() * (d.x.abs() + d.y.abs() + d.z.abs());
    let brakes = |t: (f64, f64)| {
        let e = effective(t);
        let (y, z) = (
            e * d.y - d.x * (a.m12 + mu * (a.m22 * t.0 + a.m23 * t.1)),
            e * d.z - d.x * (a.m13 + mu * (a.m23 * t.0 + a.m33 * t.1)),
        );
        e > 0.0 && t.0 * y + t.1 * z <= least
    };
    let near = turning.nearest(guess).filter(|t| brakes(*t));
    // two roots may hide between two directions
    let scan = |finer| turning.all_around(finer, brakes);
    let t = near.or_else(|| scan(1)).or_else(|| scan(16)).unwrap_or(guess);
    // a contact that jams is kept finite
    let n = -d.x / effective(t).max(1e-6 * a.m11);
    Vec3::new(n, mu * n * t.0, mu * n * t.1)
}

/// Coefficients of `t × (sliding velocity)` as a polynomial in the two components of `t`.
struct Turning {
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Turning {
    /// Value, and its change as `t` turns.
    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let value = x * (self.x + self.xx * x + self.xy * y) + y * (self.y + self.yy * y);
        let (by_x, by_y) =
            (self.x + 2.0 * self.xx * x + self.xy * y, self.y + 2.0 * self.yy * y + self.xy * x);
        (value, x * by_y - y * by_x)
    }

    /// The root that Newton's method finds from a guess.
    fn nearest(&self, guess: (f64, f64)) -> Option<(f64, f64)> {
        let mut t = guess;
        for _ in 0..10 {
            let (value, rate) = self.at(t);
            let turn = -value / rate;
            if !(turn.abs() < 0.5) {
                return None;
            }
            t = direction(t.0 - turn * t.1, t.1 + turn * t.0)?;
            if turn.abs() < 1e-13 {
                return Some(t);
            }
        }
        None
    }

    /// The first root that passes, from `16 · finer` directions all around.
    fn all_around(&self, finer: usize, passes: impl Fn((f64, f64)) -> bool) -> Option<(f64, f64)> {
        let mut t0 = SIDES[15];
        let mut before = self.at(t0).0;
        for k in 0..16 * finer {
            // between two sides, in equal parts of the chord
            let (from, to) = (SIDES[(k / finer + 15) % 16], SIDES[k / finer]);
            let part = (k % finer + 1) as f64 / finer as f64;
            let t1 = direction(from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1))?;
            let here = self.at(t1).0;
            if (before <= 0.0) != (here <= 0.0) {
                let (mut low, mut high) = if before <= 0.0 { (t0, t1) } else { (t1, t0) };
                let mut middle = low;
                for _ in 0..52 {
                    middle = direction(low.0 + high.0, low.1 + high.1)?;
                    if self.at(middle).0 <= 0.0 { low = middle } else { high = middle }
                }
                if passes(middle) {
                    return Some(middle);
                }
            }
            (t0, before) = (t1, here);
        }
        None
    }
}

const SIDES: [(f64, f64); 16] = {
    const C: f64 = 0.923_879_532_511_286_7;
    const S: f64 = 0.382_683_432_365_089_8;
    const H: f64 = core::f64::consts::FRAC_1_SQRT_2;
    [
        (1.0, 0.0),
        (C, S),
        (H, H),
        (S, C),
        (0.0, 1.0),
        (-S, C),
        (-H, H),
        (-C, S),
        (-1.0, 0.0),
        (-C, -S),
        (-H, -H),
        (-S, -C),
        (0.0, -1.0),
        (S, -C),
        (H, -H),
        (C, -S),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Coulomb's law at contacts of all kinds: velocity after the impulse, and the impulse in its cone.
    #[test]
    fn the_law_holds() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let (mut stuck, mut slid) = (0, 0);
        for _ in 0..20_000 {
            let b = Mat3::from_fn(|_, _| random());
            let a = b * b.transpose() + Mat3::identity() * 0.02;
            let (d, mu) = (Vec3::from_fn(|_, _| random()), random().abs());
            let guess = Vec3::new(0.0, random(), random());
            let p = solve_contact(&a, &a.try_inverse().unwrap(), &d, mu, &guess);
            let c = d + a * p;
            let (force, sliding) = (p.y.hypot(p.z), c.y.hypot(c.z));
            let scale = d.norm() * (1.0 + a.norm() * p.norm());
            assert!(p.x >= 0.0 && c.x >= -1e-9 * scale && p.x * c.x.abs() < 1e-9 * scale, "{a} {d} {p} {c}");
            assert!(force <= mu * p.x * (1.0 + 1e-9) + 1e-300);
            if sliding > 1e-9 * scale && p.x > 0.0 {
                slid += 1;
                let power = (c.y * p.y + c.z * p.z) / (force * sliding);
                assert!((force / (mu * p.x) - 1.0).abs() < 1e-9 && (power + 1.0).abs() < 1e-9, "{power}");
            } else if p.x > 0.0 {
                stuck += 1;
            }
        }
        assert!(stuck > 500 && slid > 5000, "{stuck} stuck and {slid} slid");
    }
}
