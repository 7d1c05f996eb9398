//! The result of a solve: status, point, multipliers, active set.

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum QpStatus {
    /// x is the minimiser: constraints hold, multipliers have the right signs.
    Solved,
    /// No point satisfies the constraints; [`QpSolution::certificate`] proves it.
    Infeasible,
    /// The objective falls without end along a direction that the constraints leave open.
    Unbounded,
    /// The Hessian is not positive semidefinite.
    NotConvex,
    /// The steps ran out, or rounding errors stood in the way. x is the best point at hand: feasible when one was
    /// found (see [`QpSolution::violation`]).
    Unfinished,
}

impl QpStatus {
    /// Whether x is the minimiser.
    pub fn is_solved(self) -> bool {
        self == QpStatus::Solved
    }
}

/// Which side of a two-sided constraint is active.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// None.
    #[default]
    Free,
    /// The lower one.
    Lower,
    /// The upper one.
    Upper,
}

impl Side {
    pub(crate) fn sign(self) -> f64 {
        match self {
            Side::Free => 0.0,
            Side::Lower => 1.0,
            Side::Upper => -1.0,
        }
    }
}

/// The active constraints: all that a warm start needs, and all that a snapshot has to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorkingSet {
    /// Per inequality row.
    pub inequalities: Vec<Side>,
    /// Per variable.
    pub bounds: Vec<Side>,
}

impl WorkingSet {
    /// Nothing active.
    pub fn empty(inequalities: usize, variables: usize) -> Self {
        Self { inequalities: vec![Side::Free; inequalities], bounds: vec![Side::Free; variables] }
    }

    /// Number of active constraints.
    pub fn count(&self) -> usize {
        self.inequalities.iter().chain(&self.bounds).filter(|s| **s != Side::Free).count()
    }

    pub(crate) fn clear(&mut self, inequalities: usize, variables: usize) {
        self.inequalities.clear();
        self.inequalities.resize(inequalities, Side::Free);
        self.bounds.clear();
        self.bounds.resize(variables, Side::Free);
    }
}

/// One number per constraint. At a solution: ∇objective = Aᵀy + Cᵀz + w with y, z, w for equalities, rows and
/// bounds; z and w are ≥ 0 at lower sides, ≤ 0 at upper sides, 0 at sides that are not active.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multipliers<'a> {
    /// y, one per equality.
    pub equalities: &'a [f64],
    /// z, one per inequality row.
    pub inequalities: &'a [f64],
    /// w, one per variable.
    pub bounds: &'a [f64],
}

impl<'a> Multipliers<'a> {
    /// Cuts one list in the order equalities, rows, bounds.
    pub(crate) fn split(all: &'a [f64], equalities: usize, inequalities: usize) -> Self {
        let (e, rest) = all.split_at(equalities);
        let (i, b) = rest.split_at(inequalities);
        Self { equalities: e, inequalities: i, bounds: b }
    }
}

/// The outcome of a solve, in the solver's storage.
#[derive(Clone, Copy, Debug)]
pub struct QpSolution<'a> {
    /// How it ended.
    pub status: QpStatus,
    /// The point.
    pub x: &'a [f64],
    /// The objective at x.
    pub objective: f64,
    /// By how much x violates the worst constraint; 0 to rounding when solved.
    pub violation: f64,
    /// The multipliers.
    pub multipliers: Multipliers<'a>,
    /// The active constraints.
    pub working_set: &'a WorkingSet,
    /// Constraints taken in and out on the way.
    pub iterations: usize,
    /// For [`QpStatus::Infeasible`]: weights with Aᵀy + Cᵀz + w = 0 (signs as in [`Multipliers`]) and yᵀb + Σ
    /// zᵢ·(the side that its sign names) + Σ wⱼ·(likewise) > 0. A feasible x would make the left side of the first,
    /// times x, at least as large as the second: 0 > 0. Its non-zeros name the constraints that contradict each
    /// other.
    pub certificate: Option<Multipliers<'a>>,
}
