//! Splines through configurations: twice continuously differentiable, with analytic rates.
//!
//! Each coordinate that adds is an ordinary cubic B-spline of control values `c`. Each rotation is a *cumulative* cubic
//! B-spline (Kim, Kim, Shin 1995): between knots i and i+1, with `u` from 0 to 1 and `d_j = log(c_{j-1}⁻¹ c_j)`,
//! ```text
//! R(u) = c_{i−1} exp(λ₁ d_i) exp(λ₂ d_{i+1}) exp(λ₃ d_{i+2})
//! λ₁ = (5 + 3u − 3u² + u³)/6,   λ₂ = (1 + 3u + 3u² − 2u³)/6,   λ₃ = u³/6
//! ```
//! Angular velocity and acceleration in the axes of the turned frame, factor by factor (Sommer et al. 2020), `A_j = exp(λ_j d_j)`:
//! ```text
//! ω_j = A_j⁻¹ ω_{j−1} + λ̇_j d_j        α_j = A_j⁻¹ α_{j−1} + ω_j × λ̇_j d_j + λ̈_j d_j
//! ```
//! Control points are found so that the spline passes through the frames: with the residual `r_i = q_i ⊖ s(t_i)`, the banded
//! system `(δ_{i−1} + 4δ_i + δ_{i+1})/6 = r_i` gives the correction `c_i ← c_i ⊕ δ_i`. It is exact at once for numbers, and
//! converges to rounding in a few rounds for rotations.
//!
//! Ends: the first and last pieces are parabolas (third difference of the control points zero), so that constant velocity
//! and constant acceleration are kept exactly. A loop continues with itself, moved along (see [`Travel`]).
//!
//! Cost: three exponentials per rotation and sample; control points once per clip, `O(frames · nv)`.

use crate::Travel;
use crate::layout::{Layout, quat_at, vec3_at, write_quat, write_vec3};
use sinew_dynamics::Model;
use sinew_dynamics::spatial::{Quat, Vec3, rotation};
use sinew_solve::banded::{Band, BandLu};

/// Greatest distance that a control polygon may leave between spline and frame, in rad or m, and rounds to get there.
const TOLERANCE: f64 = 1e-13;
const ROUNDS: usize = 60;

/// Control points with a ghost before the first and ghosts after the last, and the steps between them.
#[derive(Clone, Debug)]
pub(super) struct Spline {
    layout: Layout,
    nq: usize,
    nv: usize,
    /// Number of pieces.
    pieces: usize,
    /// Control point `j − 1` begins at `j·nq`.
    control: Vec<f64>,
    /// Step from control point `j − 1` to `j` begins at `j·nv`.
    steps: Vec<f64>,
    cubic: bool,
}

impl Spline {
    /// Lines and shortest arcs through `frames`.
    pub(super) fn linear(model: &Model, frames: &[f64]) -> Spline {
        let mut spline = Spline::empty(model, frames.len() / model.nq(), false);
        spline.control[spline.nq..][..frames.len()].copy_from_slice(frames);
        spline.fill_ghosts(model, None);
        spline
    }

