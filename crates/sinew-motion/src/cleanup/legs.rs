//! Legs that put feet to their places, within the joint limits.

use super::foot::{FootPath, FootShape};
use super::smooth::above;
use super::stance::Planted;
use super::{CleanError, pelvis};
use crate::ik::chain::Chain;
use crate::ik::{IkSettings, IkSolver, IkTarget, LimbIk};
use crate::{Clip, FootContacts};
use sinew_dynamics::spatial::{Placement, Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, JointKind, Model, Role, Side};

/// Analytic answers farther off than this are improved: m, rad.
const NEAR: (f64, f64) = (1e-6, 1e-6);
/// How far the root is asked to rise for each radian that an ankle lacks, m, and at most in one pass, m.
const RAISE: (f64, f64) = (0.3, 0.004);
/// Rounds in which a limited foot and its ankle's place come to agree.
const ROUNDS: usize = 40;
/// Weights of the touching edge, of the other edge of a flat foot, and of the orientation, where the legs are no limbs of two links.
const WEIGHTS: [f64; 3] = [1.0, 0.05, 0.02];
/// Time over which the root goes down and up again for legs that do not reach, s.
const LOWER: f64 = 0.3;
/// A heel or toe farther than this from its place does not touch any more, m.
const AWAY: f64 = 0.002;

/// Both legs of a character.
pub(super) struct Legs {
    base: BodyId,
    analytic: [Option<LimbIk>; 2],
    general: [IkSolver; 2],
    /// Toes of their own: joints from the foot.
    toes: [Option<(Chain, Quat)>; 2],
}

impl Legs {
    pub(super) fn new(model: &Model) -> Result<Legs, CleanError> {
        let base = pelvis(model)?;
        if model.joints().first().map(|j| j.kind) != Some(JointKind::Free) {
            return Err(CleanError::NoRoot);
        }
        let part = |role| model.role(role).ok_or(CleanError::Part(role));
        let mut limbs = Vec::new();
        let mut general = Vec::new();
        let mut toes = Vec::new();
        let at = model.spec().reference_placements();
        for side in Side::BOTH {
            let [thigh, shin, foot] =
                [part(Role::Thigh(side))?, part(Role::Shin(side))?, part(Role::Foot(side))?];
            limbs.push(LimbIk::new(model, base, thigh, shin, foot).ok());
            let mut solver = IkSolver::new(model);
            let names = joints_between(model, base, foot);
            solver.free(|name| names.iter().any(|n| n == name));
            solver.settings = IkSettings {
                max_iterations: 40,
                step_tolerance: 1e-7,
                posture: 2e-3,
                ..IkSettings::default()
            };
            general.push(solver);
            let level = |b: BodyId| rotation::from_matrix(&at[b.0].rot);
            toes.push(
                model
                    .role(Role::Toe(side))
                    .filter(|t| *t != foot)
                    .map(|toe| (Chain::new(model, Some(foot), toe), level(foot).inverse() * level(toe))),
            );
        }
        let two = |mut all: Vec<_>| {
            let second = all.pop();
            [all.pop().flatten(), second.flatten()]
        };
        let (Some(right), Some(left)) = (general.pop(), general.pop()) else {
            return Err(CleanError::NoRoot);
        };
        let right_toe = toes.pop().flatten();
        let toes = [toes.pop().flatten(), right_toe];
        Ok(Legs { base, analytic: two(limbs), general: [left, right], toes })
    }

    /// The body that carries the legs.
    pub(super) fn base(&self) -> BodyId {
        self.base
    }

