//! Derivatives of the rows of a frame, by its own forces and by the frames before, here and after.

use super::kinetics::{Moment, inverse_right};
use super::points::POINTS;
use super::problem::Problem;
use sinew_dynamics::forward_kinematics;
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_motion::Travel;

/// Writes the block of a joint-wise matrix: 1 for numbers, a 3 × 3 matrix for rotations.
fn blocks(
    out: &mut [f64],
    order: usize,
    at: usize,
    turns: &[usize],
    scale: f64,
    of: impl Fn(usize) -> sinew_dynamics::spatial::Mat3,
) {
    let nv = out.len() / order;
    for d in 0..nv {
        out[d * order + at + d] = scale;
    }
    for &g in turns {
        let m = of(g) * scale;
        for r in 0..3 {
            for c in 0..3 {
                out[(g + r) * order + at + g + c] = m[(r, c)];
            }
        }
    }
}

/// Turns the columns of the root's place, `from` on, by a travel: a frame beyond the seam is another frame moved.
fn turn_columns(out: &mut [f64], order: usize, from: usize, travel: &Travel) {
    for row in out.chunks_exact_mut(order) {
        // row · R(yaw): the transpose turns back
        let back = Travel { yaw: -travel.yaw, shift: Vec3::zeros() };
        let turned = back.direction(&Vec3::new(row[from], row[from + 1], row[from + 2]));
        row[from..from + 3].copy_from_slice(turned.as_slice());
    }
}

