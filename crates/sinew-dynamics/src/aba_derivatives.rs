//! Derivatives of forward dynamics.
//!
//! From `M a + h = τ` at the solution `a`: `∂a/∂q = −M⁻¹ ∂(M a + h)/∂q`, likewise for `v`, and `∂a/∂τ = M⁻¹`. The
//! derivatives of inverse dynamics come in closed form; the products with `M⁻¹` are solves with the sparse factor.

use crate::data::Data;
use crate::factor::Singular;
use crate::model::Model;
use crate::solve_columns::Lane;

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
    crate::bias_force(model, data, q, v);
    // the frames are in place
    crate::crba::assemble_placed::<false>(model, data);
    crate::factor_mass_matrix(model, data)?;
    // one factor serves the accelerations and their derivatives
    let mut acceleration = core::mem::take(&mut data.acceleration);
    acceleration.copy_from_slice(tau);
    for (x, h) in acceleration.iter_mut().zip(&data.out) {
        *x -= h;
    }
    data.solve_mass_matrix(model, &mut acceleration);
    crate::rnea_derivatives(model, data, q, v, &acceleration);
    data.acceleration = acceleration;

    data.blocks.regroup(model, &data.factor, &data.inverse_diagonal);
    let Data { blocks, lanes, dtau_dq, dtau_dv, da_dq, da_dv, inverse_mass, .. } = &mut *data;
    blocks.solve_derivatives(model, lanes, [dtau_dq, dtau_dv], [da_dq, da_dv], |_, _| {});
    blocks.invert(model, lanes, inverse_mass, None::<fn(usize, &mut [Lane])>);
    let Data { acceleration, da_dq, da_dv, inverse_mass, .. } = data;
    Ok(AbaDerivatives { acceleration, dq: da_dq, dv: da_dv, dtau: inverse_mass })
}
