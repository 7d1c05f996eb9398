//! All constraints at once: Newton's method on the laws of contact.
//!
//! After a sweep or two it is mostly clear which contacts stick, slide or open and which limits hold. Coulomb's law as one
//! equation (Alart and Curnier 1991), with `c` velocity less bias, `ρ` an inertia, and `z = p_t − ρ c_t`,
//! ```text
//! c_n = 0,     p_t = z  if |z| ≤ μ p_n (sticks),     p_t = μ p_n z/|z|  else (slides)
//! ```
//! is linear but for the direction of `z`, and is linearised there. One small linear system then replaces the many sweeps
//! that a chain of bodies or a flat foot would need. The next sweep checks the result, and whatever it corrects goes into
//! the next round. Redundant constraints share their load through a whisper of compliance.

use super::Problem;
use super::problem::{Pair, SOFTNESS};
use sinew_dynamics::spatial::{Mat3, Vec3};

/// One constraint with its unknown changes of impulse.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    what: What,
    first: usize,
    count: usize,
    /// Rows of the system: `velocity · δc + impulse · δp = rhs`.
    velocity: Mat3,
    impulse: Mat3,
    rhs: Vec3,
}

/// A constraint; impulses of pairs are along the columns of a frame.
#[derive(Clone, Copy, Debug)]
enum What {
    Contact { k: usize, pair: Pair, frame: Mat3 },
    Tie { k: usize, pair: Pair },
    Bounded { k: usize },
}

/// Workspace of the method.
#[derive(Clone, Debug, Default)]
pub(crate) struct Newton {
    unknowns: Vec<Unknown>,
    matrix: Vec<f64>,
    rhs: Vec<f64>,
    order: Vec<usize>,
    saved: Saved,
}

/// Impulses and velocities before an attempt.
#[derive(Clone, Debug, Default)]
struct Saved {
    contacts: Vec<Vec3>,
    ties: Vec<Vec3>,
    bounded: Vec<f64>,
    sides: Vec<(Vec<f64>, Vec<f64>)>,
}

/// Largest system that is solved this way.
const MOST: usize = 240;

impl Newton {
    /// Moves all impulses towards the solution of the linearised laws, as far as that makes the laws hold better.
    pub(crate) fn improve(&mut self, problem: &mut Problem) {
        let n = self.list(problem);
        if n == 0 || n > MOST {
            return;
        }
        self.assemble(problem, n);
        if !factor_and_solve(&mut self.matrix, &mut self.rhs, &mut self.order, n) {
            return;
        }
        let before = violation(problem);
        self.save(problem);
        for share in [1.0, 0.5, 0.25] {
            self.apply(problem, share);
            if violation(problem) < before {
                return;
            }
            self.undo(problem);
        }
    }

    fn save(&mut self, problem: &Problem) {
        let Saved { contacts, ties, bounded, sides } = &mut self.saved;
        contacts.clear();
        contacts.extend(problem.contacts.iter().map(|c| c.impulse));
        ties.clear();
        ties.extend(problem.ties.iter().map(|t| t.impulse));
        bounded.clear();
        bounded.extend(problem.bounded.iter().map(|b| b.impulse));
        sides.resize_with(problem.sides.len(), Default::default);
        for ((velocity, impulse), side) in sides.iter_mut().zip(&problem.sides) {
            velocity.clone_from(&side.velocity);
            impulse.clone_from(&side.impulse);
        }
    }

    /// Takes the last attempt back.
    fn undo(&self, problem: &mut Problem) {
        let Saved { contacts, ties, bounded, sides } = &self.saved;
        problem.contacts.iter_mut().zip(contacts).for_each(|(c, p)| c.impulse = *p);
        problem.ties.iter_mut().zip(ties).for_each(|(t, p)| t.impulse = *p);
        problem.bounded.iter_mut().zip(bounded).for_each(|(b, p)| b.impulse = *p);
        for (side, (velocity, impulse)) in problem.sides.iter_mut().zip(sides) {
            side.velocity.copy_from_slice(velocity);
            side.impulse.copy_from_slice(impulse);
        }
    }

