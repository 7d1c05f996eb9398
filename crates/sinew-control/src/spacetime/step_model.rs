//! The step of a plan, linearised: what a sweep needs of it.

use super::kinetics::{Kinetics, Moment};
use super::{Ends, POINTS, Plan, Points};
use sinew_dynamics::Model;
use std::sync::Arc;

/// Derivatives of the step that begins at a frame of a plan. Matrices are nv × nv, column-major.
#[derive(Clone, Debug)]
pub struct StepModel {
    kinetics: Kinetics,
    /// Where forces act.
    pub points: Points,
    dt: f64,
    /// Derivatives of the generalised forces that the planned acceleration needs, less those of the planned contact forces, by
    /// configuration and velocity.
    pub by_q: Vec<f64>,
    /// By velocity.
    pub by_v: Vec<f64>,
    /// Derivatives of the frame's configuration by that of the frame before, and by the velocity between.
    pub t_q: Vec<f64>,
    /// By the velocity.
    pub t_v: Vec<f64>,
}

impl StepModel {
    /// Room for a body.
    pub fn new(model: Arc<Model>, points: Points, dt: f64) -> StepModel {
        let square = || vec![0.0; model.nv() * model.nv()];
        StepModel {
            by_q: square(),
            by_v: square(),
            t_q: square(),
            t_v: square(),
            kinetics: Kinetics::new(model.clone(), points.clone(), dt),
            points,
            dt,
        }
    }

    /// Linearises the step at frame `k`, which must have one before and one after.
    pub fn linearise(&mut self, plan: &Plan, k: usize) {
        let reference = &plan.reference;
        let nv = reference.model.nv();
        let mut v_next = plan.velocity((k + 1) % plan.len()).to_vec();
        if let (Ends::Cycle(travel), true, Some(root)) =
            (reference.ends, k + 1 == plan.len(), reference.model.free_root())
        {
            let turned = travel.direction(&[v_next[root.v], v_next[root.v + 1], v_next[root.v + 2]].into());
            v_next[root.v..root.v + 3].copy_from_slice(turned.as_slice());
        }
        let forces: Vec<f64> = (0..POINTS)
            .filter(|p| reference.down[k][*p])
            .flat_map(|p| <[f64; 3]>::from(plan.forces[k][p]))
            .collect();
        let at = Moment {
            q: plan.configuration(k),
            v: plan.velocity(k),
            v_next: &v_next,
            down: &reference.down[k],
            forces: &forces,
        };
        self.kinetics.partials(&at, &mut self.by_q, &mut self.by_v);
        let step: Vec<f64> = plan.velocity(k).iter().map(|v| v * self.dt).collect();
        reference.model.integrate_jacobians(&step, &mut self.t_q, &mut self.t_v);
        self.t_v.iter_mut().for_each(|x| *x *= self.dt);
        debug_assert_eq!(self.by_q.len(), nv * nv);
    }

    /// A step in which nothing depends on anything.
    pub fn stand_still(&mut self) {
        let nv = self.kinetics.model.nv();
        [&mut self.by_q, &mut self.by_v, &mut self.t_q, &mut self.t_v].into_iter().for_each(|m| m.fill(0.0));
        for d in 0..nv {
            self.t_q[d * (nv + 1)] = 1.0;
            self.t_v[d * (nv + 1)] = self.dt;
        }
    }
}

impl Plan {
    /// Whether a frame has one before and one after.
    pub fn has_both(&self, k: usize) -> bool {
        self.reference.has_both(k)
    }
}
