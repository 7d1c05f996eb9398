//! Points that push against the ground, and the friction pyramids in which their forces lie.

use super::kinetics::Kinetics;
use sinew_dynamics::BodyId;
use sinew_dynamics::spatial::Vec3;

/// A point that can push against the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foothold {
    /// The body part.
    pub body: BodyId,
    /// The point in its frame, m.
    pub point: Vec3,
    /// Normal of the ground.
    pub normal: Vec3,
    /// Coefficient of friction.
    pub friction: f64,
    /// Relative cost of its force where the load can be shared; 1 by default.
    pub cost: f64,
}

/// Most points that can push at once.
pub const MOST_FOOTHOLDS: usize = 16;
/// Edges of a friction pyramid.
pub(super) const EDGES: usize = 4;
/// Share of the weight that is the unit of force, so that unknown forces and accelerations are of similar size.
const FORCE_UNIT: f64 = 0.1;

/// Edges `V` of the pyramids, one unit of force long, and the joint torques that they make.
#[derive(Debug, Default)]
pub(super) struct Pyramids {
    pub(super) edges: Vec<Vec3>,
    /// −JᵀV, nv×forces, column-major.
    pub(super) torques: Vec<f64>,
}

impl Pyramids {
    pub(super) fn with_capacity(nv: usize) -> Pyramids {
        let most = EDGES * MOST_FOOTHOLDS;
        Pyramids { edges: Vec::with_capacity(most), torques: Vec::with_capacity(nv * most) }
    }

    /// Computes the pyramids of some points; `jacobian` is workspace of 3×nv.
    pub(super) fn find(&mut self, kinetics: &Kinetics, footholds: &[Foothold], jacobian: &mut [f64]) {
        let (model, data) = (kinetics.model(), &kinetics.derived().data);
        let nv = model.nv();
        self.edges.clear();
        self.torques.clear();
        let unit = (FORCE_UNIT * model.mass() * model.gravity().norm()).max(1.0);
        for hold in footholds {
            let at = data.body_placement(model, hold.body).act(&hold.point);
            data.point_jacobian(model, hold.body, &at, &mut jacobian[..3 * nv]);
            let n = hold.normal;
            let t1 = (Vec3::x() - n * n.x).normalize();
            let t2 = n.cross(&t1);
            let size = unit / (1.0 + hold.friction * hold.friction).sqrt();
            for tangent in [t1, -t1, t2, -t2] {
                let edge = (n + tangent * hold.friction) * size;
                self.edges.push(edge);
                let torques = jacobian[..3 * nv].chunks_exact(3);
                self.torques.extend(torques.map(|j| -(edge.x * j[0] + edge.y * j[1] + edge.z * j[2])));
            }
        }
    }

    /// Force of each point, N, for weights of the edges.
    pub(super) fn forces(&self, weights: &[f64], into: &mut Vec<Vec3>) {
        into.clear();
        for (edges, weights) in self.edges.chunks_exact(EDGES).zip(weights.chunks_exact(EDGES)) {
            into.push(edges.iter().zip(weights).map(|(e, w)| e * *w).sum());
        }
    }
}