    /// Linearises every constraint that acts; returns the number of unknowns.
    fn list(&mut self, problem: &Problem) -> usize {
        self.unknowns.clear();
        let mut n = 0;
        let mut add = |what: What, count: usize, velocity: Mat3, impulse: Mat3, rhs: Vec3| {
            self.unknowns.push(Unknown { what, first: n, count, velocity, impulse, rhs });
            n += count;
        };
        let one = Mat3::identity();
        for (k, t) in problem.ties.iter().enumerate() {
            let soft = one * (SOFTNESS / t.inverse.trace().max(f64::MIN_POSITIVE));
            add(What::Tie { k, pair: t.pair }, 3, one, soft, t.bias - problem.velocity(&t.pair));
        }
        for (k, b) in problem.bounded.iter().enumerate() {
            if b.impulse > b.low && b.impulse < b.high {
                let here: f64 = b.rows.iter().map(|(i, x)| x * problem.sides[b.side].velocity[*i]).sum();
                let rhs = Vec3::new(b.bias - here, 0.0, 0.0);
                add(What::Bounded { k }, 1, one, one * (SOFTNESS / b.inverse), rhs);
            }
        }
        for (k, c) in problem.contacts.iter().enumerate() {
            let p = c.impulse;
            if p.x <= 0.0 {
                continue;
            }
            let here = c.frame.tr_mul(&problem.velocity(&c.pair)) - c.bias;
            let soft = SOFTNESS * c.matrix.trace();
            let inertia = 1.0 / c.matrix.m22.max(c.matrix.m33);
            let z = (p.y - inertia * here.y, p.z - inertia * here.z);
            let (length, radius) = ((z.0 * z.0 + z.1 * z.1).sqrt(), c.mu * p.x);
            let (mut velocity, mut impulse, mut rhs) = (one, one * soft, -here - p * soft);
            if length > radius {
                let (x, y) = (z.0 / length, z.1 / length);
                let (share, inverse) = (radius / length, 1.0 / inertia);
                // across the sliding direction velocities turn the friction, along it nothing does
                let across = [[1.0 - x * x, -x * y], [-x * y, 1.0 - y * y]];
                for r in 0..2 {
                    for col in 0..2 {
                        let unit = f64::from(u8::from(r == col));
                        velocity[(1 + r, 1 + col)] = share * across[r][col];
                        impulse[(1 + r, 1 + col)] = (unit - share * across[r][col]) * inverse;
                    }
                }
                impulse[(1, 0)] = -c.mu * x * inverse;
                impulse[(2, 0)] = -c.mu * y * inverse;
                rhs.y = -(p.y - radius * x) * inverse;
                rhs.z = -(p.z - radius * y) * inverse;
            }
            add(What::Contact { k, pair: c.pair, frame: c.frame }, 3, velocity, impulse, rhs);
        }
        n
    }

    fn assemble(&mut self, problem: &Problem, n: usize) {
        let Newton { unknowns, matrix, rhs, .. } = self;
        matrix.clear();
        matrix.resize(n * n, 0.0);
        rhs.clear();
        rhs.resize(n, 0.0);
        for (i, x) in unknowns.iter().enumerate() {
            for (j, y) in unknowns.iter().enumerate() {
                let mut block = x.velocity * response(problem, &x.what, &y.what);
                if i == j {
                    block += x.impulse;
                }
                for r in 0..x.count {
                    for c in 0..y.count {
                        matrix[(x.first + r) * n + y.first + c] = block[(r, c)];
                    }
                }
            }
            rhs[x.first..x.first + x.count].copy_from_slice(&x.rhs.as_slice()[..x.count]);
        }
    }

