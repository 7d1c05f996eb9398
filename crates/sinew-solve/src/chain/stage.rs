//! One stage of a chain: its rows, its small quadratic model, and the elimination of the unknowns that it has for itself.

use crate::dense::gemm::{Mat, MatMut, Packing, Update};
use crate::dense::partial_cholesky::{backward, forward, partial_cholesky};
use crate::dense::vector::{dot, gemv_add};

/// Rows with at most this number of non-zeros are added entry by entry.
const SPARSE: usize = 12;

/// What is kept of a stage after elimination.
#[derive(Clone, Debug, Default)]
pub(super) struct Stage {
    locals: usize,
    /// Hessian in (own unknowns, frames), lower triangle, and gradient.
    hessian: Vec<f64>,
    whole_gradient: Vec<f64>,
    /// `L` of the stage's own unknowns, m × m, and `H_fl L⁻ᵀ` below it, 3n × m.
    factor: Vec<f64>,
    below: Vec<f64>,
    /// `L⁻¹ g_l`.
    pub(super) gradient: Vec<f64>,
}

/// Workspace for the model of a stage.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// Hessian in (own unknowns, frames), lower triangle, and gradient.
    pub(super) hessian: Vec<f64>,
    pub(super) gradient: Vec<f64>,
    /// Rows that are not sparse, one after the other.
    dense: Vec<f64>,
    places: Vec<usize>,
    packing: Packing,
}

impl Model {
    pub(super) fn new(order: usize, rows: usize) -> Self {
        Self {
            hessian: vec![0.0; order * order],
            gradient: vec![0.0; order],
            dense: Vec::with_capacity(order * rows),
            places: Vec::with_capacity(order),
            packing: Packing::new(order.max(rows), order.max(rows)),
        }
    }

    /// Sum of `½ w (c + a d)²` over rows `(row, w, c)` with `a` the row of the Jacobian.
    pub(super) fn gather(
        &mut self,
        order: usize,
        jacobian: &[f64],
        rows: impl Iterator<Item = (usize, f64, f64)>,
    ) {
        self.hessian[..order * order].fill(0.0);
        self.gradient[..order].fill(0.0);
        self.dense.clear();
        for (row, weight, value) in rows {
            let a = &jacobian[row * order..(row + 1) * order];
            self.places.clear();
            self.places.extend((0..order).filter(|&j| a[j] != 0.0));
            self.places.iter().for_each(|&j| self.gradient[j] += weight * value * a[j]);
            if self.places.len() > SPARSE {
                let root = weight.sqrt();
                self.dense.extend(a.iter().map(|x| root * x));
                continue;
            }
            for (i, &c) in self.places.iter().enumerate() {
                let scaled = weight * a[c];
                for &r in &self.places[i..] {
                    self.hessian[c * order + r] += scaled * a[r];
                }
            }
        }
        let count = self.dense.len() / order.max(1);
        if count > 0 {
            let transposed = Mat::new(&self.dense, order, count);
            let hessian = MatMut::new(&mut self.hessian, order, order);
            self.packing.product_lower(Update::Add, transposed, transposed.t(), hessian);
        }
    }

    /// Eliminates the first `m` unknowns of a stage, damped; what is left of Hessian and gradient here is that of the frames.
    pub(super) fn eliminate(
        &mut self,
        order: usize,
        m: usize,
        damping: f64,
        stage: &mut Stage,
    ) -> Result<(), usize> {
        self.hessian[..order * order].copy_from_slice(&stage.hessian);
        self.gradient[..order].copy_from_slice(&stage.whole_gradient);
        (0..m).for_each(|j| self.hessian[j * (order + 1)] += damping);
        stage.locals = m;
        if m == 0 {
            return Ok(());
        }
        let rest = order - m;
        let h = &mut self.hessian[..order * order];
        partial_cholesky(h, order, order, m, 0.0, &mut self.packing)?;
        stage.factor.resize(m * m, 0.0);
        stage.below.resize(rest * m, 0.0);
        for j in 0..m {
            let column = &h[j * order..(j + 1) * order];
            stage.factor[j * m..(j + 1) * m].copy_from_slice(&column[..m]);
            stage.below[j * rest..(j + 1) * rest].copy_from_slice(&column[m..]);
        }
        let left = Mat::new(&stage.below, rest, m);
        let target = MatMut::strided(&mut h[m * order + m..], rest, rest, order);
        self.packing.product_lower(Update::Subtract, left, left.t(), target);
        stage.gradient.clear();
        stage.gradient.extend_from_slice(&self.gradient[..m]);
        forward(&stage.factor, &mut stage.gradient);
        gemv_add(-1.0, &stage.below, rest, &stage.gradient, &mut self.gradient[m..order]);
        Ok(())
    }
}

impl Stage {
    /// Keeps the model.
    pub(super) fn keep(&mut self, hessian: &[f64], gradient: &[f64]) {
        self.hessian.clear();
        self.hessian.extend_from_slice(hessian);
        self.whole_gradient.clear();
        self.whole_gradient.extend_from_slice(gradient);
    }

    /// The step of its own unknowns that goes with a step of the frames.
    pub(super) fn follow(&self, frames: &[f64], out: &mut [f64]) {
        let (m, rest) = (self.locals, frames.len());
        if m == 0 {
            return;
        }
        for (j, out) in out.iter_mut().enumerate() {
            *out = -self.gradient[j] - dot(&self.below[j * rest..(j + 1) * rest], frames);
        }
        backward(&self.factor, out);
    }
}
