//! Derivatives of forward dynamics.
//!
//! From `M a + h = τ` at the solution `a`: `∂a/∂q = −M⁻¹ ∂(M a + h)/∂q`, likewise for `v`, and `∂a/∂τ = M⁻¹`. The
//! derivatives of inverse dynamics come in closed form; the products with `M⁻¹` are solves with the sparse factor.

use crate::data::Data;
use crate::factor::Singular;
use crate::model::Model;
use crate::solve_columns::{regroup, solve_columns};

/// Accelerations and their derivatives; matrices are `nv`×`nv`, column-major, column `k` for coordinate `k`.
#[derive(Clone, Copy, Debug)]
pub struct AbaDerivatives<'d> {
    /// The accelerations themselves, as [`aba`](crate::aba) returns them.
    pub acceleration: &'d [f64],
    /// With respect to a tangent of `q` (see [`Model::integrate`]).
    pub dq: &'d [f64],
    /// With respect to `v`.
    pub dv: &'d [f64],
    /// With respect to `τ`: the inverse of the mass matrix.
    pub dtau: &'d [f64],
}

/// Derivatives of the accelerations `M(q)⁻¹ (tau − h(q, v))`.
///
/// ```
/// use sinew_dynamics::{Data, aba_derivatives, characters};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let zero = vec![0.0; human.nv()];
/// let d = aba_derivatives(&human, &mut data, &human.neutral(), &zero, &zero)?;
/// assert!((d.acceleration[2] + 9.81).abs() < 1e-9);
/// assert!(d.dtau[0] > 0.0); // the diagonal of M⁻¹ is positive
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the slices do not have `nq`, `nv`, `nv` numbers.
pub fn aba_derivatives<'d>(
    model: &Model,
    data: &'d mut Data,
    q: &[f64],
    v: &[f64],
    tau: &[f64],
) -> Result<AbaDerivatives<'d>, Singular> {
    crate::factored_mass_matrix(model, data, q)?;
    // one factor serves the accelerations and their derivatives
    let mut acceleration = core::mem::take(&mut data.acceleration);
    acceleration.copy_from_slice(tau);
    for (x, h) in acceleration.iter_mut().zip(crate::bias_force(model, data, q, v)) {
        *x -= h;
    }
    data.solve_mass_matrix(model, &mut acceleration);
    crate::rnea_derivatives(model, data, q, v, &acceleration);
    data.acceleration = acceleration;

    let nv = model.nv();
    data.da_dq.copy_from_slice(&data.dtau_dq);
    data.da_dv.copy_from_slice(&data.dtau_dv);
    data.inverse_mass.fill(0.0);
    for k in 0..nv {
        data.inverse_mass[k * (nv + 1)] = 1.0;
    }
    regroup(model, &data.factor, &mut data.blocks);
    let Data { blocks, inverse_diagonal, lanes, da_dq, da_dv, inverse_mass, .. } = data;
    for (columns, sign) in [(da_dq, -1.0), (da_dv, -1.0), (inverse_mass, 1.0)] {
        solve_columns(model, blocks, inverse_diagonal, lanes, sign, columns, |_, _| {});
    }
    let Data { acceleration, da_dq, da_dv, inverse_mass, .. } = data;
    Ok(AbaDerivatives { acceleration, dq: da_dq, dv: da_dv, dtau: inverse_mass })
}
