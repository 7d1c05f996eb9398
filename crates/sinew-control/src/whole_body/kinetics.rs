//! Everything about the body's state that objectives ask for, computed once per tick.

use sinew_dynamics::spatial::{Placement, Sym3, Vec3};
use sinew_dynamics::{
    BodyId, Data, Model, bias_force, centroidal_bias, centroidal_map, crba, forward_accelerations,
    passive_force,
};
use std::sync::{Arc, OnceLock};

/// A body and the quantities of its present state.
///
/// A clone copies only the state and computes the rest on first use, so that snapshots are small.
#[derive(Debug)]
pub struct Kinetics {
    pub(crate) model: Arc<Model>,
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    derived: OnceLock<Box<Derived>>,
}

/// What follows from the state.
#[derive(Debug)]
pub(crate) struct Derived {
    pub(crate) data: Data,
    /// `M`, nv×nv.
    pub(crate) mass_matrix: Vec<f64>,
    /// `h` without the forces of springs and dampers.
    pub(crate) bias: Vec<f64>,
    /// Linear and angular momentum per velocity, 6×nv.
    pub(crate) momentum_map: Vec<f64>,
    /// Rates of linear and angular momentum without acceleration.
    pub(crate) momentum_bias: [Vec3; 2],
    /// Linear momentum and angular momentum about the centre of mass.
    pub(crate) momentum: [Vec3; 2],
    pub(crate) com: Vec3,
    pub(crate) inertia: Sym3,
    zero: Vec<f64>,
    passive: Vec<f64>,
}

impl Clone for Kinetics {
    fn clone(&self) -> Kinetics {
        let (model, q, v) = (Arc::clone(&self.model), self.q.clone(), self.v.clone());
        Kinetics { model, q, v, derived: OnceLock::new() }
    }
}

impl Derived {
    fn new(model: &Model) -> Derived {
        let nv = model.nv();
        let zero = vec![0.0; nv];
        Derived {
            data: Data::new(model),
            mass_matrix: vec![0.0; nv * nv],
            bias: zero.clone(),
            momentum_map: vec![0.0; 6 * nv],
            momentum_bias: [Vec3::zeros(); 2],
            momentum: [Vec3::zeros(); 2],
            com: Vec3::zeros(),
            inertia: Sym3::diagonal(0.0, 0.0, 0.0),
            passive: zero.clone(),
            zero,
        }
    }

    fn update(&mut self, model: &Model, q: &[f64], v: &[f64]) {
        let data = &mut self.data;
        self.mass_matrix.copy_from_slice(crba(model, data, q));
        self.bias.copy_from_slice(bias_force(model, data, q, v));
        passive_force(model, q, v, &mut self.passive);
        for (h, p) in self.bias.iter_mut().zip(&self.passive) {
            *h -= p;
        }
        let centroidal = centroidal_map(model, data, q);
        (self.com, self.inertia) = (centroidal.com, centroidal.inertia);
        self.momentum_map.copy_from_slice(centroidal.map);
        let mut momentum = [Vec3::zeros(); 2];
        for (column, v) in self.momentum_map.chunks_exact(6).zip(v) {
            momentum[0] += Vec3::new(column[0], column[1], column[2]) * *v;
            momentum[1] += Vec3::new(column[3], column[4], column[5]) * *v;
        }
        self.momentum = momentum;
        let bias = centroidal_bias(model, data, q, v);
        self.momentum_bias = [bias.linear, bias.angular];
        // last, so that point velocities and bias accelerations can be asked for
        forward_accelerations(model, data, q, v, &self.zero);
    }
}

impl Kinetics {
    /// For a body, at rest in its neutral configuration.
    pub fn new(model: Arc<Model>) -> Kinetics {
        let (q, v) = (model.neutral(), vec![0.0; model.nv()]);
        Kinetics { model, q, v, derived: OnceLock::new() }
    }

    /// Sets the state.
    pub fn update(&mut self, q: &[f64], v: &[f64]) {
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
        if let Some(derived) = self.derived.get_mut() {
            derived.update(&self.model, q, v);
        }
    }

    /// What follows from the state.
    pub(crate) fn derived(&self) -> &Derived {
        self.derived.get_or_init(|| {
            let mut derived = Box::new(Derived::new(&self.model));
            derived.update(&self.model, &self.q, &self.v);
            derived
        })
    }

    /// The body.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Configuration.
    pub fn q(&self) -> &[f64] {
        &self.q
    }

    /// Velocity.
    pub fn v(&self) -> &[f64] {
        &self.v
    }

    /// Centre of mass, m.
    pub fn com(&self) -> Vec3 {
        self.derived().com
    }

    /// Velocity of the centre of mass, m/s.
    pub fn com_velocity(&self) -> Vec3 {
        self.derived().momentum[0] / self.model.mass()
    }

    /// Angular momentum about the centre of mass, kg·m²/s.
    pub fn angular_momentum(&self) -> Vec3 {
        self.derived().momentum[1]
    }

    /// Rotational inertia about the vertical through the centre of mass, kg·m².
    pub fn turning_inertia(&self) -> f64 {
        self.derived().inertia.to_mat3().m33
    }

    /// Frame of a body part in the world.
    pub fn placement(&self, body: BodyId) -> Placement {
        self.derived().data.body_placement(&self.model, body)
    }

    /// Where a point of a body part is, and how fast it moves.
    pub fn point(&self, body: BodyId, point: &Vec3) -> (Vec3, Vec3) {
        let at = self.placement(body).act(point);
        (at, self.derived().data.point_velocity(&self.model, body, &at))
    }

    /// Angular velocity of a body part in world axes.
    pub fn spin(&self, body: BodyId) -> Vec3 {
        self.derived().data.angular_velocity(&self.model, body)
    }
}
