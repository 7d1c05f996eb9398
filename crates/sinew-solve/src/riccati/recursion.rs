//! The backward recursion and the forward sweep.

use super::problem::{LqProblem, Stage, Terminal};
use crate::box_qp::symmetric_add;
use crate::dense::gemm::{Mat, MatMut, Packing, Shape, Update};
use crate::dense::partial_cholesky::{backward, forward, negative_right_solve, partial_cholesky};
use crate::dense::vector::{axpy, dot, gemv_add, gemv_t};

/// The quadratic form in the controls of a stage is not positive definite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the cost is not strictly convex in control {control} of stage {stage}")]
pub struct NotConvex {
    /// The stage.
    pub stage: usize,
    /// Index of the first control whose pivot was not positive.
    pub control: usize,
}

/// The control law of one stage.
#[derive(Clone, Debug)]
pub(crate) struct Law {
    /// `Kᵀ`, nx × nu.
    pub(crate) gain_t: Vec<f64>,
    pub(crate) feedforward: Vec<f64>,
    /// Cholesky factor of `Q_uu`, nu × nu.
    pub(crate) factor: Vec<f64>,
    /// Controls that rest on a bound: no feedback.
    pub(crate) held: Vec<bool>,
}

/// The cost to go from one node.
#[derive(Clone, Debug)]
struct Value {
    /// Lower triangle.
    hessian: Vec<f64>,
    gradient: Vec<f64>,
    constant: f64,
}

/// Laws and values of a horizon, and the workspace to compute them.
///
/// ```
/// use sinew_solve::riccati::{LqProblem, Riccati};
/// // a double integrator, pushed to the origin over 50 steps
/// let mut problem = LqProblem::new(2, [1; 50]);
/// for stage in &mut problem.stages {
///     stage.fx.copy_from_slice(&[1.0, 0.0, 0.1, 1.0]);
///     stage.fu.copy_from_slice(&[0.005, 0.1]);
///     stage.lxx.copy_from_slice(&[1.0, 0.0, 0.0, 0.1]);
///     stage.luu[0] = 0.01;
/// }
/// let mut riccati = Riccati::new(&problem);
/// riccati.backward(&problem, 0.0).unwrap();
/// let (mut xs, mut us) = ([0.0; 2 * 51], [0.0; 50]);
/// riccati.forward(&problem, &[1.0, 0.0], &mut xs, &mut us);
/// assert!(xs[100].abs() < 1e-3);
/// ```
#[derive(Clone, Debug)]
pub struct Riccati {
    nx: usize,
    pub(crate) laws: Vec<Law>,
    values: Vec<Value>,
    packing: Packing,
    /// `RᵀF_u` and `RᵀF_x`, or `VF_u` and `VF_x`; nx × (nu + nx).
    w: Vec<f64>,
    /// Hessian of the Q-function in (u, x), lower triangle. Its last block becomes V, and then the factor R of V.
    h: Vec<f64>,
    /// Where R starts in `h`, and how far apart its columns are.
    root: (usize, usize),
    /// Whether V is positive definite, that is whether there is an R.
    definite: bool,
    /// V with both triangles, when there is no R.
    full: Vec<f64>,
    /// Gradient of the Q-function in (u, x).
    g: Vec<f64>,
    /// Gradient of the value ahead at the affine term: `v + V f_0`.
    ahead: Vec<f64>,
}

impl Riccati {
    /// Workspace for problems with the sizes of `problem`.
    pub fn new(problem: &LqProblem) -> Self {
        let nx = problem.nx();
        let most = nx + problem.stages.iter().map(Stage::nu).max().unwrap_or(0);
        let law = |s: &Stage| Law {
            gain_t: vec![0.0; nx * s.nu()],
            feedforward: vec![0.0; s.nu()],
            factor: vec![0.0; s.nu() * s.nu()],
            held: vec![false; s.nu()],
        };
        let value = Value { hessian: vec![0.0; nx * nx], gradient: vec![0.0; nx], constant: 0.0 };
        Self {
            nx,
            laws: problem.stages.iter().map(law).collect(),
            values: vec![value; problem.stages.len() + 1],
            packing: Packing::new(most, most),
            w: vec![0.0; nx * most],
            h: vec![0.0; most * most],
            root: (0, nx),
            definite: false,
            full: vec![0.0; nx * nx],
            g: vec![0.0; most],
            ahead: vec![0.0; nx],
        }
    }

