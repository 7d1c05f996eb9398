//! Factorisation of the mass matrix with the tree's sparsity, and solves with it.
//!
//! `M = Lᵀ D L` with unit lower triangular `L` (Featherstone 2008, ch. 6): eliminating from the leaves inwards creates
//! no fill-in, because a joint couples only to those on its path to the root. In tree-packed rows (see
//! [`crba`](crate::crba)) each elimination step subtracts a multiple of a prefix of one row from another. Cost:
//! `Σ dᵢ²` for paths of `dᵢ` degrees of freedom, instead of `n³/3`.

use crate::data::Data;
use crate::model::Model;

/// The mass matrix is not positive definite: a joint moves nothing that resists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the mass matrix is singular at degree of freedom {dof}")]
pub struct Singular {
    /// First degree of freedom, from the leaves, at which it shows.
    pub dof: usize,
}

/// Computes the mass matrix at `q` and factorises it, without the dense matrix that [`crba`](crate::crba) returns.
///
/// # Panics
/// If `q` does not have `nq` numbers.
pub fn factored_mass_matrix(model: &Model, data: &mut Data, q: &[f64]) -> Result<(), Singular> {
    crate::crba::assemble::<false>(model, data, q);
    factor_mass_matrix(model, data)
}

/// Factorises the mass matrix of the last [`crba`](crate::crba).
///
/// ```
/// use sinew_dynamics::{Data, characters, crba, factor_mass_matrix};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// crba(&human, &mut data, &human.neutral());
/// factor_mass_matrix(&human, &mut data)?;
/// let mut x = vec![0.0; human.nv()];
/// x[2] = 1.0; // an upward force of 1 N at the root …
/// data.solve_mass_matrix(&human, &mut x);
/// assert!(x[2] > 1.0 / human.mass()); // … lifts it more easily than the whole, since limbs lag
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn factor_mass_matrix(model: &Model, data: &mut Data) -> Result<(), Singular> {
    data.factor.copy_from_slice(&data.mass);
    let starts = model.row_starts();
    for k in (0..model.nv()).rev() {
        let (above, row) = data.factor.split_at_mut(starts[k]);
        let row = &mut row[..starts[k + 1] - starts[k]];
        let path = &model.path(k)[..row.len()];
        let d = row[row.len() - 1];
        if !(d > f64::MIN_POSITIVE) {
            return Err(Singular { dof: k });
        }
        let inverse = 1.0 / d;
        data.inverse_diagonal[k] = inverse;
        for t in (0..row.len() - 1).rev() {
            let l = row[t] * inverse;
            let start = starts[path[t]];
            for (x, r) in above[start..start + t + 1].iter_mut().zip(&row[..t + 1]) {
                *x -= l * r;
            }
            row[t] = l;
        }
    }
    Ok(())
}

impl Data {
    /// `D⁻¹` of the last factor `M = Lᵀ D L`, one entry per degree of freedom.
    pub fn inverse_diagonal(&self) -> &[f64] {
        &self.inverse_diagonal
    }

    /// Solves `M x = b` in place with the last factor ([`factor_mass_matrix`]).
    ///
    /// # Panics
    /// If `x` does not have `nv` numbers.
    pub fn solve_mass_matrix(&self, model: &Model, x: &mut [f64]) {
        self.half_solve_mass_matrix(model, x);
        self.finish_solve_mass_matrix(model, x);
    }

    /// The first half of [`solve_mass_matrix`](Data::solve_mass_matrix): `x ← L⁻ᵀ x`, from the leaves inwards.
    ///
    /// Between the halves impulses can be added cheaply, see [`OperationalSpace`](crate::OperationalSpace).
    ///
    /// # Panics
    /// If `x` does not have `nv` numbers.
    pub fn half_solve_mass_matrix(&self, model: &Model, x: &mut [f64]) {
        assert_eq!(x.len(), model.nv(), "x must have nv numbers");
        let starts = model.row_starts();
        for k in (0..model.nv()).rev() {
            let row = &self.factor[starts[k]..starts[k + 1] - 1];
            let b = x[k];
            for (l, &j) in row.iter().zip(model.path(k)) {
                x[j] -= l * b;
            }
        }
    }

    /// The second half of [`solve_mass_matrix`](Data::solve_mass_matrix): `x ← L⁻¹ D⁻¹ x`, from the root outwards.
    ///
    /// # Panics
    /// If `x` does not have `nv` numbers.
    pub fn finish_solve_mass_matrix(&self, model: &Model, x: &mut [f64]) {
        assert_eq!(x.len(), model.nv(), "x must have nv numbers");
        let starts = model.row_starts();
        for k in 0..model.nv() {
            let row = &self.factor[starts[k]..starts[k + 1] - 1];
            let sum: f64 = row.iter().zip(model.path(k)).map(|(l, &j)| l * x[j]).sum();
            x[k] = x[k] * self.inverse_diagonal[k] - sum;
        }
    }
}