    /// By how much the root must go down in each frame so that standing legs reach, as a smooth curve.
    pub(super) fn lowering(
        &self,
        bases: &FootPath,
        root: &[Vec3],
        goals: &[FootPath],
        planted: &[Planted],
        rate: f64,
        stretch: f64,
    ) -> Vec<f64> {
        let needs = |i: usize| {
            let of = |s: usize| {
                let leg = self.analytic[s].as_ref()?;
                planted[s].pos[i]?;
                let base = moved(bases, i, &root[i]);
                let arm = leg.root(&base) - leg.joint(&goals[s].placement(i));
                let links = leg.links();
                let longest = stretch * (links.upper + links.lower);
                let across = longest * longest - arm.x * arm.x - arm.y * arm.y;
                Some((arm.z - across.max(0.0).sqrt()).max(0.0))
            };
            [0, 1].into_iter().filter_map(of).fold(0.0, f64::max)
        };
        above(&(0..root.len()).map(needs).collect::<Vec<_>>(), rate, LOWER)
    }

    /// Sets both legs in `q`; returns how many met a limit, and how far the worst touching edge is from its place.
    pub(super) fn solve(
        &mut self,
        model: &Model,
        q: &mut [f64],
        frame: usize,
        bases: &FootPath,
        root: &Vec3,
        goals: &[FootPath],
        planted: &[Planted],
        shapes: &[FootShape; 2],
        mode: Mode,
    ) -> (usize, Vec3) {
        let base = moved(bases, frame, root);
        let (mut limited, mut missed) = (0, Vec3::zeros());
        for s in 0..2 {
            let (heel, toe) = (planted[s].heel[frame], planted[s].toe[frame]);
            let (goal, turn) = (goals[s].placement(frame), goals[s].turn[frame]);
            match &self.analytic[s] {
                Some(leg) => {
                    let place = Place { goal, turn, heel, toe };
                    if let Some(miss) = settle(leg, &base, q, &place, &shapes[s], mode) {
                        limited += 1;
                        missed = if miss.norm() > missed.norm() { miss } else { missed };
                    }
                }
                None => {
                    self.general[s].solve(model, q, &targets(&planted[s], &shapes[s], &goal, &turn, frame));
                }
            }
            if let Some((chain, rest)) = &self.toes[s] {
                flush(chain, rest, q, &shapes[s], &turn, planted[s].toe[frame].is_some());
            }
        }
        (limited, missed)
    }
}

/// What is done about limits.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    /// Whether feet tilt that cannot lie flat; else the root is asked to rise.
    pub(super) tilt: bool,
    /// Whether the ground is the plane z = 0.
    pub(super) level: bool,
}

/// Where one foot should be in a frame.
struct Place {
    goal: Placement,
    turn: Quat,
    heel: Option<Vec3>,
    toe: Option<Vec3>,
}

/// Puts a foot to its place. When limits keep it from the wanted orientation, the touching edge stays and the foot tilts about
/// it, as far as it must: the orientation that is reached gives a new place for the ankle, until both agree. Returns, for a
/// touching foot that limits keep from its place or orientation, how far the edge is from where it should be.
fn settle(
    leg: &LimbIk,
    base: &Placement,
    q: &mut [f64],
    place: &Place,
    shape: &FootShape,
    mode: Mode,
) -> Option<Vec3> {
    let reach = leg.solve(base, q, &leg.joint(&place.goal), Some(&place.turn));
    if reach.distance < NEAR.0 && reach.angle < NEAR.1 {
        return None;
    }
    let reached = |q: &[f64]| leg.place(base, q).0[2];
    // a heel that rises turns about the toes, toes that rise about the heel
    let nose_down =
        |turn: &Quat| (turn * shape.level * Vec3::x()).z < (place.turn * shape.level * Vec3::x()).z;
    let pivot = match (place.heel, place.toe) {
        (Some(_), Some(toe)) if nose_down(&reached(q)) => Some((shape.toe, toe)),
        (Some(heel), _) => Some((shape.heel, heel)),
        (None, Some(toe)) => Some((shape.toe, toe)),
        (None, None) => None,
    };
    if let (false, Some((local, at))) = (mode.tilt, pivot) {
        // ask for a higher root: a straighter knee leans the shin less
        let higher = Vec3::z() * (RAISE.0 * reach.angle).min(RAISE.1);
        let missed = at - leg.point(base, q, &local);
        return Some(if missed.norm() > reach.angle * RAISE.0 { missed } else { higher });
    }
    let mut turn = reached(q);
    let mut lift = 0.0;
    for _ in 0..ROUNDS {
        let pos = match pivot {
            Some((local, at)) => at - turn * local,
            None => place.goal.pos + Vec3::z() * lift,
        };
        leg.solve(base, q, &leg.joint(&Placement::new(turn, pos)), Some(&place.turn));
        let now = reached(q);
        let moved = (now.inverse() * turn).angle();
        turn = now;
        if pivot.is_none() {
            // in the air: as it is, but not under level ground
            let depth = |c: &Vec3| -(pos + turn * c).z;
            let deepest = shape.bottom().map(|c| depth(&c)).fold(f64::NEG_INFINITY, f64::max);
            if !mode.level || deepest < NEAR.0 {
                break;
            }
            lift += deepest;
        } else if moved < NEAR.1 {
            break;
        }
    }
    pivot.map(|(local, at)| at - leg.point(base, q, &local))
}

