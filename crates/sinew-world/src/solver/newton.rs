//! All constraints of an island at once: Newton's method on the laws of contact.
//!
//! After a sweep or two it is mostly clear which contacts stick, slide or open and which limits hold. Coulomb's law as one
//! equation (Alart and Curnier 1991), with `c` velocity less what is wanted plus compliance, `ρ` an inertia, and
//! `z = p_t − ρ c_t`,
//! ```text
//! c_n = 0,     p_t = z  if |z| ≤ μ p_n (sticks),     p_t = μ p_n z/|z|  else (slides)
//! ```
//! is linear but for the direction of `z`, and is linearised there. Every constraint then answers a change of its velocity
//! by `δp = s − K δc`, and with `δw = Σ Z δp`, `δc = Zᵀ δw` (see [`Problem`]) what is left is one system,
//! ```text
//! (1 + Σ Z K Zᵀ) δw = Σ Z s
//! ```
//! It has one unknown per degree of freedom, however many contacts there are, and couples only degrees of freedom on one
//! path to the root, so elimination from the leaves inwards ([`Tree`](super::tree::Tree)) costs little more than factoring
//! a mass matrix. One system replaces the many sweeps that a chain of bodies or a flat foot would need. The next sweep
//! checks the result, and its corrections enter the next round.

use super::Problem;
use super::islands::Item;
use super::problem::{Bounded, Contact};
use super::tree::Tree;
use sinew_dynamics::spatial::{Mat3, Vec3};

/// How a constraint answers: `δp = s − K δc`; scalars stand in the first place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) s: Vec3,
    pub(super) k: Mat3,
}

/// Workspace of the method.
#[derive(Clone, Debug, Default)]
pub(crate) struct Newton {
    pub(super) answers: Vec<Answer>,
    pub(super) tree: Tree,
    /// `δw` by degree of freedom of the island.
    pub(super) step: Vec<f64>,
    pub(super) gradient: Vec<f64>,
    pub(super) free: Vec<f64>,
    pub(super) compliance: f64,
    /// Lifting velocities and impulses of the convex problem.
    pub(super) lifts: Vec<f64>,
    pub(super) fallback: Vec<Vec3>,
    changes: Vec<Vec3>,
    /// The best impulses so far, and their `w`.
    saved: Vec<Vec3>,
    pub(super) w: Vec<f64>,
}

/// Shares of their own inverse inertia by which constraints give way in one attempt: the least, and how fast it grows and
/// shrinks.
pub(crate) const LEAST_DAMPING: f64 = 1e-6;
const CALM: f64 = 100.0;
/// Systems solved before sweeps go on.
const ATTEMPTS: usize = 3;
/// Growth of the violation above which an attempt is abandoned.
const GIVE_UP: f64 = 1e6;
const MOST_DAMPING: f64 = 1e-2;

/// Most degrees of freedom of an island that is solved this way.
pub(crate) const MOST: usize = 600;

impl Newton {
    /// Reserves memory for constraints and degrees of freedom.
    pub(crate) fn reserve(&mut self, items: usize, dofs: usize) {
        self.answers.reserve(items);
        [&mut self.changes, &mut self.saved, &mut self.fallback].into_iter().for_each(|x| x.reserve(items));
        self.lifts.reserve(items);
        let vectors = [&mut self.step, &mut self.gradient, &mut self.free, &mut self.w];
        vectors.into_iter().for_each(|x| x.reserve(dofs));
        self.tree.reserve_room(dofs);
    }

    /// Moves all impulses of an island towards the solution of the linearised laws, as far as that makes the laws hold
    /// better. `local` numbers the degrees of freedom in the island, of which there are `n`.
    pub(crate) fn improve(
        &mut self,
        problem: &mut Problem,
        items: &[Item],
        local: &[u32],
        n: usize,
        damping: &mut f64,
        enough: f64,
    ) {
        if n > MOST {
            return;
        }
        self.save(problem, items);
        let (mut first, mut best) = (None, f64::INFINITY);
        loop {
            for _ in 0..ATTEMPTS {
                let before = self.linearise(problem, items, *damping);
                let first = *first.get_or_insert(before);
                best = best.min(first);
                if !self.solve(problem, items, local, n) {
                    break;
                }
                self.apply(problem, items);
                let after = violation(problem, items);
                if after < best {
                    best = after;
                    self.save(problem, items);
                    if after <= enough {
                        return;
                    }
                }
                if !(after < GIVE_UP * first) {
                    break;
                }
            }
            self.undo(problem, items);
            let first = first.unwrap_or(0.0);
            if best < 0.1 * first {
                *damping = (*damping / CALM).max(LEAST_DAMPING);
                return;
            }
            if *damping >= MOST_DAMPING {
                return;
            }
            *damping *= CALM;
        }
    }

