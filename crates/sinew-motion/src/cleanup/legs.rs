//! Legs that put feet to their places, within the joint limits.

use super::air::Goal;
use super::leg::Leg;
use super::plan::Plan;
use crate::contacts::ContactKind;
use crate::ik::chain::Chain;
use crate::ik::{IkSettings, IkSolver, IkTarget};
use sinew_dynamics::spatial::{Placement, Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, Model, Role, Side};

/// Answers nearer than this are exact: m, rad.
const NEAR: (f64, f64) = (1e-6, 1e-6);
/// Rounds in which a limited foot and its ankle's place come to agree.
const ROUNDS: usize = 40;
/// A foot that is turned by more than 30° against its heading: the cosine.
const ELSEWHERE: f64 = 0.866;
/// Weights of the touching point and of the orientation, where the legs are no limbs of two links.
const WEIGHTS: [f64; 2] = [1.0, 0.02];

/// Solves for the joints of both legs.
pub(super) struct Solver {
    general: [IkSolver; 2],
    /// Toes of their own: joints from the foot, and their rest in it.
    toes: [Option<(Chain, Quat)>; 2],
}

/// What limits did to a foot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limited {
    /// By how much more its nose is down than it should be, rad.
    pub(super) nose: f64,
    /// The corner on which it stands instead of an edge or the whole sole, in the foot's axes.
    pub(super) corner: Option<Vec3>,
}

impl Solver {
    pub(super) fn new(model: &Model, legs: &[Leg; 2]) -> Solver {
        let at = model.spec().reference_placements();
        let level = |b: BodyId| rotation::from_matrix(&at[b.0].rot);
        let general = |leg: &Leg| {
            let mut solver = IkSolver::new(model);
            let names = joints_between(model, leg.base, leg.shape.body);
            solver.free(|name| names.iter().any(|n| n == name));
            solver.settings = IkSettings {
                max_iterations: 40,
                step_tolerance: 1e-7,
                posture: 2e-3,
                ..IkSettings::default()
            };
            solver
        };
        let toes = |side: Side| {
            let foot = legs[side as usize].shape.body;
            let toe = model.role(Role::Toe(side)).filter(|t| *t != foot)?;
            Some((Chain::new(model, Some(foot), toe), level(foot).inverse() * level(toe)))
        };
        Solver { general: [general(&legs[0]), general(&legs[1])], toes: Side::BOTH.map(toes) }
    }

    /// Sets a leg in `q`. A foot that is down and that limits keep from its orientation keeps its touching point.
    pub(super) fn solve(
        &mut self,
        model: &Model,
        q: &mut [f64],
        base: &Placement,
        leg: &Leg,
        s: usize,
        i: usize,
        goal: &Goal,
        plan: &Plan,
        level: bool,
    ) -> Limited {
        let (ankle, turn) = (goal.ankle[i], goal.turn[i]);
        let mut limited = Limited::default();
        if let Some(ik) = &leg.ik {
            let reach = ik.solve(base, q, &ankle, Some(&turn));
            if reach.distance > NEAR.0 || reach.angle > NEAR.1 {
                let reached = ik.place(base, q).0[2];
                limited.nose = nose(leg, &reached, &turn);
                if plan.down(i) {
                    limited.corner = keep(leg, base, q, i, plan, &turn);
                } else if level {
                    lift(leg, base, q, &ankle, &turn);
                }
            }
        } else {
            let place = |local: &Vec3| ankle + turn * (local - leg.ankle);
            let targets = [
                IkTarget::position(leg.shape.body, plan.point[i], place(&plan.point[i])).weighted(WEIGHTS[0]),
                IkTarget::orientation(leg.shape.body, turn).weighted(WEIGHTS[1]),
            ];
            self.general[s].solve(model, q, &targets);
        }
        if let Some((chain, rest)) = &self.toes[s] {
            // toes lie flat while they touch; else they are in line with the foot
            let mut wanted = *rest;
            if matches!(plan.kind[i], Some(ContactKind::Ball | ContactKind::Flat)) {
                let flat = leg.turn(leg.angles(&turn).0, 0.0);
                wanted = turn.inverse() * flat * rest;
            }
            chain.fit(q, &wanted, true);
        }
        limited
    }
}

/// By how much more a nose is down than it should be; a foot that looks elsewhere tells nothing.
fn nose(leg: &Leg, reached: &Quat, wanted: &Quat) -> f64 {
    let ((is_yaw, is), (yaw, should)) = (leg.angles(reached), leg.angles(wanted));
    if libm::cos(is_yaw - yaw) > ELSEWHERE { is - should } else { 0.0 }
}

/// Lifts a foot in the air, whose orientation limits changed, until it is not under level ground.
fn lift(leg: &Leg, base: &Placement, q: &mut [f64], ankle: &Vec3, wanted: &Quat) {
    let Some(ik) = &leg.ik else { return };
    let mut ankle = *ankle;
    for _ in 0..ROUNDS {
        let turn = ik.place(base, q).0[2];
        let low =
            leg.shape.bottom().map(|c| (ankle + turn * (c - leg.ankle)).z).fold(f64::INFINITY, f64::min);
        if low > -NEAR.0 {
            break;
        }
        ankle.z -= low;
        ik.solve(base, q, &ankle, Some(wanted));
    }
}

/// Brings a foot that is down to its place with the orientation that limits allow: tilted it stands on the lowest corner of what touches, which is
/// where it would be if it were not tilted. No other corner is under it. Returns the corner.
fn keep(leg: &Leg, base: &Placement, q: &mut [f64], i: usize, plan: &Plan, wanted: &Quat) -> Option<Vec3> {
    let (ik, kind) = (leg.ik.as_ref()?, plan.kind[i]?);
    let level = plan.place[i].z;
    let mut turn = ik.place(base, q).0[2];
    let mut corner = None;
    for _ in 0..ROUNDS {
        let height = |c: &Vec3| (turn * c).z;
        let lowest = leg.shape.touching(kind).iter().min_by(|a, b| height(a).total_cmp(&height(b)))?;
        corner = Some(*lowest);
        let mut ankle = leg.ankle_at(&turn, lowest, &plan.place_of(leg, i, lowest));
        let low =
            leg.shape.bottom().map(|c| (ankle + turn * (c - leg.ankle)).z).fold(f64::INFINITY, f64::min);
        ankle.z += (level - low).max(0.0);
        ik.solve(base, q, &ankle, Some(wanted));
        let now = ik.place(base, q).0[2];
        let moved = (now.inverse() * turn).angle();
        turn = now;
        if moved < NEAR.1 {
            break;
        }
    }
    corner
}

/// Names of the joints from one body to a descendant.
fn joints_between(model: &Model, from: BodyId, to: BodyId) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = Some(to.0);
    while let Some(body) = at.filter(|&b| b != from.0) {
        names.extend(model.bodies()[body].joints.iter().map(|j| j.name.clone()));
        at = model.bodies()[body].parent;
    }
    names
}