impl Problem<'_> {
    /// Derivatives at the present motion, which the trial equals then; row after row, all zeros to begin with.
    pub(super) fn differentiate(&mut self, k: usize, out: &mut [f64]) {
        let (nq, nv) = (self.model.nq(), self.model.nv());
        let reference = self.reference;
        // the trial is the present motion here
        self.rates(k);
        let m = self.first_force[k + 1] - self.first_force[k];
        let order = m + 3 * nv;
        let (before, here, after) = (m, m + nv, m + 2 * nv);
        let (turns, dt) = (self.kinetics.turns().to_vec(), self.dt);
        let all = out;
        let mut rest = &mut all[..];
        let mut take = |rows: usize| {
            let (first, after) = core::mem::take(&mut rest).split_at_mut(rows * order);
            rest = after;
            first
        };
        let q = self.trial.q[k * nq..(k + 1) * nq].to_vec();
        self.model.difference(&reference.q[k * nq..(k + 1) * nq], &q, &mut self.error);
        let error = &self.error;
        blocks(take(nv), order, here, &turns, 1.0, |g| inverse_right(&error[g..g + 3], 1.0));
        if reference.has_before(k) {
            let rows = take(nv);
            let v = &self.rates[0];
            blocks(rows, order, here, &turns, 1.0 / dt, |g| inverse_right(&v[g..g + 3], dt));
            blocks(rows, order, before, &turns, -1.0 / dt, |g| inverse_right(&v[g..g + 3], dt).transpose());
        }
        if reference.has_both(k) {
            let [v, v_next] = &self.rates;
            let forces = &self.trial.forces[self.first_force[k]..self.first_force[k + 1]];
            let at = Moment { q: &q, v, v_next, down: &reference.down[k], forces };
            self.kinetics.linearise(&at);
            let active: Vec<usize> = (0..POINTS).filter(|p| reference.down[k][*p]).collect();
            let rows = take(nv);
            for (r, row) in rows.chunks_exact_mut(order).enumerate() {
                for (i, &p) in active.iter().enumerate() {
                    let lever = &self.kinetics.lever[p][3 * r..3 * r + 3];
                    (0..3).for_each(|x| row[3 * i + x] = -lever[x]);
                }
                for d in 0..nv {
                    row[before + d] = self.kinetics.before[d * nv + r];
                    row[here + d] = self.kinetics.here[d * nv + r];
                    row[after + d] = self.kinetics.after[d * nv + r];
                }
            }
            let limits = self.model.effort_limits();
            let limited: Vec<usize> =
                (0..nv).filter(|d| limits[*d] > 0.0 && limits[*d].is_finite()).collect();
            for (to, d) in take(limited.len()).chunks_exact_mut(order).zip(limited) {
                to.copy_from_slice(&rows[d * order..(d + 1) * order]);
            }
            for (i, row) in take(m).chunks_exact_mut(order).enumerate() {
                row[i] = 1.0;
            }
            let mu = reference.friction;
            for (i, row) in take(4 * active.len()).chunks_exact_mut(order).enumerate() {
                let (p, side) = (3 * (i / 4), i % 4);
                row[p] = if side < 2 { 1.0 } else { -1.0 };
                row[p + 1] = if side % 2 == 0 { 1.0 } else { -1.0 };
                row[p + 2] = mu;
            }
            // slides: the point here, and in the frame after
            let slides = take(2 * active.len());
            for (i, &p) in active.iter().enumerate() {
                for d in 0..nv {
                    for x in 0..2 {
                        slides[(2 * i + x) * order + here + d] = -self.kinetics.lever[p][3 * d + x] / dt;
                    }
                }
            }
            forward_kinematics(&self.model, &mut self.data, &self.around[1]);
            for (i, &p) in active.iter().enumerate() {
                let place = self.kinetics.points.place(&self.model, &self.data, p);
                self.data.point_jacobian(&self.model, self.kinetics.points.body(p), &place, &mut self.lever);
                for d in 0..nv {
                    for x in 0..2 {
                        slides[(2 * i + x) * order + after + d] = self.lever[3 * d + x] / dt;
                    }
                }
            }
        }
        forward_kinematics(&self.model, &mut self.data, &q);
        let low = take(2 * POINTS);
        for (i, row) in low.chunks_exact_mut(order).enumerate() {
            let corner = self.kinetics.points.corners[i / 2][i % 2];
            let place = corner.in_world(&self.model, &self.data);
            self.data.point_jacobian(&self.model, corner.body, &place, &mut self.lever);
            (0..nv).for_each(|d| row[here + d] = self.lever[3 * d + 2]);
        }
        for (row, r) in take(self.ranges.len()).chunks_exact_mut(order).zip(&self.ranges) {
            if r.ball {
                let turn = rotation::log(&rotation::from_wxyz(&q[r.q..]));
                if let Some(axis) = turn.try_normalize(1e-9) {
                    row[here + r.v..here + r.v + 3].copy_from_slice(axis.as_slice());
                }
            } else {
                row[here + r.v] = 1.0;
            }
        }
        self.seam(k, order, m, all);
    }

    /// Frames beyond the seam of a cycle are others moved; frames that are held have no columns.
    fn seam(&self, k: usize, order: usize, m: usize, all: &mut [f64]) {
        let (nv, count) = (self.model.nv(), self.reference.len());
        if let (Some(travel), Some(root)) = (self.reference.travel(), self.model.free_root()) {
            if k == 0 {
                turn_columns(all, order, m + root.v, &travel.inverse());
            }
            if k + 1 == count {
                turn_columns(all, order, m + 2 * nv + root.v, &travel);
            }
        }
        for (place, frame) in [k.wrapping_sub(1), k, k + 1].into_iter().enumerate() {
            if self.reference.held(frame) {
                for row in all.chunks_exact_mut(order) {
                    row[m + place * nv..m + (place + 1) * nv].fill(0.0);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Ends, Points, Reference, SpacetimeParams};
    use super::*;
    use sinew_dynamics::characters;
    use sinew_motion::{Clip, motions};
    use sinew_solve::chain::Chain;
    use std::sync::Arc;

    /// Every row of a stage against central differences along every unknown that it sees.
    fn compare(reference: &Reference, stages: &[usize]) {
        let points = Points::of(&reference.model).unwrap();
        let mut problem = Problem::new(reference, points, &SpacetimeParams::default());
        let (nv, count) = (problem.width(), problem.frames());
        let (mut frames, mut locals) = (vec![0.0; nv * count], vec![0.0; problem.now.forces.len()]);
        // away from the reference, with forces in all directions
        frames.iter_mut().enumerate().for_each(|(i, d)| *d = 0.02 * libm::sin(1.7 * i as f64));
        locals.iter_mut().enumerate().for_each(|(i, d)| *d = 50.0 * libm::cos(2.3 * i as f64));
        problem.try_step(1.0, &frames, &locals);
        problem.accept();
        frames.fill(0.0);
        locals.fill(0.0);
        for &k in stages {
            let (m, rows) = (problem.locals(k), problem.rows(k).len());
            let order = m + 3 * nv;
            problem.try_step(0.0, &frames, &locals);
            let mut jacobian = vec![0.0; rows * order];
            problem.jacobian(k, &mut jacobian);
            let (mut plus, mut minus) = (vec![0.0; rows], vec![0.0; rows]);
            for unknown in 0..order {
                let step = if unknown < m { 1e-2 } else { 1e-6 };
                let frame = (k + count + unknown.saturating_sub(m) / nv - 1) % count;
                let there = reference.travel().is_some() || frame.abs_diff(k) < 2;
                for (sign, out) in [(1.0, &mut plus), (-1.0, &mut minus)] {
                    match unknown.checked_sub(m) {
                        None => locals[problem.first_force[k] + unknown] = sign * step,
                        Some(u) if there => frames[frame * nv + u % nv] = sign * step,
                        Some(_) => {}
                    }
                    problem.try_step(1.0, &frames, &locals);
                    problem.values(k, out);
                    frames.fill(0.0);
                    locals.fill(0.0);
                }
                for r in 0..rows {
                    let (by, exact) = ((plus[r] - minus[r]) / (2.0 * step), jacobian[r * order + unknown]);
                    let scale = 1.0 + exact.abs().max(by.abs());
                    assert!((by - exact).abs() < 3e-5 * scale, "stage {k}, row {r}, {unknown}: {by} {exact}");
                }
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_central_differences() {
        let model = Arc::new(characters::load("human29").unwrap());
        let clip = motions::load("walk", &model).unwrap().resampled(60.0);
        let q = clip.as_slice()[30 * model.nq()..43 * model.nq()].to_vec();
        let part = |q| Clip::new("part", model.clone(), 60.0, q).unwrap();
        let mut clip = part(q);
        clip.contacts = Some(super::super::contacts(&[[true, false, true, true]; 13]));
        let mut reference = Reference::of_clip(&clip, true).unwrap();
        reference.ends = Ends::Cycle(Travel { yaw: 0.4, shift: Vec3::new(0.3, 0.1, 0.0) });
        compare(&reference, &[0, 4, 11]);
        reference.ends = Ends::Open { first: false, last: false };
        compare(&reference, &[0, 5, 11]);
    }
}
