//! A sequence of convex problems, for steps in which the iteration on Coulomb's law does not converge.
//!
//! Coulomb's law is not the minimum of a function, and iterations can diverge after impacts on jointed bodies. With some
//! compliance `ε`, and with friction and normal impulse together against the velocity (Anitescu 2006), the impulses become
//! ```text
//! p = projection of z = −c/ε onto the cone,     c = Zᵀ w − wanted
//! ```
//! and `w` the minimum of `½ |w − w_free|² + Σ ε (z·p − ½ p²)`: one smooth convex function (Todorov 2014; Castro, Permenter
//! and Han 2022), which Newton's method with a line search always minimises. What slides lifts off at `μ |c_t|` then. Wanting
//! so much less of the normal velocity, with `|c_t|` of the round before, brings Coulomb's law back (De Saxcé 1992; Cadoux
//! 2009): some rounds, each a convex problem near the last. The impulses lie in their cones and part with the velocity by
//! a hundred-thousandth of what they change. They are the point from which the exact law is tried again, and the result of the step if
//! that fails again.

use super::Problem;
use super::islands::Item;
use super::newton::{Answer, Newton, impulse, push_local, set_impulse, velocity_local, violation};
use sinew_dynamics::spatial::{Mat3, Vec3};

/// Compliance as a share of each constraint's own inverse inertia: to settle with, and to end with.
const COMPLIANCE: [f64; 2] = [1e-3, 1e-5];
/// Most steps of Newton's method in a round.
const MOST: usize = 40;
/// Most rounds, and the change of lifting velocities, m/s, that ends them.
const ROUNDS: usize = 60;
const SETTLED: f64 = 1e-4;

impl Newton {
    /// Replaces all impulses of an island by those of the convex problems, up to the last compliance or only the first, which
    /// shares loads most evenly.
    pub(crate) fn convex(
        &mut self,
        problem: &mut Problem,
        items: &[Item],
        local: &[u32],
        n: usize,
        precise: bool,
    ) {
        let mut w = vec_of(&mut self.w, n);
        let mut free = vec_of(&mut self.free, n);
        // from the impulses so far
        items.iter().for_each(|item| push_local(problem, *item, local, &impulse(problem, *item), &mut w));
        self.gather(problem, items, local, &mut free);
        w.iter_mut().zip(&free).for_each(|(w, f)| *w += f);
        self.lifts.clear();
        self.lifts.resize(items.len(), 0.0);
        let mut compliances = COMPLIANCE.into_iter().take(if precise { 2 } else { 1 });
        self.compliance = compliances.next().unwrap_or_default();
        for _ in 0..ROUNDS {
            self.minimise(problem, items, local, &mut w, &free);
            let mut change: f64 = 0.0;
            for (item, lift) in items.iter().zip(&mut self.lifts) {
                if let Item::Contact(k) = *item {
                    let c = &problem.contacts[k];
                    let slides = velocity_local(problem, *item, local, &w) - c.own.wanted;
                    let next = c.mu * (slides.y * slides.y + slides.z * slides.z).sqrt();
                    change = change.max((next - *lift).abs());
                    *lift = next;
                }
            }
            if change < SETTLED {
                match compliances.next() {
                    Some(next) => self.compliance = next,
                    None => break,
                }
            }
        }
        for (item, a) in items.iter().zip(&self.answers) {
            set_impulse(problem, *item, &a.s);
        }
        self.fallback.clear();
        self.fallback.extend(self.answers.iter().map(|a| a.s));
        (self.w, self.free) = (w, free);
        problem.refresh();
    }

    /// Goes back to the last convex impulses if the exact laws hold better with them; returns how far these are from
    /// holding, as a velocity.
    pub(crate) fn fall_back(&mut self, problem: &mut Problem, items: &[Item]) -> f64 {
        let now = violation(problem, items);
        self.save(problem, items);
        for (item, p) in items.iter().zip(&self.fallback) {
            set_impulse(problem, *item, p);
        }
        problem.refresh();
        let then = violation(problem, items);
        if !(then < now) {
            self.undo(problem, items);
        }
        now.min(then).sqrt()
    }

    /// Newton's method with a line search.
    fn minimise(&mut self, problem: &Problem, items: &[Item], local: &[u32], w: &mut [f64], free: &[f64]) {
        let n = w.len();
        let mut cost = self.project(problem, items, local, w, free);
        for _ in 0..MOST {
            // step = −gradient = w_free − w + Σ Z p
            let mut step = std::mem::take(&mut self.step);
            step.clear();
            step.extend(free.iter().zip(&*w).map(|(f, w)| f - w));
            for (item, a) in items.iter().zip(&self.answers) {
                push_local(problem, *item, local, &a.s, &mut step);
            }
            let size: f64 = step.iter().map(|x| x * x).sum();
            let solved = size > 1e-20 && self.factor(problem, items, local, n);
            let mut slope = 0.0;
            if solved {
                self.gradient.clone_from(&step);
                self.tree.solve(&mut step);
                slope = -self.gradient.iter().zip(&step).map(|(g, s)| g * s).sum::<f64>();
            }
            let (mut share, mut lower) = (1.0, false);
            while slope < 0.0 && share > 1e-4 {
                w.iter_mut().zip(&step).for_each(|(w, s)| *w += share * s);
                let next = self.project(problem, items, local, w, free);
                if next <= cost + 1e-4 * share * slope {
                    (cost, lower) = (next, true);
                    break;
                }
                w.iter_mut().zip(&step).for_each(|(w, s)| *w -= share * s);
                share *= 0.5;
            }
            self.step = step;
            if !lower {
                // the answers are those of an attempt that failed
                self.project(problem, items, local, w, free);
                break;
            }
            if -slope < 1e-16 * (1.0 + cost) {
                break;
            }
        }
    }

