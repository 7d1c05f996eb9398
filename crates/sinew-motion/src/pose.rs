//! Poses of a skeleton and the displacements between them: the algebra of Lee, Kim, Lee 2010, appendix A, corrected.
//!
//! A pose is `P = (v₀, q₁, …, qₙ)`: position and orientation of the root, then orientations of the joints relative to their
//! parents. A displacement is `D = (u₀, …, uₙ)` of 3-vectors.
//! ```text
//! P₁ ⊗ P₂ = ( q₁₁ v₂₀ q₁₁⁻¹ + v₁₀,  q₁₁ q₂₁, …, q₁ₙ q₂ₙ )
//! P₁ ⊘ P₂ = ( q₂₁⁻¹ (v₁₀ − v₂₀) q₂₁,  q₂₁⁻¹ q₁₁, …, q₂ₙ⁻¹ q₁ₙ )        so that P₂ ⊗ (P₁ ⊘ P₂) = P₁
//! P^α     = exp(α log P),  component by component, rotations the short way round
//! ```
//! The print has `q₂₁⁻¹` for the last factor of the first slot, which is not even a vector in general.

use sinew_dynamics::spatial::{Quat, Vec3, rotation};

/// Position of the root and orientations of all joints; the root's orientation is the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// Position of the root, m.
    pub root: Vec3,
    /// Orientation of each joint relative to its parent.
    pub rotations: Vec<Quat>,
}

/// A difference of poses: a translation and one rotation vector per joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Displacement {
    /// Of the root, m.
    pub root: Vec3,
    /// Angle times axis of each joint, rad.
    pub rotations: Vec<Vec3>,
}

impl Pose {
    /// The pose of `joints` joints in which nothing is turned or moved.
    pub fn identity(joints: usize) -> Pose {
        Pose { root: Vec3::zeros(), rotations: vec![Quat::identity(); joints] }
    }

    /// `self ⊗ by`: this pose, further displaced by a pose in its own axes.
    ///
    /// ```
    /// use sinew_dynamics::spatial::{rotation, Vec3};
    /// use sinew_motion::Pose;
    /// let quarter = rotation::exp(&Vec3::new(0.0, std::f64::consts::FRAC_PI_2, 0.0));
    /// let here = Pose { root: Vec3::x(), ..Pose::identity(1) };
    /// let turned = Pose { rotations: vec![quarter], ..Pose::identity(1) };
    /// let step = here.relative_to(&turned);
    /// assert!((step.root - Vec3::z()).norm() < 1e-15);
    /// assert!((turned.compose(&step).root - here.root).norm() < 1e-15);
    /// ```
    pub fn compose(&self, by: &Pose) -> Pose {
        Pose {
            root: self.rotations.first().map_or(by.root, |q| q * by.root) + self.root,
            rotations: self.rotations.iter().zip(&by.rotations).map(|(a, b)| a * b).collect(),
        }
    }

    /// `self ⊘ from`: the pose that takes `from` to this one.
    pub fn relative_to(&self, from: &Pose) -> Pose {
        let offset = self.root - from.root;
        Pose {
            root: from.rotations.first().map_or(offset, |q| q.inverse() * offset),
            rotations: self.rotations.iter().zip(&from.rotations).map(|(a, b)| b.inverse() * a).collect(),
        }
    }

    /// `log P`.
    pub fn log(&self) -> Displacement {
        Displacement { root: self.root, rotations: self.rotations.iter().map(rotation::log).collect() }
    }

    /// `P^α`: nothing at 0, the pose at 1.
    pub fn power(&self, alpha: f64) -> Pose {
        self.log().scaled(alpha).exp()
    }

    /// Between this pose (`weight` 0) and another (1): the root on a line, joints on the shortest arcs.
    pub fn blend(&self, other: &Pose, weight: f64) -> Pose {
        let turn = |(a, b): (&Quat, &Quat)| a * rotation::exp(&(rotation::log(&(a.inverse() * b)) * weight));
        Pose {
            root: self.root.lerp(&other.root, weight),
            rotations: self.rotations.iter().zip(&other.rotations).map(turn).collect(),
        }
    }
}

impl Displacement {
    /// `exp D`.
    pub fn exp(&self) -> Pose {
        Pose { root: self.root, rotations: self.rotations.iter().map(rotation::exp).collect() }
    }

    /// `α D`.
    pub fn scaled(&self, alpha: f64) -> Displacement {
        Displacement {
            root: self.root * alpha,
            rotations: self.rotations.iter().map(|u| u * alpha).collect(),
        }
    }
}
