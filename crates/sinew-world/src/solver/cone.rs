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
fn slide(a: &Mat3, d: &Vec3, mu: f64, guess: (f64, f64)) -> Vec3 {
    let impulse = |t: (f64, f64)| {
        // the normal velocity vanishes: A_nn p_n + μ p_n A_nt·t = −d_n; a contact that jams is kept finite
        let effective = (a.m11 + mu * (a.m12 * t.0 + a.m13 * t.1)).max(0.01 * a.m11);
        let n = -d.x / effective;
        Vec3::new(n, mu * n * t.0, mu * n * t.1)
    };
    // sliding velocity that is left when friction points along t
    let left = |t: (f64, f64)| {
        let c = d + a * impulse(t);
        (c.y, c.z)
    };
    // turning friction against the velocity mostly settles at once
    let (mut t, mut last) = (guess, f64::INFINITY);
    for _ in 0..8 {
        let c = left(t);
        let Some(against) = direction(-c.0, -c.1) else { return impulse(t) };
        let turn = (against.0 - t.0).powi(2) + (against.1 - t.1).powi(2);
        t = against;
        if turn < 1e-24 {
            return impulse(t);
        }
        if turn > 0.25 * last {
            break;
        }
        last = turn;
    }
    impulse(bisect(left).unwrap_or(t))
}

/// The direction `t` for which `left(t)` points against `t`, found between sixteen directions all around.
fn bisect(left: impl Fn((f64, f64)) -> (f64, f64)) -> Option<(f64, f64)> {
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
    // positive when the velocity lies to the left of t
    let turn = |t: (f64, f64), c: (f64, f64)| t.0 * c.1 - t.1 * c.0;
    let mut before = turn(SIDES[15], left(SIDES[15]));
    for k in 0..16 {
        let (t0, t1) = (SIDES[(k + 15) % 16], SIDES[k]);
        let here = turn(t1, left(t1));
        if (before <= 0.0) != (here <= 0.0) {
            let (mut low, mut high) = if before <= 0.0 { (t0, t1) } else { (t1, t0) };
            let mut middle = low;
            for _ in 0..50 {
                middle = direction(low.0 + high.0, low.1 + high.1)?;
                if turn(middle, left(middle)) <= 0.0 { low = middle } else { high = middle }
            }
            // the velocity is along the line of t: friction must brake it, not drive it
            let c = left(middle);
            if middle.0 * c.0 + middle.1 * c.1 <= 0.0 {
                return Some(middle);
            }
        }
        before = here;
    }
    None
}