    /// Remembers all impulses of the island.
    pub(super) fn save(&mut self, problem: &Problem, items: &[Item]) {
        self.saved.clear();
        self.saved.extend(items.iter().map(|item| impulse(problem, *item)));
        self.w.clone_from(&problem.w);
    }

    /// Linearises every constraint; returns how far the laws are from holding.
    fn linearise(&mut self, problem: &Problem, items: &[Item], damping: f64) -> f64 {
        self.answers.clear();
        let mut sum = 0.0;
        for &item in items {
            let (s, k, wrong) = match item {
                Item::Tie(i) => {
                    let t = &problem.ties[i];
                    let error = problem.velocity(t.own.chain) - t.own.wanted + t.impulse * t.own.soft;
                    let soft = t.own.soft + damping * t.own.matrix.trace() / 3.0;
                    let stiff = 1.0 / soft.max(f64::MIN_POSITIVE);
                    (error * -stiff, Mat3::identity() * stiff, error.norm_squared())
                }
                Item::Bounded(i) => answer_row(&problem.bounded[i], row_velocity(problem, i), damping),
                Item::Contact(i) => answer(&problem.contacts[i], &contact_velocity(problem, i), damping),
            };
            sum += wrong;
            self.answers.push(Answer { s, k });
        }
        sum
    }

    /// Factors `1 + Σ Z K Zᵀ`; false when a pivot vanishes.
    pub(super) fn factor(&mut self, problem: &Problem, items: &[Item], local: &[u32], n: usize) -> bool {
        let Newton { answers, tree, .. } = self;
        tree.clear(n);
        let acting = || items.iter().zip(&*answers).filter(|(_, a)| a.k != Mat3::zeros());
        for (item, _) in acting() {
            match *item {
                Item::Bounded(i) => tree.reserve(local_row(problem, i, local).map(|(dof, _)| dof)),
                _ => tree.reserve(local_chain(problem, *item, local).map(|(dof, _)| dof)),
            }
        }
        tree.lay_out();
        for (item, a) in acting() {
            match *item {
                Item::Bounded(i) => tree.add_row(local_row(problem, i, local), a.k.m11),
                _ => tree.add(local_chain(problem, *item, local), &a.k),
            }
        }
        tree.factor()
    }

    /// Solves for `δw` and from it the changes of all impulses.
    fn solve(&mut self, problem: &Problem, items: &[Item], local: &[u32], n: usize) -> bool {
        if !self.factor(problem, items, local, n) {
            return false;
        }
        let Newton { answers, tree, step, changes, .. } = self;
        step.clear();
        step.resize(n, 0.0);
        for (item, a) in items.iter().zip(&*answers) {
            push_local(problem, *item, local, &a.s, step);
        }
        tree.solve(step);
        if step.iter().any(|x| !x.is_finite()) {
            return false;
        }
        changes.clear();
        changes.extend(
            items
                .iter()
                .zip(&*answers)
                .map(|(item, a)| a.s - a.k * velocity_local(problem, *item, local, step)),
        );
        true
    }

    /// Changes all impulses by the solution, kept within their bounds.
    fn apply(&self, problem: &mut Problem, items: &[Item]) {
        for (item, change) in items.iter().zip(&self.changes) {
            match *item {
                Item::Tie(k) => {
                    let t = &mut problem.ties[k];
                    t.impulse += change;
                    let chain = t.own.chain;
                    problem.push(chain, change);
                }
                Item::Bounded(k) => {
                    let b = &mut problem.bounded[k];
                    let p = (b.impulse + change.x).clamp(b.low, b.high);
                    let (chain, change) = (b.own.chain, p - b.impulse);
                    b.impulse = p;
                    problem.push_row(chain, change);
                }
                Item::Contact(k) => {
                    let c = &mut problem.contacts[k];
                    let p = into_cone(c.impulse + change, c.mu);
                    let (chain, change) = (c.own.chain, p - c.impulse);
                    c.impulse = p;
                    problem.push(chain, &change);
                }
            }
        }
    }

