//! A foot as clean-up sees it: a rigid sole with a heel and a toe point under an ankle.

use crate::contacts::ContactKind;
use crate::{BodyPoint, Clip, Sole};
use sinew_dynamics::spatial::{Placement, Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, Data, Model, Role, Side, forward_kinematics};

/// The shape of a foot, in its own axes.
#[derive(Clone, Debug)]
pub(super) struct FootShape {
    pub(super) body: BodyId,
    /// Middle of the heel's and of the toes' edge of the sole.
    pub(super) heel: Vec3,
    pub(super) toe: Vec3,
    /// The corners of these edges, left before right; one point twice where toes of their own bend.
    pub(super) edges: [[Vec3; 2]; 2],
    /// All corners, for clearance.
    pub(super) corners: [BodyPoint; 4],
    /// `R⁰ᵀ`: from the body's axes to forward, left, up at rest.
    pub(super) level: Quat,
}

impl FootShape {
    pub(super) fn of(model: &Model, side: Side) -> Option<FootShape> {
        let body = model.role(Role::Foot(side))?;
        let sole = Sole::of(model, side)?;
        let at = model.spec().reference_placements();
        // everything as if foot and toes were one rigid body; with toes of its own a foot rolls over their joint
        let local = |p: &BodyPoint| at[body.0].inverse().act(&at[p.body.0].act(&p.at));
        let middle = |pair: &[BodyPoint; 2]| (local(&pair[0]) + local(&pair[1])) * 0.5;
        let heel = middle(&sole.heel);
        let mut toe = middle(&sole.toe);
        let mut edges = [sole.heel, sole.toe].map(|edge| edge.each_ref().map(local));
        if let Some(toes) = model.role(Role::Toe(side)).filter(|t| *t != body) {
            let anchor = model.bodies()[toes.0].joints.first().map_or(Vec3::zeros(), |j| j.anchor);
            let joint = at[toes.0].act(&anchor);
            let under = Vec3::new(joint.x, joint.y, at[body.0].act(&toe).z);
            toe = at[body.0].inverse().act(&under);
            edges[1] = [toe; 2];
        }
        let level = rotation::from_matrix(&at[body.0].rot).inverse();
        Some(FootShape { body, heel, toe, edges, corners: sole.corners(), level })
    }

    /// The corners with which a foot that is down may touch.
    pub(super) fn touching(&self, kind: ContactKind) -> &[Vec3] {
        match kind {
            ContactKind::Heel => &self.edges[0],
            ContactKind::Ball => &self.edges[1],
            ContactKind::Flat => self.edges.as_flattened(),
        }
    }

    /// Points that must not go under the ground.
    pub(super) fn bottom(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.corners.iter().filter(|c| c.body == self.body).map(|c| c.at).chain([self.heel, self.toe])
    }
}

/// Where a foot is in every frame.
#[derive(Clone, Debug, Default)]
pub(super) struct FootPath {
    pub(super) turn: Vec<Quat>,
    pub(super) pos: Vec<Vec3>,
}

impl FootPath {
    /// A point of the foot in a frame.
    pub(super) fn point(&self, frame: usize, local: &Vec3) -> Vec3 {
        self.pos[frame] + self.turn[frame] * local
    }

    pub(super) fn placement(&self, frame: usize) -> Placement {
        Placement::new(self.turn[frame], self.pos[frame])
    }
}

/// The paths of some bodies of a clip.
pub(super) fn paths(clip: &Clip, bodies: &[BodyId]) -> Vec<FootPath> {
    let model = clip.model();
    let mut data = Data::new(model);
    let mut paths = vec![FootPath::default(); bodies.len()];
    for q in clip.frames() {
        forward_kinematics(model, &mut data, q);
        for (body, path) in bodies.iter().zip(&mut paths) {
            let at = data.body_placement(model, *body);
            path.turn.push(rotation::from_matrix(&at.rot));
            path.pos.push(at.pos);
        }
    }
    paths
}
