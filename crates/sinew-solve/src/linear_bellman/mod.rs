//! Optimal control problems whose Bellman equation is linear, and controllers made of controllers.
//!
//! # The problem
//! ```text
//! dx = (a(x) + B(x) u) dt + C(x) dω,       C Cᵀ = λ B R⁻¹ Bᵀ
//! minimise   E[ g(x_T) + ∫₀ᵀ q(x, t) + ½ uᵀ R u  dt ]
//! ```
//! Noise enters where control does, and costs little where control costs little. Then `z = exp(−v/λ)` of the value function `v` obeys a
//! *linear* equation, with `τ = T − t`:
//! ```text
//! z_τ = a·∇z + ½ tr(CCᵀ∇²z) − (q/λ) z,    z(T) = exp(−g/λ),    u* = −R⁻¹Bᵀ∇v = λ R⁻¹ Bᵀ ∇z/z
//! ```
//! (Feynman-Kac: `z` is the expectation of `exp(−cost/λ)` without control.) λ is the softness of all that follows: costs divided by λ
//! are what counts.
//!
//! # Grids
//! [`solve`] steps the equation over a [`Grid`] of one to three dimensions, [`first_exit`] solves the stationary one of problems that end
//! when a set of states is reached. Matrices are factored once. With `Z = hA`:
//!
//! | [`Stepper`] | update | order | stable |
//! | --- | --- | --- | --- |
//! | forward Euler | `(I + Z) z` | 1 | `h ≤ min(Δx²/σ², σ²/a²)`; pure advection with central differences: never |
//! | backward Euler | `(I − Z)⁻¹ z` | 1 | L; with upwind differences `z` stays positive |
//! | Crank-Nicolson | `(I − Z/2)⁻¹ (I + Z/2) z` | 2 | A; `z` may become negative for rough ends |
//! | SSP-RK3 | `(I + Z + Z²/2 + Z³/6) z` | 3 | explicit: `hλ ≥ −2.51` on the real axis |
//! | Radau IIA | `(I − ⅔Z + ⅙Z²)⁻¹ (I + ⅓Z) z` | 3 | L |
//! | SDIRK3 | three stages with `(I − γZ)⁻¹` | 3 | L |
//!
//! `z` is rescaled after every step and its logarithm kept, so that values of any size are held; within one slice `v/λ` may span 700.
//! [`Solution`] gives value and gradient from `log z`, whose central differences are exact for quadratic `v`.
//! [`value_iteration`] solves the same problem without the transformation, for comparison.
//!
//! # Combination
//! The equation is linear: `z = Σ wᵢ zᵢ` solves it for the end `exp(−g/λ) = Σ wᵢ exp(−gᵢ/λ)`, and its policy is a convex mixture of the
//! components' policies,
//! ```text
//! π(x, t) = Σ αᵢ πᵢ,     αᵢ = wᵢ zᵢ / Σⱼ wⱼ zⱼ = softmaxᵢ(log wᵢ − vᵢ/λ)
//! ```
//! This is exact where all components are optimal and share `a, B, R, q, λ, T`. [`Softmax`] computes α, [`project`] finds the weights for a
//! new goal. Beyond grids, values come from [trajectories](Along) with quadratic models around them; then the mixture is a heuristic.
//!
//! # Source
//! M. da Silva, PhD thesis, MIT, chapters 4 to 6; M. da Silva, F. Durand, J. Popović, "Linear Bellman Combination for Control of Character
//! Animation", ACM TOG 28(3), 2009. Differences from the printed text are listed in `docs/bellman.md`.

mod adjoint;
mod along;
mod closed_form;
mod first_exit;
mod fourier;
mod grid;
mod joint;
mod kuhn;
mod lines;
mod march;
mod nnls;
mod operator;
mod problem;
mod project;
mod quadratic;
mod softmax;
mod solution;
mod value_iteration;

pub use adjoint::{Adjoint, CgOutcome, CgSettings, conjugate_gradients};
pub use along::{Along, AlongError, Trust};
pub use closed_form::{Diffusing, FourierSeries};
pub use first_exit::first_exit;
pub use fourier::{first_derivative, second_derivative};
pub use grid::{Axis, Edge, Grid};
pub use kuhn::Simplex;
pub use march::{explicit_limit, solve};
pub use nnls::nnls;
pub use problem::{BellmanError, Coupling, Problem, Settings, Space, Stepper};
pub use project::{Goal, Projection, inner_product, project};
pub use quadratic::{LinearQuadratic, Quadratic};
pub use softmax::{Slew, Softmax};
pub use solution::Solution;
pub use value_iteration::{Choices, Controlled, Iterated, value_iteration};