    /// Solves the problem from the end to the beginning, with `regularisation` added to the diagonal of every
    /// `L_uu`.
    ///
    /// # Panics
    /// When the sizes differ from those given to [`Riccati::new`].
    pub fn backward(&mut self, problem: &LqProblem, regularisation: f64) -> Result<(), NotConvex> {
        assert!(problem.nx() == self.nx && problem.stages.len() == self.laws.len(), "sizes of a horizon");
        self.start(&problem.terminal);
        for (i, stage) in problem.stages.iter().enumerate().rev() {
            fetch(stage);
            self.look_ahead(i, stage);
            self.expand(i, stage);
            self.eliminate(i, stage, regularisation).map_err(|control| NotConvex { stage: i, control })?;
        }
        Ok(())
    }

    /// Follows the laws from `x0`: states into `xs` (nx numbers per node), controls into `us`, one after the
    /// other.
    ///
    /// # Panics
    /// When `xs` or `us` is too short.
    pub fn forward(&self, problem: &LqProblem, x0: &[f64], xs: &mut [f64], us: &mut [f64]) {
        let n = self.nx;
        xs[..n].copy_from_slice(x0);
        let mut us = us;
        for (i, (stage, law)) in problem.stages.iter().zip(&self.laws).enumerate() {
            let (u, rest) = us.split_at_mut(stage.nu());
            let (x, next) = xs[i * n..(i + 2) * n].split_at_mut(n);
            gemv_t(&law.gain_t, n, x, u);
            axpy(1.0, &law.feedforward, u);
            next.copy_from_slice(&stage.f0);
            gemv_add(1.0, &stage.fx, n, x, next);
            gemv_add(1.0, &stage.fu, n, u, next);
            us = rest;
        }
    }

