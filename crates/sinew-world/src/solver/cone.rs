//! One contact by itself: Coulomb's law with a circular cone, solved exactly.
//!
//! Given the velocity `d` that the contact would have without its own impulse (normal first, already less the wanted
//! normal velocity) and the contact's inverse inertia `A`, one of three things happens: it opens (`p = 0`), it sticks
//! (`p = −A⁻¹ d` lies in the cone), or it slides: `p = p_n (1, μ t)` with `t` against the sliding velocity.

use sinew_dynamics::spatial::{Mat3, Vec3};

/// Rounds of the search for the sliding direction; the sweep over all contacts refines what is left.
const ROUNDS: usize = 12;

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
fn slide(a: &Mat3, d: &Vec3, mu: f64, mut t: (f64, f64)) -> Vec3 {
    let impulse = |t: (f64, f64)| {
        // the normal velocity vanishes: A_nn p_n + μ p_n A_nt·t = −d_n; a contact that jams is kept finite
        let effective = (a.m11 + mu * (a.m12 * t.0 + a.m13 * t.1)).max(0.01 * a.m11);
        let n = -d.x / effective;
        Vec3::new(n, mu * n * t.0, mu * n * t.1)
    };
    for round in 0..ROUNDS {
        let c = d + a * impulse(t);
        let Some(against) = direction(-c.y, -c.z) else { break };
        let turn = (against.0 - t.0, against.1 - t.1);
        // where the directions chase each other, go half-way
        let next = if round < 4 { against } else { (t.0 + 0.5 * turn.0, t.1 + 0.5 * turn.1) };
        t = direction(next.0, next.1).unwrap_or(against);
        if turn.0 * turn.0 + turn.1 * turn.1 < 1e-26 {
            break;
        }
    }
    impulse(t)
}