    /// The spline through `frames`; with `period`, through frame 0 moved by it after the last.
    pub(super) fn cubic(model: &Model, frames: &[f64], period: Option<Travel>) -> Spline {
        let (nq, nv) = (model.nq(), model.nv());
        let n = frames.len() / nq;
        if n < 3 && period.is_none() {
            return Spline::linear(model, frames);
        }
        let mut spline = Spline::empty(model, n + usize::from(period.is_some()), true);
        spline.control[nq..][..frames.len()].copy_from_slice(frames);
        let mut system = BandLu::new(&collocation(n, period.is_some()));
        system.factor(&collocation(n, period.is_some()));
        let (mut at, mut moved) = (vec![0.0; nq], vec![0.0; nq]);
        let (mut column, mut residual) = (vec![0.0; n], vec![0.0; n * nv]);
        for _ in 0..ROUNDS {
            spline.fill_ghosts(model, period);
            for i in 0..n {
                spline.configuration(i.min(spline.pieces - 1), f64::from(i == spline.pieces), &mut at);
                model.difference(&at, &frames[i * nq..(i + 1) * nq], &mut residual[i * nv..(i + 1) * nv]);
            }
            if residual.iter().all(|r| r.abs() < TOLERANCE) {
                break;
            }
            for k in 0..nv {
                (0..n).for_each(|i| column[i] = residual[i * nv + k]);
                system.solve(&mut column);
                (0..n).for_each(|i| residual[i * nv + k] = column[i]);
            }
            for i in 0..n {
                let point = (i + 1) * nq..(i + 2) * nq;
                model.integrate(&spline.control[point.clone()], &residual[i * nv..(i + 1) * nv], &mut moved);
                spline.control[point].copy_from_slice(&moved);
            }
        }
        spline
    }