    /// Goes back to the best impulses.
    pub(super) fn undo(&self, problem: &mut Problem, items: &[Item]) {
        for (item, p) in items.iter().zip(&self.saved) {
            set_impulse(problem, *item, p);
        }
        problem.w.copy_from_slice(&self.w);
    }
}

pub(crate) fn impulse(problem: &Problem, item: Item) -> Vec3 {
    match item {
        Item::Tie(k) => problem.ties[k].impulse,
        Item::Bounded(k) => Vec3::new(problem.bounded[k].impulse, 0.0, 0.0),
        Item::Contact(k) => problem.contacts[k].impulse,
    }
}

pub(super) fn set_impulse(problem: &mut Problem, item: Item, p: &Vec3) {
    match item {
        Item::Tie(k) => problem.ties[k].impulse = *p,
        Item::Bounded(k) => problem.bounded[k].impulse = p.x,
        Item::Contact(k) => problem.contacts[k].impulse = *p,
    }
}

fn into_cone(mut p: Vec3, mu: f64) -> Vec3 {
    if p.x <= 0.0 {
        return Vec3::zeros();
    }
    let (tangential, radius) = ((p.y * p.y + p.z * p.z).sqrt(), mu * p.x);
    if tangential > radius {
        p.y *= radius / tangential;
        p.z *= radius / tangential;
    }
    p
}

/// Columns of a contact or tie by degree of freedom of the island.
#[inline(always)]
fn local_chain<'a>(
    problem: &'a Problem,
    item: Item,
    local: &'a [u32],
) -> impl ExactSizeIterator<Item = (usize, &'a [f64; 3])> + Clone {
    let chain = match item {
        Item::Tie(k) => problem.ties[k].own.chain,
        Item::Contact(k) => problem.contacts[k].own.chain,
        Item::Bounded(_) => Default::default(),
    };
    problem.chain(chain).map(|(dof, z)| (local[*dof as usize] as usize, z))
}

/// Columns of a bounded row by degree of freedom of the island.
#[inline(always)]
fn local_row<'a>(
    problem: &'a Problem,
    k: usize,
    local: &'a [u32],
) -> impl ExactSizeIterator<Item = (usize, f64)> + Clone {
    problem.row_chain(problem.bounded[k].own.chain).map(|(dof, z)| (local[*dof as usize] as usize, *z))
}

/// Adds `Z p` to a vector of the island.
pub(super) fn push_local(problem: &Problem, item: Item, local: &[u32], p: &Vec3, to: &mut [f64]) {
    if let Item::Bounded(k) = item {
        local_row(problem, k, local).for_each(|(dof, z)| to[dof] += z * p.x);
    } else {
        let chain = local_chain(problem, item, local);
        chain.for_each(|(dof, z)| to[dof] += z[0] * p.x + z[1] * p.y + z[2] * p.z);
    }
}

/// `Zᵀ x` for a vector of the island.
pub(super) fn velocity_local(problem: &Problem, item: Item, local: &[u32], x: &[f64]) -> Vec3 {
    if let Item::Bounded(k) = item {
        return Vec3::new(local_row(problem, k, local).map(|(dof, z)| z * x[dof]).sum(), 0.0, 0.0);
    }
    let mut sum = [0.0; 3];
    for (dof, z) in local_chain(problem, item, local) {
        (0..3).for_each(|r| sum[r] += z[r] * x[dof]);
    }
    Vec3::from(sum)
}

/// Velocity of a contact less what is wanted, plus compliance.
#[inline(always)]
fn contact_velocity(problem: &Problem, k: usize) -> Vec3 {
    let c = &problem.contacts[k];
    problem.velocity(c.own.chain) - c.own.wanted + c.impulse * c.own.soft
}

#[inline(always)]
fn row_velocity(problem: &Problem, k: usize) -> f64 {
    let b = &problem.bounded[k];
    problem.row_velocity_in(b.own.chain, &problem.w) - b.own.wanted + b.impulse * b.own.soft
}

