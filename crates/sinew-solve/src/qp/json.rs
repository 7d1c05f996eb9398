//! A QP as JSON, so that a user's failure becomes a test.
//!
//! Numbers are written so that reading them back gives the same bits. JSON knows no infinity: an open side is
//! `null`.

use super::problem::{Objective, Qp};
use serde::{Deserialize, Serialize};

/// A QP with storage of its own; matrices are column-major as in [`Qp`].
///
/// ```
/// use sinew_solve::qp::{OwnedQp, Qp};
/// let qp = Qp::quadratic(&[2.0], &[-0.1]).with_bounds(&[0.0], &[f64::INFINITY]);
/// let text = OwnedQp::from(&qp).to_json();
/// let back = OwnedQp::from_json(&text)?;
/// assert_eq!(back.as_qp().bound_upper, [f64::INFINITY]);
/// assert_eq!(back, OwnedQp::from(&qp));
/// # Ok::<(), sinew_solve::qp::QpJsonError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnedQp {
    /// Number of variables.
    pub variables: usize,
    /// The objective.
    pub objective: OwnedObjective,
    /// A of the equalities.
    #[serde(default)]
    pub equality_matrix: Vec<f64>,
    /// b of the equalities.
    #[serde(default)]
    pub equality_target: Vec<f64>,
    /// C of the inequality rows.
    #[serde(default)]
    pub inequality_matrix: Vec<f64>,
    /// Lower sides of the rows.
    #[serde(default, with = "open_below")]
    pub inequality_lower: Vec<f64>,
    /// Upper sides of the rows.
    #[serde(default, with = "open_above")]
    pub inequality_upper: Vec<f64>,
    /// Lower bounds of the variables.
    #[serde(default, with = "open_below")]
    pub bound_lower: Vec<f64>,
    /// Upper bounds of the variables.
    #[serde(default, with = "open_above")]
    pub bound_upper: Vec<f64>,
}

/// [`Objective`] with storage of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum OwnedObjective {
    /// ½xᵀPx + gᵀx.
    Quadratic {
        /// P.
        hessian: Vec<f64>,
        /// g.
        gradient: Vec<f64>,
    },
    /// ½‖Ax − b‖².
    LeastSquares {
        /// A.
        a: Vec<f64>,
        /// b.
        b: Vec<f64>,
    },
}

/// The text is not a QP.
#[derive(Debug, thiserror::Error)]
#[error("not a QP in JSON: {0}")]
pub struct QpJsonError(#[from] serde_json::Error);

impl From<&Qp<'_>> for OwnedQp {
    fn from(qp: &Qp<'_>) -> Self {
        let objective = match qp.objective {
            Objective::Quadratic { hessian, gradient } => {
                OwnedObjective::Quadratic { hessian: hessian.to_vec(), gradient: gradient.to_vec() }
            }
            Objective::LeastSquares { a, b } => OwnedObjective::LeastSquares { a: a.to_vec(), b: b.to_vec() },
        };
        Self {
            variables: qp.variables,
            objective,
            equality_matrix: qp.equality_matrix.to_vec(),
            equality_target: qp.equality_target.to_vec(),
            inequality_matrix: qp.inequality_matrix.to_vec(),
            inequality_lower: qp.inequality_lower.to_vec(),
            inequality_upper: qp.inequality_upper.to_vec(),
            bound_lower: qp.bound_lower.to_vec(),
            bound_upper: qp.bound_upper.to_vec(),
        }
    }
}

impl OwnedQp {
    /// The problem as the solver takes it.
    pub fn as_qp(&self) -> Qp<'_> {
        let objective = match &self.objective {
            OwnedObjective::Quadratic { hessian, gradient } => Objective::Quadratic { hessian, gradient },
            OwnedObjective::LeastSquares { a, b } => Objective::LeastSquares { a, b },
        };
        Qp {
            variables: self.variables,
            objective,
            equality_matrix: &self.equality_matrix,
            equality_target: &self.equality_target,
            inequality_matrix: &self.inequality_matrix,
            inequality_lower: &self.inequality_lower,
            inequality_upper: &self.inequality_upper,
            bound_lower: &self.bound_lower,
            bound_upper: &self.bound_upper,
        }
    }

    /// The problem as JSON text. A NaN is written as `null`.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self)
            .unwrap_or_else(|error| unreachable!("plain data has a JSON form: {error}"))
    }

    /// Reads the problem from JSON text.
    ///
    /// # Errors
    /// When the text is not JSON, or not that of a QP.
    pub fn from_json(text: &str) -> Result<Self, QpJsonError> {
        Ok(serde_json::from_str(text)?)
    }
}

macro_rules! open_side {
    ($name:ident, $open:expr) => {
        /// Numbers, `null` for an open side.
        mod $name {
            use serde::{Deserialize, Deserializer, Serializer};

            pub(super) fn serialize<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(values.iter().map(|v| v.is_finite().then_some(*v)))
            }

            pub(super) fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Vec<f64>, D::Error> {
                let values = Vec::<Option<f64>>::deserialize(deserializer)?;
                Ok(values.into_iter().map(|v| v.unwrap_or($open)).collect())
            }
        }
    };
}

open_side!(open_below, f64::NEG_INFINITY);
open_side!(open_above, f64::INFINITY);