    /// The feedback `K` of stage `i`, nu × nx.
    pub fn gain(&self, i: usize) -> Mat<'_> {
        let law = &self.laws[i];
        Mat::new(&law.gain_t, self.nx, law.feedforward.len()).t()
    }

    /// The feed-forward `k` of stage `i`.
    pub fn feedforward(&self, i: usize) -> &[f64] {
        &self.laws[i].feedforward
    }

    /// Writes the Hessian `V` of the cost to go from node `i`, nx × nx, both triangles.
    pub fn value_hessian(&self, i: usize, out: &mut [f64]) {
        out.copy_from_slice(&self.values[i].hessian);
        mirror(out, self.nx);
    }

    /// The gradient `v` of the cost to go from node `i`.
    pub fn value_gradient(&self, i: usize) -> &[f64] {
        &self.values[i].gradient
    }

    /// The constant `c` of the cost to go from node `i`.
    pub fn value_constant(&self, i: usize) -> f64 {
        self.values[i].constant
    }

    /// The cost to go at the end.
    pub(crate) fn start(&mut self, terminal: &Terminal) {
        let n = self.nx;
        let value = self.values.last_mut().expect("a horizon has an end");
        value.hessian.copy_from_slice(&terminal.lxx);
        value.gradient.copy_from_slice(&terminal.lx);
        value.constant = terminal.l0;
        self.h[..n * n].copy_from_slice(&terminal.lxx);
        self.root = (0, n);
        self.factor_root();
    }

    /// Tries to factor the Hessian of the value where it lies in `h`.
    fn factor_root(&mut self) {
        let (n, (start, ld)) = (self.nx, self.root);
        let root = &mut self.h[start..];
        let largest = (0..n).fold(0.0, |m: f64, i| m.max(root[i * (ld + 1)]));
        let floor = n as f64 * f64::EPSILON * largest;
        self.definite = partial_cholesky(root, ld, n, n, floor, &mut self.packing).is_ok();
    }

    /// Gradient of the value ahead of stage `i` at its affine term: the costate of the stage's dynamics.
    pub(crate) fn look_ahead(&mut self, i: usize, stage: &Stage) -> &[f64] {
        let next = &self.values[i + 1];
        self.ahead.copy_from_slice(&next.gradient);
        symmetric_add(&next.hessian, &stage.f0, &mut self.ahead);
        &self.ahead
    }

    /// The Q-function of stage `i`: Hessian and gradient in (u, x). Needs [`Riccati::look_ahead`].
    pub(crate) fn expand(&mut self, i: usize, stage: &Stage) {
        let (n, m) = (self.nx, stage.nu());
        let order = n + m;
        let (fu, fx) = (Mat::new(&stage.fu, n, m), Mat::new(&stage.fx, n, n));
        // RᵀF with the factor of V, or VF
        let (start, ld) = self.root;
        let shape = if self.definite {
            self.packing.pack_lower_transposed(Mat::strided(&self.h[start..], n, n, ld));
            Shape::UpperFactor
        } else {
            self.full.copy_from_slice(&self.values[i + 1].hessian);
            mirror(&mut self.full, n);
            self.packing.pack(Mat::new(&self.full, n, n));
            Shape::Full
        };
        let (wu, wx) = self.w[..n * order].split_at_mut(n * m);
        self.packing.multiply(shape, Update::Set, fu, MatMut::new(wu, n, m));
        self.packing.multiply(shape, Update::Set, fx, MatMut::new(wx, n, n));
        // Hessian, lower triangle: cost + FᵀVF
        let (wu, wx) = (Mat::new(wu, n, m), Mat::new(wx, n, n));
        let (left_u, left_x) = if self.definite { (wu, wx) } else { (fu, fx) };
        let (luu, lxu, lxx) =
            (Mat::new(&stage.luu, m, m), Mat::new(&stage.lxu, n, m), Mat::new(&stage.lxx, n, n));
        let (hu, hx) = self.h[..order * order].split_at_mut(m * order);
        self.packing.product_lower(Update::Sum(luu), left_u.t(), wu, MatMut::strided(hu, m, m, order));
        self.packing.pack(left_x.t());
        if m > 0 {
            let hxu = MatMut::strided(&mut hu[m..], n, m, order);
            self.packing.multiply(Shape::Full, Update::Sum(lxu), wu, hxu);
        }
        let hxx = MatMut::strided(&mut hx[m..], n, n, order);
        self.packing.multiply(Shape::Lower, Update::Sum(lxx), wx, hxx);
        // gradient
        let (gu, gx) = self.g[..order].split_at_mut(m);
        gemv_t(&stage.fu, n, &self.ahead, gu);
        gemv_t(&stage.fx, n, &self.ahead, gx);
        axpy(1.0, &stage.lu, gu);
        axpy(1.0, &stage.lx, gx);
    }

    /// Copies `Q_uu` (lower triangle) plus a multiple of the identity out of the Q-function; returns `q_u`.
    pub(crate) fn control_block(&self, stage: &Stage, regularisation: f64, quu: &mut [f64]) -> &[f64] {
        let (n, m) = (self.nx, stage.nu());
        for j in 0..m {
            let from = j * (n + m) + j;
            quu[j * m + j..(j + 1) * m].copy_from_slice(&self.h[from..from + m - j]);
            quu[j * m + j] += regularisation;
        }
        &self.g[..m]
    }

    /// Minimises the Q-function over the controls: law of stage `i`, value of node `i`. Fails with the index of
    /// the first control whose pivot is not positive.
    pub(crate) fn eliminate(&mut self, i: usize, stage: &Stage, regularisation: f64) -> Result<(), usize> {
        let (n, m) = (self.nx, stage.nu());
        let order = n + m;
        for j in 0..m {
            self.h[j * (order + 1)] += regularisation;
        }
        self.laws[i].held.fill(false);
        self.schur(i, m)?;
        // L⁻¹ q_u gives the feed-forward and the gradient of the value
        let (law, value) = (&mut self.laws[i], &mut self.values[i]);
        let k = &mut law.feedforward;
        k.copy_from_slice(&self.g[..m]);
        forward(&law.factor, k);
        value.gradient.copy_from_slice(&self.g[m..order]);
        gemv_add(-1.0, self.h.get(m..).unwrap_or(&[]), order, k, &mut value.gradient);
        let gain = -0.5 * dot(k, k);
        backward(&law.factor, k);
        k.iter_mut().for_each(|v| *v = -*v);
        self.finish(i, stage, gain);
        Ok(())
    }

    /// As [`Riccati::eliminate`], with the feed-forward given and some of the controls held: these have no
    /// feedback.
    pub(crate) fn eliminate_held(
        &mut self,
        i: usize,
        stage: &Stage,
        regularisation: f64,
        feedforward: &[f64],
        held: &[bool],
    ) -> Result<(), usize> {
        let (n, m) = (self.nx, stage.nu());
        let order = n + m;
        // change of the value by the feed-forward, from the Q-function as it is
        let value = &mut self.values[i];
        value.gradient.copy_from_slice(&self.g[m..order]);
        let mut gain = dot(&self.g[..m], feedforward);
        for j in 0..m {
            self.h[j * (order + 1)] += regularisation;
            let column = &self.h[j * order..(j + 1) * order];
            let curvature = 0.5 * column[j] * feedforward[j] + dot(&column[j + 1..m], &feedforward[j + 1..]);
            gain += feedforward[j] * curvature;
            axpy(feedforward[j], &column[m..], &mut value.gradient);
        }
        self.laws[i].feedforward.copy_from_slice(feedforward);
        self.laws[i].held.copy_from_slice(held);
        // a held control becomes an unknown of its own that nothing couples to
        for j in (0..m).filter(|&j| held[j]) {
            (0..j).for_each(|c| self.h[c * order + j] = 0.0);
            self.h[j * order + j..(j + 1) * order].fill(0.0);
            self.h[j * (order + 1)] = 1.0;
        }
        self.schur(i, m)?;
        self.finish(i, stage, gain);
        Ok(())
    }

    /// Partial factorisation of the Q-function: factor of `Q_uu`, feedback, and the Hessian of the value.
    fn schur(&mut self, i: usize, m: usize) -> Result<(), usize> {
        let n = self.nx;
        let order = n + m;
        partial_cholesky(&mut self.h, order, order, m, 0.0, &mut self.packing)?;
        let (first, second) = self.h[..order * order].split_at_mut(m * order);
        let y = Mat::strided(first.get(m..).unwrap_or(&[]), n, m, order);
        let (law, value) = (&mut self.laws[i], &mut self.values[i]);
        for j in 0..m {
            law.factor[j * m + j..(j + 1) * m].copy_from_slice(&first[j * order + j..j * order + m]);
        }
        // V = Q_xx − Y Yᵀ
        self.packing.product_lower(
            Update::Subtract,
            y,
            y.t(),
            MatMut::strided(&mut second[m..], n, n, order),
        );
        for j in 0..n {
            let column = &second[j * order + m..(j + 1) * order];
            value.hessian[j * n + j..(j + 1) * n].copy_from_slice(&column[j..]);
        }
        negative_right_solve(&mut law.gain_t, y, &law.factor, &mut self.packing);
        Ok(())
    }

    /// The constant of the value, and the factor of its Hessian for the next step.
    fn finish(&mut self, i: usize, stage: &Stage, gain: f64) {
        let (here, after) = self.values[i..].split_at_mut(1);
        let along = 0.5 * (dot(&after[0].gradient, &stage.f0) + dot(&self.ahead, &stage.f0));
        here[0].constant = after[0].constant + stage.l0 + along + gain;
        let order = self.nx + stage.nu();
        self.root = (stage.nu() * (order + 1), order);
        self.factor_root();
    }
}

/// Reads one number of every cache line of a stage. A horizon is larger than the caches; these loads wait for the memory all
/// together, those of the products that follow would do so one after the other.
fn fetch(stage: &Stage) {
    for data in [&stage.fx, &stage.fu, &stage.lxx, &stage.lxu, &stage.luu] {
        let lines = data.chunks_exact(32);
        let sum = lines.fold([0.0; 4], |s, c| [s[0] + c[0], s[1] + c[8], s[2] + c[16], s[3] + c[24]]);
        std::hint::black_box(sum);
    }
}

/// Copies the lower triangle to the upper one.
pub(super) fn mirror(a: &mut [f64], n: usize) {
    for j in 0..n {
        for i in j + 1..n {
            a[i * n + j] = a[j * n + i];
        }
    }
}