    /// `w` without impulses, by degree of freedom of the island.
    fn gather(&self, problem: &Problem, items: &[Item], local: &[u32], free: &mut [f64]) {
        for item in items {
            problem.dofs_of(*item, |dof| free[local[dof] as usize] = problem.free[dof]);
        }
    }

    /// Impulses (`s` of the answers) and their stiffness at `w`; returns the cost.
    fn project(&mut self, problem: &Problem, items: &[Item], local: &[u32], w: &[f64], free: &[f64]) -> f64 {
        self.answers.clear();
        let mut cost = 0.5 * w.iter().zip(free).map(|(w, f)| (w - f) * (w - f)).sum::<f64>();
        for (&item, lift) in items.iter().zip(&self.lifts) {
            let velocity = velocity_local(problem, item, local, w);
            let (z, p, k, soft) = match item {
                Item::Tie(i) => {
                    let own = &problem.ties[i].own;
                    let soft = self.compliance * own.matrix.trace() / 3.0;
                    let z = (own.wanted - velocity) / soft.max(f64::MIN_POSITIVE);
                    (z, z, Mat3::identity(), soft)
                }
                Item::Bounded(i) => {
                    let b = &problem.bounded[i];
                    let soft = self.compliance / b.own.inverse;
                    let z = (b.own.wanted - velocity.x) / soft;
                    let p = z.clamp(b.low, b.high);
                    let mut k = Mat3::zeros();
                    k.m11 = if p == z { 1.0 } else { 0.0 };
                    (Vec3::new(z, 0.0, 0.0), Vec3::new(p, 0.0, 0.0), k, soft)
                }
                Item::Contact(i) => {
                    let c = &problem.contacts[i];
                    let soft = self.compliance * c.own.matrix.trace() / 3.0;
                    let wanted = c.own.wanted - Vec3::new(*lift, 0.0, 0.0);
                    let z = (wanted - velocity) / soft.max(f64::MIN_POSITIVE);
                    let (p, k) = onto_cone(&z, c.mu);
                    (z, p, k, soft)
                }
            };
            if soft > 0.0 {
                cost += soft * (z.dot(&p) - 0.5 * p.norm_squared());
                self.answers.push(Answer { s: p, k: k / soft });
            } else {
                // bodies that cannot move
                self.answers.push(Answer { s: Vec3::zeros(), k: Mat3::zeros() });
            }
        }
        cost
    }
}

/// A vector of zeros in the memory of another.
fn vec_of(memory: &mut Vec<f64>, n: usize) -> Vec<f64> {
    let mut vec = std::mem::take(memory);
    vec.clear();
    vec.resize(n, 0.0);
    vec
}

/// Projection onto the cone `|p_t| ≤ μ p_n`, and its derivative.
fn onto_cone(z: &Vec3, mu: f64) -> (Vec3, Mat3) {
    let length = (z.y * z.y + z.z * z.z).sqrt();
    if length <= mu * z.x {
        return (*z, Mat3::identity());
    }
    if mu * length <= -z.x {
        return (Vec3::zeros(), Mat3::zeros());
    }
    let along = Vec3::new(1.0, mu * z.y / length, mu * z.z / length) / (1.0 + mu * mu).sqrt();
    let p = along * along.dot(z);
    let across = Vec3::new(0.0, -z.z / length, z.y / length);
    let turning = mu * p.x / length;
    (p, along * along.transpose() + across * across.transpose() * turning)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The projection is the nearest point of the cone, and its derivative that of finite differences.
    #[test]
    fn projection_and_derivative() {
        for k in 1..200 {
            let at = |m: f64| (m * k as f64).sin();
            let (z, mu) = (Vec3::new(at(1.1), at(2.3), at(3.7)), 0.2 + at(0.7).abs());
            let (p, rate) = onto_cone(&z, mu);
            // what is left is normal to p and in the polar cone
            let left = z - p;
            assert!(p.dot(&left).abs() < 1e-14 && left.x + mu * left.y.hypot(left.z) < 1e-14, "{z} {p}");
            for axis in 0..3 {
                let h = Vec3::ith(axis, 1e-6);
                let finite = (onto_cone(&(z + h), mu).0 - onto_cone(&(z - h), mu).0) / 2e-6;
                assert!((finite - rate.column(axis)).norm() < 1e-5, "{z}: {finite} {rate}");
            }
        }
    }
}
