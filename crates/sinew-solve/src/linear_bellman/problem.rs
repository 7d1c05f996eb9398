//! The interface of a linear Bellman problem.

/// A control problem whose Bellman equation is linear in `z = exp(−v/λ)`; the notation is that of [the module](super).
///
/// `C Cᵀ` is diagonal in the coordinates of the grid; where it is a constant full matrix, its eigenvectors are the coordinates to use.
pub trait Problem {
    /// λ, which ties noise to control cost.
    fn softness(&self) -> f64 {
        1.0
    }

    /// Writes the passive drift `a(x)`.
    fn drift(&self, x: &[f64], a: &mut [f64]);

    /// Writes the diagonal of `C Cᵀ = λ B R⁻¹ Bᵀ`.
    fn spread(&self, x: &[f64], s: &mut [f64]);

    /// The running cost `q(x, t)` per unit of time.
    fn rate(&self, x: &[f64], t: f64) -> f64;

    /// The terminal cost `g(x)`.
    fn end(&self, x: &[f64]) -> f64;

    /// Whether `q` changes with time; then it is split off the constant part of the equation.
    fn rate_varies(&self) -> bool {
        false
    }

    /// Whether `x` lies in an obstacle, where `z = 0`.
    fn blocked(&self, x: &[f64]) -> bool {
        let _ = x;
        false
    }
}

/// How derivatives in space are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// First order: from the side from which information comes. Keeps `z` positive.
    Upwind,
    /// Second order; keep `|a|Δx ≤ σ²`, or `z` oscillates.
    Central,
    /// Fourier-spectral on periodic axes: exact to rounding for smooth functions.
    Fourier,
}

/// How time is stepped; orders and stability are those of the table in [the module](super).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepper {
    /// Forward Euler, order 1, explicit.
    ForwardEuler,
    /// Backward Euler, order 1, L-stable.
    BackwardEuler,
    /// Crank-Nicolson, order 2, A-stable.
    CrankNicolson,
    /// The explicit three-stage method of order 3 that the thesis prints as "IRK3".
    SspRk3,
    /// Radau IIA with two stages, order 3, L-stable.
    RadauIia,
    /// A singly diagonally implicit method with three stages, order 3, L-stable.
    Sdirk3,
}

impl Stepper {
    /// All of them.
    pub const ALL: [Stepper; 6] = [
        Stepper::ForwardEuler,
        Stepper::BackwardEuler,
        Stepper::CrankNicolson,
        Stepper::SspRk3,
        Stepper::RadauIia,
        Stepper::Sdirk3,
    ];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Stepper::ForwardEuler => "forward Euler",
            Stepper::BackwardEuler => "backward Euler",
            Stepper::CrankNicolson => "Crank-Nicolson",
            Stepper::SspRk3 => "SSP-RK3",
            Stepper::RadauIia => "Radau IIA",
            Stepper::Sdirk3 => "SDIRK3",
        }
    }

    /// Its order.
    pub fn order(self) -> usize {
        match self {
            Stepper::ForwardEuler | Stepper::BackwardEuler => 1,
            Stepper::CrankNicolson => 2,
            _ => 3,
        }
    }

    /// Whether nothing is solved for.
    pub fn explicit(self) -> bool {
        matches!(self, Stepper::ForwardEuler | Stepper::SspRk3)
    }
}

/// How a grid of several dimensions is stepped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coupling {
    /// All axes at once, by one factorisation: the full order of the stepper, at a cost that is affordable only for small grids.
    Joint,
    /// One axis after the other, then in reverse (Strang), each line by itself: order 2 at most, linear cost and memory.
    Split,
}

/// How a problem is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Derivatives in space.
    pub space: Space,
    /// Steps in time.
    pub stepper: Stepper,
    /// For grids of several dimensions; a single axis is always joint.
    pub coupling: Coupling,
    /// T, the time from the start to the end.
    pub horizon: f64,
    /// Steps.
    pub steps: usize,
    /// Interval of steps at which the solution is kept; the first and the last always are.
    pub keep: usize,
}

impl Settings {
    /// Crank-Nicolson with central differences, one axis after the other, all steps kept.
    pub fn new(horizon: f64, steps: usize) -> Settings {
        Settings {
            space: Space::Central,
            stepper: Stepper::CrankNicolson,
            coupling: Coupling::Split,
            horizon,
            steps,
            keep: 1,
        }
    }
}

/// Why a problem cannot be solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BellmanError {
    /// A number of the problem that is not finite.
    #[error(
        "{what} is not finite at {place:?}; costs may be large, but not infinite: use `blocked` for obstacles"
    )]
    NotFinite {
        /// Which.
        what: &'static str,
        /// Where.
        place: Vec<f64>,
    },
    /// Settings that do not go together.
    #[error("{0}")]
    Settings(String),
    /// A joint factorisation beyond all bounds.
    #[error(
        "a joint solution of {nodes} nodes needs {gigabytes:.1} GB; take Coupling::Split, or a smaller grid"
    )]
    TooLarge {
        /// Nodes.
        nodes: usize,
        /// Memory.
        gigabytes: f64,
    },
    /// A matrix that cannot be factored.
    #[error("the matrix of a step is singular; take a smaller step or upwind differences")]
    Singular,
    /// The steps blew up.
    #[error(
        "the solution is not finite after step {step}; an explicit stepper needs steps of at most {limit:.2e}"
    )]
    BlewUp {
        /// At which step.
        step: usize,
        /// The limit of forward Euler.
        limit: f64,
    },
}
