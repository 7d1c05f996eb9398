//! Linear-quadratic control: the Riccati recursion over a finite horizon, and the algebraic Riccati equation.
//!
//! # The problem
//! Over the states `x_0 … x_N` and controls `u_0 … u_{N−1}`, minimise
//!
//! ```text
//! Σ_k ½ x_kᵀ L_xx x_k + x_kᵀ L_xu u_k + ½ u_kᵀ L_uu u_k + l_xᵀ x_k + l_uᵀ u_k + l_0    +  ½ x_Nᵀ L_xx x_N + l_xᵀ x_N + l_0
//! subject to   x_{k+1} = F_x x_k + F_u u_k + f_0
//! ```
//!
//! every matrix and vector with its own index `k`. Affine terms and cross terms are there from the start, because
//! every user needs them: they are the gaps and gradients of a trajectory optimiser, the effort term of a tracking
//! law.
//!
//! # The recursion
//! The cost to go from node `k` is a quadratic, `½xᵀV_k x + v_kᵀx + c_k`. One step back, with `V, v` of the node
//! ahead:
//!
//! ```text
//! Q_xx = L_xx + F_xᵀ V F_x    Q_xu = L_xu + F_xᵀ V F_u    Q_uu = L_uu + F_uᵀ V F_u
//! q_x  = l_x + F_xᵀ(v + V f_0)                            q_u  = l_u + F_uᵀ(v + V f_0)
//! u    = K x + k,    K = −Q_uu⁻¹ Q_xuᵀ,   k = −Q_uu⁻¹ q_u
//! V_k  = Q_xx − Q_xu Q_uu⁻¹ Q_xuᵀ,   v_k = q_x − Q_xu Q_uu⁻¹ q_u
//! ```
//!
//! # How it is computed
//! With `Q_uu = L Lᵀ` and `Y = Q_xu L⁻ᵀ` the step is one partial Cholesky factorisation of the matrix `[Q_uu ·;
//! Q_xu Q_xx]`, and `V_k = Q_xx − Y Yᵀ` is symmetric by construction. When the `V` ahead is positive definite, `V
//! = R Rᵀ`, the products `FᵀVF` are formed as `(RᵀF)ᵀ(RᵀF)`, with a triangular factor on the left and only half of
//! a symmetric result: a fifth less work than `Fᵀ(VF)` (Frison and Jørgensen, "Efficient implementation of the
//! Riccati recursion for solving linear-quadratic control problems", CCA 2013). Otherwise, that is with a
//! semi-definite or indefinite `V`, the plain form is taken; a user does not see the difference. Cost per stage,
//! with n states and m controls: `7/3 n³ + 4 n²m + 2nm² + m³/3` flops, nothing allocated.
//!
//! # The rest of the module
//! [`Border`] carries a parameter (the initial state of a periodic motion) through the recursion; [`dare`] solves
//! the infinite horizon. Source of the recursion: Bertsekas, *Dynamic Programming and Optimal Control*, vol. 1,
//! section 3.1.

mod border;
mod dare;
mod problem;
mod recursion;

pub use border::Border;
pub use dare::{Dare, DareStatus, dare};
pub use problem::{LqProblem, Stage, Terminal};
pub use recursion::{NotConvex, Riccati};
