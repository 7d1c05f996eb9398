//! The optimisation behind a [`Tape`](super::Tape): a body without contacts from one state to another.
//!
//! ```text
//! minimise  Σ h (½R‖u‖² + limits(q)) + (x_N ⊖ x̄)ᵀ W (x_N ⊖ x̄),     v⁺ = v + h a(q, v, u),   q⁺ = q + h v⁺
//! ```
//! with the derivatives of forward dynamics in closed form; joints that have limits pay for what is beyond them. Controls are the torques of
//! joints with a motor, within their effort limits. The step equals the world's, so that the world repeats the plan.

use sinew_dynamics::{Data, Model, aba_derivatives, passive_force};
use sinew_solve::ddp::Problem;
use sinew_solve::riccati::{Stage, Terminal};
use std::cell::RefCell;
use std::sync::Arc;

/// A body without contacts, from one state to another.
#[derive(Debug)]
pub(super) struct Flight {
    pub(super) model: Arc<Model>,
    pub(super) nodes: usize,
    pub(super) step: f64,
    /// Degrees of freedom with a motor.
    pub(super) motors: Vec<usize>,
    /// Bounds of the controls.
    pub(super) low: Vec<f64>,
    pub(super) high: Vec<f64>,
    /// R
    pub(super) effort: f64,
    /// Cost beyond a joint limit, per rad² and second.
    pub(super) beyond: f64,
    /// Least and greatest place of every coordinate.
    pub(super) limits: Vec<[f64; 2]>,
    /// x̄ and the diagonal of W.
    pub(super) goal: Vec<f64>,
    pub(super) weights: Vec<f64>,
}

/// What a step computes and its derivatives use.
pub(super) struct Scratch {
    data: RefCell<Data>,
    tau: Vec<f64>,
    passive: Vec<f64>,
    moved: Vec<f64>,
}

impl Flight {
    fn nv(&self) -> usize {
        self.model.nv()
    }

    /// How far a coordinate is beyond its limits, with its sign.
    fn excess(&self, dof: usize, q: f64) -> f64 {
        let [low, high] = self.limits[dof];
        (q - high).max(0.0) + (q - low).min(0.0)
    }

    /// Torques of motors and of springs and dampers.
    fn torques(&self, x: &[f64], u: &[f64], scratch: &mut Scratch) {
        let (q, v) = x.split_at(self.nv());
        passive_force(&self.model, q, v, &mut scratch.passive);
        scratch.tau.copy_from_slice(&scratch.passive);
        self.motors.iter().zip(u).for_each(|(dof, u)| scratch.tau[*dof] += u);
    }
}

impl Problem for Flight {
    type Data = Scratch;

    fn nodes(&self) -> usize {
        self.nodes
    }

    fn nx(&self) -> usize {
        2 * self.nv()
    }

    fn nu(&self, _: usize) -> usize {
        self.motors.len()
    }

    fn data(&self, _: usize) -> Scratch {
        let zeros = || vec![0.0; self.nv()];
        let data = RefCell::new(Data::new(&self.model));
        Scratch { data, tau: zeros(), passive: zeros(), moved: zeros() }
    }

    fn calc(&self, _: usize, x: &[f64], u: &[f64], scratch: &mut Scratch, next: &mut [f64]) -> f64 {
        let (n, h) = (self.nv(), self.step);
        self.torques(x, u, scratch);
        let data = scratch.data.get_mut();
        match sinew_dynamics::aba(&self.model, data, &x[..n], &x[n..], &scratch.tau) {
            Ok(a) => (0..n).for_each(|i| next[n + i] = x[n + i] + h * a[i]),
            // a state that cannot be evaluated: the solver rejects the step
            Err(_) => next.fill(f64::NAN),
        }
        (0..n).for_each(|i| next[i] = x[i] + h * next[n + i]);
        let outside: f64 = (0..n).map(|i| self.excess(i, x[i])).map(|e| e * e).sum();
        0.5 * h * (self.effort * u.iter().map(|u| u * u).sum::<f64>() + self.beyond * outside)
    }

    fn calc_diff(&self, _: usize, x: &[f64], u: &[f64], scratch: &mut Scratch, stage: &mut Stage) {
        let (n, h) = (self.nv(), self.step);
        let m = 2 * n;
        self.torques(x, u, scratch);
        // springs and dampers act within one joint: one difference gives all their derivatives
        let slope = |by_q: bool, scratch: &mut Scratch| -> Vec<f64> {
            const STEP: f64 = 1e-6;
            let (mut q, mut v) = (x[..n].to_vec(), x[n..].to_vec());
            let moved = if by_q { &mut q } else { &mut v };
            moved.iter_mut().for_each(|c| *c += STEP);
            passive_force(&self.model, &q, &v, &mut scratch.moved);
            scratch.moved.iter().zip(&scratch.passive).map(|(b, a)| (b - a) / STEP).collect()
        };
        let [spring, damper] = [true, false].map(|by_q| slope(by_q, scratch));
        let Scratch { data, tau, .. } = scratch;
        let Ok(d) = aba_derivatives(&self.model, data.get_mut(), &x[..n], &x[n..], tau) else {
            stage.fx.fill(f64::NAN);
            return;
        };
        for j in 0..n {
            for i in 0..n {
                let one = f64::from(u8::from(i == j));
                let by_q = h * (d.dq[j * n + i] + d.dtau[j * n + i] * spring[j]);
                let by_v = one + h * (d.dv[j * n + i] + d.dtau[j * n + i] * damper[j]);
                (stage.fx[j * m + i], stage.fx[j * m + n + i]) = (one + h * by_q, by_q);
                (stage.fx[(n + j) * m + i], stage.fx[(n + j) * m + n + i]) = (h * by_v, by_v);
            }
        }
        for (k, dof) in self.motors.iter().enumerate() {
            for i in 0..n {
                let by_u = h * d.dtau[dof * n + i];
                (stage.fu[k * m + i], stage.fu[k * m + n + i]) = (h * by_u, by_u);
            }
            stage.luu[k * self.motors.len() + k] = h * self.effort;
            stage.lu[k] = h * self.effort * u[k];
        }
        for i in 0..n {
            let excess = self.excess(i, x[i]);
            stage.lx[i] = h * self.beyond * excess;
            stage.lxx[i * m + i] = if excess == 0.0 { 0.0 } else { h * self.beyond };
        }
    }

    fn calc_end(&self, x: &[f64], _: &mut Scratch) -> f64 {
        x.iter().zip(&self.goal).zip(&self.weights).map(|((x, g), w)| w * (x - g) * (x - g)).sum()
    }

    fn calc_end_diff(&self, x: &[f64], _: &mut Scratch, end: &mut Terminal) {
        let m = x.len();
        for i in 0..m {
            end.lx[i] = 2.0 * self.weights[i] * (x[i] - self.goal[i]);
            end.lxx[i * m + i] = 2.0 * self.weights[i];
        }
    }

    fn bounds(&self, _: usize) -> Option<(&[f64], &[f64])> {
        self.high.iter().any(|h| h.is_finite()).then_some((&self.low[..], &self.high[..]))
    }
}
