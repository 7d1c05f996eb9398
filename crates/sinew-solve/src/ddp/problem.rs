//! The interface of a trajectory optimisation problem.

use crate::riccati::{Stage, Terminal};

/// The condition on the first state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// It is the one of the guess.
    Fixed,
    /// It is optimised along with the rest.
    Free,
}

/// A discrete optimal-control problem on a manifold; the notation is that of [the module](super).
///
/// The default methods are those of a vector space, without bounds and without a condition on the ends.
///
/// ```
/// use sinew_solve::ddp::{Ddp, Problem, Settings, Status};
/// use sinew_solve::riccati::{Stage, Terminal};
///
/// /// A pendulum that is to stand upright (angle π) after two seconds.
/// struct Pendulum;
///
/// impl Problem for Pendulum {
///     type Data = ();
///     fn nodes(&self) -> usize { 100 }
///     fn nx(&self) -> usize { 2 }
///     fn nu(&self, _: usize) -> usize { 1 }
///     fn data(&self, _: usize) {}
///     fn calc(&self, _: usize, x: &[f64], u: &[f64], _: &mut (), next: &mut [f64]) -> f64 {
///         let h = 0.02;
///         next[1] = x[1] + h * (u[0] - 9.81 * libm::sin(x[0]));
///         next[0] = x[0] + h * next[1];
///         0.5 * 1e-3 * u[0] * u[0]
///     }
///     fn calc_diff(&self, _: usize, x: &[f64], u: &[f64], _: &mut (), stage: &mut Stage) {
///         let h = 0.02;
///         let pull = -h * 9.81 * libm::cos(x[0]);
///         stage.fx.copy_from_slice(&[1.0 + h * pull, pull, h, 1.0]);
///         stage.fu.copy_from_slice(&[h * h, h]);
///         (stage.luu[0], stage.lu[0]) = (1e-3, 1e-3 * u[0]);
///     }
///     fn calc_end(&self, x: &[f64], _: &mut ()) -> f64 {
///         50.0 * ((x[0] - std::f64::consts::PI).powi(2) + x[1] * x[1])
///     }
///     fn calc_end_diff(&self, x: &[f64], _: &mut (), end: &mut Terminal) {
///         end.lxx.copy_from_slice(&[100.0, 0.0, 0.0, 100.0]);
///         end.lx.copy_from_slice(&[100.0 * (x[0] - std::f64::consts::PI), 100.0 * x[1]]);
///     }
/// }
///
/// let mut ddp = Ddp::new(&Pendulum, Settings::default());
/// ddp.guess_controls(&Pendulum, &[0.0, 0.0], &[0.0; 100]);
/// let outcome = ddp.solve(&Pendulum);
/// assert_eq!(outcome.status, Status::Converged);
/// assert!((ddp.state(100)[0] - std::f64::consts::PI).abs() < 0.05);
/// ```
pub trait Problem {
    /// Scratch of one node: what `calc` computes and `calc_diff` uses again.
    type Data;

    /// Number of steps N; there are N controls and N + 1 states.
    fn nodes(&self) -> usize;

    /// Numbers in a state.
    fn nx(&self) -> usize;

    /// Dimension of the tangent space; as many as `nx` in a vector space.
    fn ndx(&self) -> usize {
        self.nx()
    }

    /// Number of controls of step `node`.
    fn nu(&self, node: usize) -> usize;

    /// Makes the scratch of a node; `node` = N for the end.
    fn data(&self, node: usize) -> Self::Data;

    /// `out = x ⊕ dx`
    fn integrate(&self, x: &[f64], dx: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(x.iter().zip(dx)).for_each(|(o, (x, d))| *o = x + d);
    }

    /// `out = to ⊖ from`, so that `from ⊕ out = to`.
    fn difference(&self, from: &[f64], to: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(from.iter().zip(to)).for_each(|(o, (f, t))| *o = t - f);
    }

    /// Writes the next state and returns the cost of the step.
    fn calc(&self, node: usize, x: &[f64], u: &[f64], data: &mut Self::Data, next: &mut [f64]) -> f64;

    /// Writes `fx, fu, lx, lu, lxx, lxu, luu` of the stage at the point where `calc` was called last with this
    /// `data`. The other fields belong to the solver. Entries that never change may be left as they are.
    fn calc_diff(&self, node: usize, x: &[f64], u: &[f64], data: &mut Self::Data, stage: &mut Stage);

    /// Returns the cost of the last state.
    fn calc_end(&self, x: &[f64], data: &mut Self::Data) -> f64;

    /// Writes `lx` and `lxx` of the end.
    fn calc_end_diff(&self, x: &[f64], data: &mut Self::Data, end: &mut Terminal);

    /// Adds the second derivatives of the dynamics, `Σ_i costate_i ∂²f_i`, to `lxx`, `lxu`, `luu` of the stage.
    /// Called when [`Settings::second_order`](super::Settings::second_order) is set.
    fn add_second_order(
        &self,
        node: usize,
        x: &[f64],
        u: &[f64],
        data: &mut Self::Data,
        costate: &[f64],
        stage: &mut Stage,
    ) {
        let _ = (node, x, u, data, costate, stage);
    }

    /// Lower and upper bounds of the controls of step `node`, if any; entries may be infinite.
    fn bounds(&self, node: usize) -> Option<(&[f64], &[f64])> {
        let _ = node;
        None
    }

    /// Whether the first state is part of the solution.
    fn start(&self) -> Start {
        Start::Fixed
    }

    /// Number of conditions `c(x_0, x_N) = 0` on the ends.
    fn boundary_len(&self) -> usize {
        0
    }

    /// Writes `c(x_0, x_N)`.
    fn boundary(&self, first: &[f64], last: &[f64], c: &mut [f64]) {
        let _ = (first, last, c);
    }

    /// Writes the derivatives of `c` in the tangents of both ends, `boundary_len` × `ndx` each, column-major.
    fn boundary_diff(&self, first: &[f64], last: &[f64], by_first: &mut [f64], by_last: &mut [f64]) {
        let _ = (first, last, by_first, by_last);
    }
}