/// What a foot that cannot do everything should do: keep the touching edge, then the other, then its orientation.
fn targets(
    planted: &Planted,
    shape: &FootShape,
    goal: &Placement,
    turn: &Quat,
    frame: usize,
) -> [IkTarget; 3] {
    let [touch, other, orientation] = WEIGHTS;
    let (heel, toe) = (planted.heel[frame], planted.toe[frame]);
    let weight = |own: Option<Vec3>, first: bool| match own {
        Some(_) if first => touch,
        Some(_) => other,
        None => 0.0,
    };
    let point = |local: Vec3, place: Option<Vec3>, weight: f64| {
        let place = place.unwrap_or_else(|| goal.act(&local));
        IkTarget::position(shape.body, local, place).weighted(weight)
    };
    // in the air the foot as a whole
    let (on_toe, on_heel) = match (heel, toe) {
        (None, None) => (touch, touch),
        _ => (weight(toe, true), weight(heel, toe.is_none())),
    };
    [
        point(shape.toe, toe, on_toe),
        point(shape.heel, heel, on_heel),
        IkTarget::orientation(shape.body, *turn).weighted(orientation),
    ]
}

/// Lays toes flat on the ground while they touch; else in line with the foot.
fn flush(chain: &Chain, rest: &Quat, q: &mut [f64], shape: &FootShape, foot: &Quat, touch: bool) {
    let mut wanted = *rest;
    if touch {
        let forward = foot * shape.level * Vec3::x();
        let level = rotation::exp(&(Vec3::z() * libm::atan2(forward.y, forward.x))) * shape.level.inverse();
        wanted = foot.inverse() * level * rest;
    }
    chain.fit(q, &wanted, true);
}

/// Contacts whose heel or toes are still at their places, and how many frames of others there are.
pub(super) fn still_touching(
    clip: &Clip,
    shapes: &[FootShape; 2],
    contacts: &FootContacts,
    planted: &[Planted],
) -> (FootContacts, usize) {
    let mut kept = contacts.clone();
    let mut lost = 0;
    let feet = super::foot::paths(clip, &[shapes[0].body, shapes[1].body]);
    for s in 0..2 {
        for i in 0..clip.len() {
            let gone = |place: Option<Vec3>, local: &Vec3| {
                place.is_none_or(|p| (feet[s].point(i, local) - p).norm() > AWAY)
            };
            let heel = kept.heel[s][i] && gone(planted[s].heel[i], &shapes[s].heel);
            let toe = kept.toe[s][i] && gone(planted[s].toe[i], &shapes[s].toe);
            kept.heel[s][i] &= !heel;
            kept.toe[s][i] &= !toe;
            lost += usize::from(heel) + usize::from(toe);
        }
    }
    (kept, lost)
}

fn moved(path: &FootPath, frame: usize, by: &Vec3) -> Placement {
    let at = path.placement(frame);
    Placement { pos: at.pos + by, ..at }
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