    /// Writes the solution, a change of the impulses, back.
    fn apply(&self, problem: &mut Problem, share: f64) {
        for u in &self.unknowns {
            let mut x = [0.0; 3];
            for (x, r) in x.iter_mut().zip(&self.rhs[u.first..u.first + u.count]) {
                *x = share * r;
            }
            match u.what {
                What::Tie { k, pair } => {
                    let p = Vec3::new(x[0], x[1], x[2]);
                    problem.ties[k].impulse += p;
                    problem.push(&pair, &p);
                }
                What::Bounded { k } => {
                    let b = &mut problem.bounded[k];
                    let p = (b.impulse + x[0]).clamp(b.low, b.high);
                    let change = p - b.impulse;
                    b.impulse = p;
                    problem.push_bounded(k, change);
                }
                What::Contact { k, pair, .. } => {
                    let c = &mut problem.contacts[k];
                    let mut p = c.impulse + Vec3::new(x[0], x[1], x[2]);
                    // what left the cone is for the next sweep to sort out
                    if p.x <= 0.0 {
                        p = Vec3::zeros();
                    }
                    let tangential = (p.y * p.y + p.z * p.z).sqrt();
                    if tangential > c.mu * p.x {
                        let s = c.mu * p.x / tangential;
                        p = Vec3::new(p.x, p.y * s, p.z * s);
                    }
                    let change = c.frame * (p - c.impulse);
                    c.impulse = p;
                    problem.push(&pair, &change);
                }
            }
        }
    }
}

/// How the held velocities of one constraint answer the unknown impulses of another.
fn response(problem: &Problem, x: &What, y: &What) -> Mat3 {
    let columns = |f: &dyn Fn(usize) -> f64| Mat3::from_fn(|r, c| if r == 0 { f(c) } else { 0.0 });
    let axis = |m: &Mat3, k: usize| -> Vec3 { m.column(k).into() };
    let one = Mat3::identity();
    match (x, y) {
        (What::Bounded { k: j }, What::Bounded { k }) => columns(&|_| bounded_bounded(problem, *j, *k)),
        (What::Bounded { k }, What::Contact { pair, frame: basis, .. }) => {
            columns(&|c| bounded_pair(problem, *k, pair, &axis(basis, c)))
        }
        (What::Bounded { k }, What::Tie { pair, .. }) => {
            columns(&|c| bounded_pair(problem, *k, pair, &axis(&one, c)))
        }
        (What::Contact { pair, frame: test, .. }, What::Bounded { k }) => {
            columns(&|r| bounded_pair(problem, *k, pair, &axis(test, r))).transpose()
        }
        (What::Tie { pair, .. }, What::Bounded { k }) => {
            columns(&|r| bounded_pair(problem, *k, pair, &axis(&one, r))).transpose()
        }
        (What::Contact { pair: p, frame: test, .. }, What::Contact { pair: q, frame: basis, .. }) => {
            test.tr_mul(&(problem.response(p, q) * basis))
        }
        (What::Contact { pair: p, frame: test, .. }, What::Tie { pair: q, .. }) => {
            test.tr_mul(&problem.response(p, q))
        }
        (What::Tie { pair: p, .. }, What::Contact { pair: q, frame: basis, .. }) => {
            problem.response(p, q) * basis
        }
        (What::Tie { pair: p, .. }, What::Tie { pair: q, .. }) => problem.response(p, q),
    }
}

fn bounded_bounded(problem: &Problem, j: usize, k: usize) -> f64 {
    let (a, b) = (&problem.bounded[j], &problem.bounded[k]);
    if a.side != b.side {
        return 0.0;
    }
    let side = &problem.sides[a.side];
    let (n, inverse) = (side.velocity.len(), side.space.last_inverse_inertia());
    a.rows.iter().flat_map(|(i, x)| b.rows.iter().map(move |(j, y)| x * y * inverse[i * n + j])).sum()
}

