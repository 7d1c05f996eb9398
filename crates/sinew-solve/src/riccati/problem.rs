//! The linear-quadratic problem over a finite horizon.

/// One step of the horizon: dynamics and cost, in the notation of [the module](super).
///
/// Matrices are column-major. Of the symmetric ones only the lower triangle is read.
#[derive(Clone, Debug)]
pub struct Stage {
    nx: usize,
    nu: usize,
    /// `F_x`, nx × nx.
    pub fx: Vec<f64>,
    /// `F_u`, nx × nu.
    pub fu: Vec<f64>,
    /// Affine term of the dynamics, nx. In multiple shooting: the gap.
    pub f0: Vec<f64>,
    /// `L_xx`, nx × nx.
    pub lxx: Vec<f64>,
    /// `L_xu`, nx × nu.
    pub lxu: Vec<f64>,
    /// `L_uu`, nu × nu.
    pub luu: Vec<f64>,
    /// Gradient of the cost in the state, nx.
    pub lx: Vec<f64>,
    /// Gradient of the cost in the control, nu.
    pub lu: Vec<f64>,
    /// Constant of the cost.
    pub l0: f64,
}

impl Stage {
    /// A stage of zeros.
    pub fn new(nx: usize, nu: usize) -> Self {
        let zeros = |n| vec![0.0; n];
        Self {
            nx,
            nu,
            fx: zeros(nx * nx),
            fu: zeros(nx * nu),
            f0: zeros(nx),
            lxx: zeros(nx * nx),
            lxu: zeros(nx * nu),
            luu: zeros(nu * nu),
            lx: zeros(nx),
            lu: zeros(nu),
            l0: 0.0,
        }
    }

    /// Copies a stage of the same sizes.
    pub(crate) fn copy_from(&mut self, other: &Stage) {
        self.fx.copy_from_slice(&other.fx);
        self.fu.copy_from_slice(&other.fu);
        self.f0.copy_from_slice(&other.f0);
        self.lxx.copy_from_slice(&other.lxx);
        self.lxu.copy_from_slice(&other.lxu);
        self.luu.copy_from_slice(&other.luu);
        self.lx.copy_from_slice(&other.lx);
        self.lu.copy_from_slice(&other.lu);
        self.l0 = other.l0;
    }

    /// Number of states.
    pub fn nx(&self) -> usize {
        self.nx
    }

    /// Number of controls.
    pub fn nu(&self) -> usize {
        self.nu
    }
}

/// The cost on the last state.
#[derive(Clone, Debug)]
pub struct Terminal {
    /// `L_xx`, nx × nx, lower triangle.
    pub lxx: Vec<f64>,
    /// Gradient, nx.
    pub lx: Vec<f64>,
    /// Constant.
    pub l0: f64,
}

/// A whole horizon. The number of states is the same everywhere; the number of controls may change from stage to
/// stage.
///
/// ```
/// use sinew_solve::riccati::{LqProblem, Riccati};
/// // x⁺ = x + u, cost ½(0.1·x² + u²) per step and ½x² at the end
/// let mut problem = LqProblem::new(1, [1, 1, 1]);
/// for stage in &mut problem.stages {
///     (stage.fx[0], stage.fu[0], stage.lxx[0], stage.luu[0]) = (1.0, 1.0, 0.1, 1.0);
/// }
/// problem.terminal.lxx[0] = 1.0;
/// let mut riccati = Riccati::new(&problem);
/// riccati.backward(&problem, 0.0).unwrap();
/// assert!((riccati.gain(2).get(0, 0) + 0.5).abs() < 1e-15);
/// assert!((riccati.gain(0).get(0, 0) + 0.3220339).abs() < 1e-7);
/// ```
#[derive(Clone, Debug)]
pub struct LqProblem {
    /// Number of states.
    nx: usize,
    /// The steps, first to last.
    pub stages: Vec<Stage>,
    /// The cost at the end.
    pub terminal: Terminal,
}

impl LqProblem {
    /// A horizon of zeros, with as many stages as there are entries in `controls`.
    pub fn new(nx: usize, controls: impl IntoIterator<Item = usize>) -> Self {
        Self {
            nx,
            stages: controls.into_iter().map(|nu| Stage::new(nx, nu)).collect(),
            terminal: Terminal { lxx: vec![0.0; nx * nx], lx: vec![0.0; nx], l0: 0.0 },
        }
    }

    /// Number of states.
    pub fn nx(&self) -> usize {
        self.nx
    }
}