/// A bounded row linearised, and the square of its violation.
fn answer_row(b: &Bounded, here: f64, damping: f64) -> (Vec3, Mat3, f64) {
    let wanted = b.impulse - here * b.own.inverse;
    let held = wanted.clamp(b.low, b.high);
    let wrong = ((b.impulse - held) / b.own.inverse).powi(2);
    if held == wanted {
        let stiff = 1.0 / (b.own.soft + damping / b.own.inverse);
        let mut k = Mat3::zeros();
        k.m11 = stiff;
        (Vec3::new(-here * stiff, 0.0, 0.0), k, wrong)
    } else {
        (Vec3::new(held - b.impulse, 0.0, 0.0), Mat3::zeros(), wrong)
    }
}

/// A contact linearised, and the square of its violation.
fn answer(c: &Contact, here: &Vec3, damping: f64) -> (Vec3, Mat3, f64) {
    let (p, own) = (&c.impulse, &c.own);
    let wrong = violation_of(c, here);
    let (along, across) = (own.matrix.m11, own.matrix.m22.max(own.matrix.m33));
    if !(across > 0.0) || p.x - here.x / along <= 0.0 {
        return (-p, Mat3::zeros(), wrong);
    }
    let soft = own.soft + damping * own.matrix.trace() / 3.0;
    let stiff = 1.0 / soft;
    let (y, z) = (p.y - here.y / across, p.z - here.z / across);
    let (length, radius) = ((y * y + z * z).sqrt(), c.mu * p.x);
    if length <= radius {
        return (here * -stiff, Mat3::identity() * stiff, wrong);
    }
    // it slides along (y, z): friction follows the normal impulse there, and across it turns with the velocity
    let (y, z) = (y / length, z / length);
    let share = radius / length;
    let turning = share / (across * (1.0 - share * (1.0 - soft / across)));
    let (missing_y, missing_z) = (radius * y - p.y, radius * z - p.z);
    let (missing_along, missing_across) = (missing_y * y + missing_z * z, missing_z * y - missing_y * z);
    let s_n = -here.x * stiff;
    let s_along = missing_along + c.mu * s_n;
    let s_across = missing_across * turning * across / share.max(f64::MIN_POSITIVE);
    let s = Vec3::new(s_n, s_along * y - s_across * z, s_along * z + s_across * y);
    let follow = c.mu * stiff;
    #[rustfmt::skip]
    let k = Mat3::new(
        stiff, 0.0, 0.0,
        follow * y, turning * z * z, -turning * y * z,
        follow * z, -turning * y * z, turning * y * y,
    );
    (s, k, wrong)
}

/// Square of the violation of Alart and Curnier's equations, as velocities.
fn violation_of(c: &Contact, here: &Vec3) -> f64 {
    let (along, across) = (c.own.matrix.m11, c.own.matrix.m22.max(c.own.matrix.m33));
    if !(across > 0.0) {
        return 0.0;
    }
    let n = (c.impulse.x - here.x / along).max(0.0);
    let free = Vec3::new(n, c.impulse.y - here.y / across, c.impulse.z - here.z / across);
    let p = into_cone(free, c.mu);
    let (y, z) = ((c.impulse.y - p.y) * across, (c.impulse.z - p.z) * across);
    ((c.impulse.x - n) * along).powi(2) + y * y + z * z
}

/// How far the laws are from holding: sum of squares of the violations.
pub(super) fn violation(problem: &Problem, items: &[Item]) -> f64 {
    let one = |item: &Item| match *item {
        Item::Tie(k) => {
            let t = &problem.ties[k];
            (problem.velocity(t.own.chain) - t.own.wanted + t.impulse * t.own.soft).norm_squared()
        }
        Item::Bounded(k) => {
            let (b, here) = (&problem.bounded[k], row_velocity(problem, k));
            let held = (b.impulse - here * b.own.inverse).clamp(b.low, b.high);
            ((b.impulse - held) / b.own.inverse).powi(2)
        }
        Item::Contact(k) => violation_of(&problem.contacts[k], &contact_velocity(problem, k)),
    };
    items.iter().map(one).sum()
}