    fn empty(model: &Model, knots: usize, cubic: bool) -> Spline {
        let (nq, nv) = (model.nq(), model.nv());
        Spline {
            layout: Layout::new(model),
            nq,
            nv,
            pieces: knots.saturating_sub(1).max(1),
            control: vec![0.0; (knots + 3) * nq],
            steps: vec![0.0; (knots + 3) * nv],
            cubic,
        }
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(super) fn pieces(&self) -> usize {
        self.pieces
    }

    /// Continues the control points beyond the ends and takes the steps between them.
    fn fill_ghosts(&mut self, model: &Model, period: Option<Travel>) {
        let (nq, points) = (self.nq, self.control.len() / self.nq);
        let last = points - 3;
        if let Some(travel) = period {
            // point j + N is point j, moved
            let n = last - 1;
            let mut copy = |from: usize, to: usize, travel: Travel| {
                self.control.copy_within(from * nq..(from + 1) * nq, to * nq);
                travel.apply_to(model, &mut self.control[to * nq..(to + 1) * nq]);
            };
            copy(n, 0, travel.inverse());
            copy(1, last, travel);
            copy(2, last + 1, travel);
        } else {
            let step = |of: &[f64], from: usize, to: usize, scale: f64| {
                let mut d = vec![0.0; model.nv()];
                model.difference(&of[from * nq..(from + 1) * nq], &of[to * nq..(to + 1) * nq], &mut d);
                d.iter_mut().for_each(|x| *x *= scale);
                d
            };
            // the step beyond an end: as the last, and its change once more
            let beyond = |of: &[f64], end: usize, inner: usize, second: usize, enough: bool| {
                let mut d = step(of, inner, end, if enough { 2.0 } else { 1.0 });
                if enough {
                    step(of, second, inner, -1.0).iter().zip(&mut d).for_each(|(x, d)| *d += x);
                }
                let mut q = vec![0.0; nq];
                model.integrate(&of[end * nq..(end + 1) * nq], &d, &mut q);
                q
            };
            let parabola = self.cubic && last >= 3;
            let (near, far) = (2.min(last), 3.min(last));
            let before = beyond(&self.control, 1, near, far, parabola);
            let (near, far) = ((last - 1).max(1), (last.max(2) - 2).max(1));
            let after = beyond(&self.control, last, near, far, parabola);
            self.control[..nq].copy_from_slice(&before);
            self.control[(last + 1) * nq..(last + 2) * nq].copy_from_slice(&after);
            self.control.copy_within((last + 1) * nq..(last + 2) * nq, (last + 2) * nq);
        }
        for j in 1..points {
            let (a, b) = (&self.control[(j - 1) * nq..j * nq], &self.control[j * nq..(j + 1) * nq]);
            model.difference(a, b, &mut self.steps[j * self.nv..(j + 1) * self.nv]);
        }
    }

    /// Position on piece `i` at `u` in [0, 1].
    pub(super) fn configuration(&self, i: usize, u: f64, q: &mut [f64]) {
        let (first, weights) = self.weights(i, u);
        let (control, steps) = (&self.control[first * self.nq..], &self.steps[(first + 1) * self.nv..]);
        for &(at, v) in &self.layout.numbers {
            q[at] = (0..3).fold(control[at], |x, j| x + weights[j][0] * steps[j * self.nv + v]);
        }
        for &(at, v) in &self.layout.turns {
            let mut turn = quat_at(control, at);
            for (j, [w, ..]) in weights.iter().enumerate().filter(|(_, w)| w[0] != 0.0) {
                turn *= rotation::exp(&(vec3_at(steps, j * self.nv + v) * *w));
            }
            write_quat(q, at, &Quat::new_normalize(turn.into_inner()));
        }
    }

    /// Position, velocity and acceleration on piece `i` at `u`; `rate` pieces per second.
    pub(super) fn state(&self, i: usize, u: f64, rate: f64, q: &mut [f64], dq: &mut [f64], ddq: &mut [f64]) {
        let (first, weights) = self.weights(i, u);
        let (control, steps) = (&self.control[first * self.nq..], &self.steps[(first + 1) * self.nv..]);
        for &(at, v) in &self.layout.numbers {
            let sum = |k: usize| (0..3).fold(0.0, |x, j| x + weights[j][k] * steps[j * self.nv + v]);
            (q[at], dq[v], ddq[v]) = (control[at] + sum(0), sum(1) * rate, sum(2) * rate * rate);
        }
        for &(at, v) in &self.layout.turns {
            let (mut turn, mut omega, mut alpha) = (quat_at(control, at), Vec3::zeros(), Vec3::zeros());
            for (j, [w, dw, ddw]) in weights.iter().enumerate() {
                let d = vec3_at(steps, j * self.nv + v);
                let factor = rotation::exp(&(d * *w));
                let back = factor.inverse();
                turn *= factor;
                omega = back * omega + d * *dw;
                alpha = back * alpha + omega.cross(&d) * *dw + d * *ddw;
            }
            write_quat(q, at, &Quat::new_normalize(turn.into_inner()));
            write_vec3(dq, v, &(omega * rate));
            write_vec3(ddq, v, &(alpha * (rate * rate)));
        }
    }

    /// First control point of piece `i` and the weights of the steps after it: value, first and second derivative.
    fn weights(&self, i: usize, u: f64) -> (usize, [[f64; 3]; 3]) {
        if !self.cubic {
            return (i + 1, [[u, 1.0, 0.0], [0.0; 3], [0.0; 3]]);
        }
        let (u2, u3) = (u * u, u * u * u);
        let of = |a: f64, b: f64, c: f64| [a / 6.0, b / 2.0, c];
        (
            i,
            [
                of(5.0 + 3.0 * u - 3.0 * u2 + u3, 1.0 - 2.0 * u + u2, u - 1.0),
                of(1.0 + 3.0 * u + 3.0 * u2 - 2.0 * u3, 1.0 + 2.0 * u - 2.0 * u2, 1.0 - 2.0 * u),
                of(u3, u2, u),
            ],
        )
    }
}

/// Values of the spline at the knots as a linear map of the control points.
fn collocation(n: usize, cyclic: bool) -> Band {
    let mut a = Band::new(n, 2.min(n - 1), 2.min(n - 1));
    for i in 0..n {
        a.set(i, i, 4.0 / 6.0);
        if i > 0 {
            a.set(i, i - 1, 1.0 / 6.0);
        }
        if i + 1 < n {
            a.set(i, i + 1, 1.0 / 6.0);
        }
    }
    if !cyclic {
        // ghosts are 3c₀ − 3c₁ + c₂; a loop's are left to the iteration, which moves them
        for (row, inner, second) in [(0, 1, 2), (n - 1, n - 2, n - 3)] {
            a.set(row, row, 7.0 / 6.0);
            a.set(row, inner, -2.0 / 6.0);
            a.set(row, second, 1.0 / 6.0);
        }
    }
    a
}