/// Response between a bounded row and a pair along an axis (symmetric).
fn bounded_pair(problem: &Problem, k: usize, pair: &Pair, axis: &Vec3) -> f64 {
    let row = &problem.bounded[k];
    let side = &problem.sides[row.side];
    let (n, inverse) = (side.velocity.len(), side.space.last_inverse_inertia());
    let mut sum = 0.0;
    for (end, sign) in [(Some(pair.a), 1.0), (pair.b, -1.0)] {
        let Some(end) = end.filter(|e| e.side == row.side) else { continue };
        for (i, x) in row.rows {
            let r = &inverse[i * n + end.row..i * n + end.row + 3];
            sum += sign * x * (r[0] * axis.x + r[1] * axis.y + r[2] * axis.z);
        }
    }
    sum
}

/// How far the laws are from holding: sum of squares of Alart and Curnier's equations, as velocities.
fn violation(problem: &Problem) -> f64 {
    let mut sum = 0.0;
    for t in &problem.ties {
        sum += (problem.velocity(&t.pair) - t.bias).norm_squared();
    }
    for b in &problem.bounded {
        let here: f64 =
            b.rows.iter().map(|(i, x)| x * problem.sides[b.side].velocity[*i]).sum::<f64>() - b.bias;
        let wanted = (b.impulse - here * b.inverse).clamp(b.low, b.high);
        sum += ((b.impulse - wanted) / b.inverse).powi(2);
    }
    for c in &problem.contacts {
        let here = c.frame.tr_mul(&problem.velocity(&c.pair)) - c.bias;
        let (along, across) = (c.matrix.m11, c.matrix.m22.max(c.matrix.m33));
        let n = (c.impulse.x - here.x / along).max(0.0);
        let (mut y, mut z) = (c.impulse.y - here.y / across, c.impulse.z - here.z / across);
        let (length, radius) = ((y * y + z * z).sqrt(), c.mu * n);
        if length > radius {
            (y, z) = (y * radius / length, z * radius / length);
        }
        sum += ((c.impulse.x - n) * along).powi(2);
        sum += ((c.impulse.y - y) * across).powi(2) + ((c.impulse.z - z) * across).powi(2);
    }
    sum
}

/// Gaussian elimination with partial pivoting, row-major. Returns false if a pivot vanishes or a number is not finite.
fn factor_and_solve(a: &mut [f64], b: &mut [f64], order: &mut Vec<usize>, n: usize) -> bool {
    order.clear();
    order.extend(0..n);
    for k in 0..n {
        let pivot =
            (k..n).fold(k, |p, r| if a[order[r] * n + k].abs() > a[order[p] * n + k].abs() { r } else { p });
        order.swap(k, pivot);
        let top = order[k] * n;
        let d = a[top + k];
        if !(d.abs() > 1e-300) {
            return false;
        }
        let inverse = 1.0 / d;
        for &row in &order[k + 1..] {
            let row = row * n;
            let l = a[row + k] * inverse;
            if l == 0.0 {
                continue;
            }
            let (x, y) = if row < top {
                let (low, high) = a.split_at_mut(top);
                (&mut low[row..row + n], &high[..n])
            } else {
                let (low, high) = a.split_at_mut(row);
                (&mut high[..n], &low[top..top + n])
            };
            for (x, y) in x[k + 1..].iter_mut().zip(&y[k + 1..]) {
                *x -= l * y;
            }
            b[row / n] -= l * b[top / n];
        }
    }
    // back substitution; the solution ends in natural order
    for k in (0..n).rev() {
        let row = order[k] * n;
        let mut s = b[order[k]];
        for c in k + 1..n {
            s -= a[row + c] * b[order[c]];
        }
        b[order[k]] = s / a[row + k];
    }
    let solved: bool = b.iter().all(|x| x.is_finite());
    // entry k of the solution stands at order[k]
    for k in 0..n {
        a[k] = b[order[k]];
    }
    b.copy_from_slice(&a[..n]);
    solved
}
