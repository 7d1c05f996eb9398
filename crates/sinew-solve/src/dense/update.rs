//! Rank-one changes of a Cholesky factor: LLᵀ ± zzᵀ in n² multiply-adds instead of n³/6.
//!
//! **Update** (+): a plane rotation per column folds z into the factor: [L z] turned to [L̄ 0] from the right.
//! Always succeeds. **Downdate** (−): first p = L⁻¹z; the matrix stays positive definite exactly when ‖p‖ < 1.
//! Rotations found from (p, √(1−‖p‖²)), last entry first, are then applied to L. Deciding on ‖p‖ before anything is
//! touched leaves the factor whole when it fails.
//!
//! Source: Gill, Golub, Murray and Saunders, Math. Comp. 28 (1974) 505-535; LINPACK's `dchdd`; Golub and Van Loan,
//! 4th ed., 6.5.4.

use super::cholesky::Cholesky;
use super::vector::{dot, givens, rotate};

impl Cholesky {
    /// Turns the factor of P into that of P + zzᵀ; z is used as scratch.
    ///
    /// ```
    /// use sinew_solve::dense::Cholesky;
    /// let mut c = Cholesky::with_capacity(1);
    /// c.factor(1, &[9.0]).unwrap();
    /// c.update(&mut [4.0]);
    /// assert!((c.get(0, 0) - 5.0).abs() < 1e-15);
    /// ```
    ///
    /// # Panics
    /// If z does not have as many entries as the factor has rows.
    pub fn update(&mut self, z: &mut [f64]) {
        let n = self.len();
        assert_eq!(z.len(), n);
        self.widen();
        for j in 0..n {
            let column = self.column_mut(j);
            let (c, s, r) = givens(column[0], z[j]);
            column[0] = r;
            rotate(&mut column[1..], &mut z[j + 1..], c, s);
        }
        self.renew_inverses();
    }

    /// Turns the factor of P into that of P − zzᵀ; z is used as scratch. False, and the factor unchanged, when that
    /// matrix is not positive definite.
    ///
    /// ```
    /// use sinew_solve::dense::Cholesky;
    /// let mut c = Cholesky::with_capacity(1);
    /// c.factor(1, &[25.0]).unwrap();
    /// assert!(c.downdate(&mut [4.0]));
    /// assert!((c.get(0, 0) - 3.0).abs() < 1e-15);
    /// assert!(!c.downdate(&mut [4.0]));
    /// ```
    ///
    /// # Panics
    /// If z does not have as many entries as the factor has rows.
    pub fn downdate(&mut self, z: &mut [f64]) -> bool {
        let n = self.len();
        assert_eq!(z.len(), n);
        self.forward(z);
        let left = 1.0 - dot(z, z);
        if left.is_nan() || left <= f64::EPSILON {
            return false;
        }
        self.widen();
        // Rotation j makes entry j of (p, α) vanish, α growing to 1. The same rotations turn (L, 0) into (L̄, z):
        // the upper part of z still holds p while the lower part grows into the column beside L̄.
        let mut alpha = left.sqrt();
        for j in (0..n).rev() {
            let (c, s, r) = givens(alpha, z[j]);
            alpha = r;
            z[j] = 0.0;
            rotate(&mut z[j..], self.column_mut(j), c, s);
        }
        self.renew_inverses();
        true
    }
}
