//! Springs and dampers in the joints that hold a posture.
//!
//! `τ = K (q* ⊖ q) − D v`, taken at the beginning of the step, root entries zero. An explicit spring on an inertia `m` is
//! stable only while `K dt²` and `D dt` are small against `m`, so each joint is as stiff as wished or as its own inertia
//! `m = 1/(M⁻¹)_kk` in the posture allows, whichever is less. The world cuts torques to the effort limits.

use sinew_dynamics::{Data, Model, factored_mass_matrix};

/// A posture and the gains that hold it.
#[derive(Clone, Debug, PartialEq)]
pub struct Hold {
    posture: Vec<f64>,
    stiffness: Vec<f64>,
    damping: Vec<f64>,
}

/// Greatest `K dt²/m` and `D dt/m`: well within the stability of an explicit step.
const MOST: (f64, f64) = (0.4, 0.5);
/// Damping that goes with a stiffness, s.
const DAMPING_TIME: f64 = 0.05;

impl Hold {
    /// Holds `posture` with springs of at most `stiffness` (N·m/rad, N/m) in steps of `dt` (s).
    ///
    /// ```
    /// use sinew_dynamics::characters;
    /// use sinew_world::scenes::Hold;
    /// let human = characters::load("human")?;
    /// let mut q = human.neutral();
    /// let hold = Hold::new(&human, &q, 1000.0, 1e-3);
    /// let knee = human.joint("knee_l").unwrap();
    /// let joint = &human.joints()[knee.0];
    /// q[joint.q] += 0.1; // a bent knee is straightened
    /// let mut tau = vec![0.0; human.nv()];
    /// hold.torque(&human, &q, &vec![0.0; human.nv()], &mut tau);
    /// assert!(tau[joint.v] < 0.0 && tau[..6] == [0.0; 6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(model: &Model, posture: &[f64], stiffness: f64, dt: f64) -> Hold {
        let mut data = Data::new(model);
        let inertias: Vec<f64> = match factored_mass_matrix(model, &mut data, posture) {
            Ok(()) => (0..model.nv()).map(|k| inertia(model, &data, k)).collect(),
            Err(_) => vec![0.0; model.nv()],
        };
        let springs = inertias.iter().zip(driven(model));
        let stiffness: Vec<f64> = springs
            .map(|(m, driven)| if driven { stiffness.min(MOST.0 * m / (dt * dt)) } else { 0.0 })
            .collect();
        let damping =
            stiffness.iter().zip(&inertias).map(|(k, m)| (DAMPING_TIME * k).min(MOST.1 * m / dt)).collect();
        Hold { posture: posture.to_vec(), stiffness, damping }
    }

    /// Writes the torques for a state.
    pub fn torque(&self, model: &Model, q: &[f64], v: &[f64], out: &mut [f64]) {
        model.difference(q, &self.posture, out);
        for (((tau, k), d), v) in out.iter_mut().zip(&self.stiffness).zip(&self.damping).zip(v) {
            *tau = k * *tau - d * v;
        }
    }
}

/// Inertia that a degree of freedom shows when all others are free.
fn inertia(model: &Model, data: &Data, dof: usize) -> f64 {
    let mut unit = vec![0.0; model.nv()];
    unit[dof] = 1.0;
    data.solve_mass_matrix(model, &mut unit);
    1.0 / unit[dof]
}

/// For every degree of freedom whether an actuator may act on it: not on a free joint.
fn driven(model: &Model) -> impl Iterator<Item = bool> + '_ {
    model.joints().iter().flat_map(|j| {
        let driven = j.kind != sinew_dynamics::JointKind::Free;
        std::iter::repeat_n(driven, j.kind.nv())
    })
}
