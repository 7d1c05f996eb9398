//! The tracking controller: law at every frame, correction by real contacts at every step.
//!
//! **Index.** The plan's step (and the paper's) goes from `(q, v)` to `(q⁺, v⁺)` with `q⁺ = q ⊕ Δv` and forces at `q⁺`. The world's step goes from
//! `(q, v)` with forces at `q` to `v⁺`, then `q ⊕ dt v⁺`: its `q` is the plan's `q⁺`. In steps of the plan's length the law is therefore
//! evaluated at the world's own pose; in shorter steps `dt` at the pose `Δ − dt` later, `q ⊕ (Δ − dt) v`. Both are the same formula.
//!
//! Where the clip is in the world: `anchor`. Which frame of it acts: `phase`.

use super::anchor::Anchor;
use super::law::Law;
use super::phase::Phase;
use super::policy::Policy;
use super::{Adaptation, Params, SIGNALS};
use crate::Command;
use crate::controller::{ControlError, ControlStatus, Controller, Start};
use crate::observation::Observation;
use crate::out::Out;
use crate::params::Parameters;
use crate::spacetime::{POINTS, Points};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Model, Scratch, Side, forward_kinematics};
use sinew_motion::Travel;
use std::sync::Arc;

/// A foot with less force on a contact does not stand there, N.
const BEARS: f64 = 5.0;

/// Follows a prepared clip.
#[derive(Clone, Debug)]
pub(super) struct Tracker {
    model: Arc<Model>,
    policy: Arc<Policy>,
    points: Points,
    pub(super) params: Params,
    anchor: Anchor,
    phase: Phase,
    /// When the next frame is due.
    due: f64,
    /// Law of the present frame: torque, `G`.
    torque: Vec<f64>,
    gain: Vec<f64>,
    /// The clip that begins when this one ends, if it is another.
    queued: Option<Arc<Policy>>,
    /// Ends of clips so far.
    cycles: usize,
    /// Torque of the last step.
    applied: Vec<f64>,
    /// Distance of the joints from the plan, root mean square, rad; and what the published weights make of the whole.
    off: f64,
    cost: f64,
    scratch: Scratch<Room>,
}

/// Workspace.
#[derive(Clone, Debug)]
struct Room {
    law: Law,
    q: Vec<f64>,
    v: Vec<f64>,
    ahead: Vec<f64>,
    step: Vec<f64>,
    force: Vec<f64>,
    jacobian: Vec<f64>,
}

impl Tracker {
    pub(super) fn new(
        model: Arc<Model>,
        policy: Arc<Policy>,
        params: Params,
    ) -> Result<Tracker, ControlError> {
        let points = Points::of(&model)?;
        let (nv, na) = (model.nv(), model.nv() - 6);
        Ok(Tracker {
            torque: vec![0.0; nv],
            gain: vec![0.0; nv * na],
            model,
            policy,
            points,
            params,
            anchor: Anchor::NONE,
            phase: Phase::default(),
            due: 0.0,
            queued: None,
            cycles: 0,
            applied: vec![0.0; nv],
            off: 0.0,
            cost: 0.0,
            scratch: Scratch::default(),
        })
    }

    /// Frames until the clip ends.
    pub(super) fn left(&self) -> usize {
        self.policy.frames.len() - self.phase.frame
    }

    /// Ends of clips so far.
    pub(super) fn cycles(&self) -> usize {
        self.cycles
    }

    /// What the published weights make of the distance from the plan.
    pub(super) fn cost(&self) -> f64 {
        self.cost
    }

    /// The heading that the character has, if it follows, when this clip ends.
    pub(super) fn heading_at_end(&self, seen: &Observation<'_>) -> f64 {
        let planned = |q: &[f64]| self.model.heading(q) + self.anchor.travel.yaw;
        let last = &self.policy.frames[self.policy.frames.len() - 1].q;
        let off = self.model.heading(seen.q) - planned(&self.policy.frames[self.phase.frame].q);
        planned(last) + libm::remainder(off, core::f64::consts::TAU)
    }

    /// Another clip begins when this one ends.
    pub(super) fn follow_with(&mut self, next: &Arc<Policy>) {
        self.queued = (!Arc::ptr_eq(next, &self.policy)).then(|| Arc::clone(next));
    }

    /// Another clip is played from now on. The frame stays.
    pub(super) fn become_clip(&mut self, clip: &Arc<Policy>) {
        self.policy = Arc::clone(clip);
    }

    /// γ that acts.
    fn gamma(&self) -> f64 {
        if self.params.gamma < 0.0 { self.policy.readings.gamma } else { self.params.gamma }
    }

    /// How early and how late a landing may come, frames.
    fn window(&self) -> [usize; 2] {
        let said = |x: f64, found: usize| if x < 0.0 { found } else { x as usize };
        let found = &self.policy.readings;
        [said(self.params.early, found.early), said(self.params.late, found.late)]
    }

    /// The first frame.
    fn first(&self) -> usize {
        let (share, count) = (self.params.phase.rem_euclid(1.0), self.policy.frames.len());
        match self.policy.travel {
            Some(_) => (share * count as f64) as usize % count,
            None => 1 + (share * (count - 2) as f64) as usize,
        }
    }

    /// The configuration before a frame, in the axes of the clip.
    fn before(&self, k: usize) -> Vec<f64> {
        let frames = &self.policy.frames;
        match (k, self.policy.travel) {
            (0, Some(travel)) => {
                let mut q = frames[frames.len() - 1].q.clone();
                travel.inverse().apply_to(&self.model, &mut q);
                q
            }
            _ => frames[k.saturating_sub(1)].q.clone(),
        }
    }

    /// Which feet bear force now, and the highest of their contacts.
    fn feel(&self, seen: &Observation<'_>) -> ([bool; 2], [f64; 2]) {
        let (mut loaded, mut height) = ([false; 2], [f64::NEG_INFINITY; 2]);
        for c in seen.contacts {
            for side in 0..2 {
                let own = (2 * side..2 * side + 2).any(|p| self.points.body(p) == BodyId(c.body));
                if own && c.force.z > BEARS {
                    loaded[side] = true;
                    height[side] = height[side].max(c.point.z);
                }
            }
        }
        (loaded, height)
    }

    /// Moves on to the next frame, early or late landings in mind.
    fn advance(&mut self, seen: &Observation<'_>) {
        let (loaded, height) = self.feel(seen);
        let moved = self.phase.look(&self.policy, loaded, self.window());
        if let Some(side) = moved.landed.filter(|_| self.params.follow_height) {
            self.anchor.floor = height[side];
        }
        if moved.by != 1 {
            self.shift(moved.by);
        }
        for _ in 0..moved.by {
            if let (true, Some(travel)) = (self.phase.next(&self.policy), self.policy.travel) {
                self.anchor.travel = travel.then(&self.anchor.travel);
                self.cycles += 1;
                if let Some(next) = self.queued.take() {
                    self.become_clip(&next);
                }
            }
        }
    }

    /// Shifts the anchor along the way so that the character is no farther from the plan than before the jump.
    fn shift(&mut self, by: usize) {
        let Some(root) = self.model.free_root() else { return };
        let (at, n) = (root.q, self.policy.frames.len());
        // where the plan would have been one frame on, and where it is made to be
        let place = |k: usize| {
            let lap = if k >= n { self.policy.travel.unwrap_or(Travel::NONE) } else { Travel::NONE };
            let q = &self.policy.frames[k % n].q;
            lap.apply(&Vec3::new(q[at], q[at + 1], 0.0))
        };
        let moved = place(self.phase.frame + 1) - place(self.phase.frame + by);
        self.anchor.travel.shift += self.anchor.travel.direction(&Vec3::new(moved.x, moved.y, 0.0));
    }

    /// Evaluates the law of the present frame.
    fn decide(&mut self, seen: &Observation<'_>) -> ControlStatus {
        let dt = 1.0 / self.policy.rate;
        let (gamma, kind) = (self.gamma(), self.params.law);
        let symmetric = self.params.adaptation == Adaptation::Symmetric;
        let Tracker { model, policy, points, scratch, phase, anchor, .. } = self;
        let room = scratch.get_or(|| Room::new(model, points));
        room.q.copy_from_slice(seen.q);
        room.v.copy_from_slice(seen.v);
        anchor.to_clip(model, &mut room.q, &mut room.v);
        room.step.iter_mut().zip(&room.v).for_each(|(s, v)| *s = (dt - seen.dt).max(0.0) * v);
        model.integrate(&room.q, &room.step, &mut room.ahead);
        let frame = &policy.frames[phase.frame];
        if !room.law.evaluate(kind, frame, &room.ahead, &room.v, dt, gamma, symmetric) {
            self.torque.fill(0.0);
            self.gain.fill(0.0);
            return ControlStatus::FellBack;
        }
        self.torque.copy_from_slice(&room.law.torque);
        self.gain.copy_from_slice(&room.law.gain);
        if gamma <= 0.0 {
            self.gain.fill(0.0);
        }
        model.difference(&frame.q, &room.ahead, &mut room.step);
        let joints = room.law.joints();
        let sum: f64 = joints.iter().map(|d| room.step[*d] * room.step[*d]).sum();
        self.off = (sum / joints.len().max(1) as f64).sqrt();
        self.cost = room.law.cost(frame, &room.step, &room.v, &self.applied);
        if let Some(root) = model.free_root() {
            let off = Vec3::new(room.step[root.v], room.step[root.v + 1], 0.0);
            anchor.leak(&off, &policy.ways[phase.frame], self.params.leak * dt);
        }
        ControlStatus::Good
    }

    /// Adds `G F` with the real contact forces: those of this step, folded into the contact problem, or those of the last.
    fn correct(&mut self, seen: &Observation<'_>, out: &mut Out<'_>) {
        let Tracker { model, points, scratch, anchor, gain, params, .. } = self;
        let nv = model.nv();
        let Room { law, force, jacobian, .. } = scratch.get_or(|| Room::new(model, points));
        let na = law.joints().len();
        forward_kinematics(model, &mut law.data, seen.q);
        let give = |force: &[f64], i: usize| -> f64 { (0..nv).map(|c| gain[c * na + i] * force[c]).sum() };
        if params.folded {
            let contacts = seen.ahead;
            let g = out.law(contacts.len());
            for (n, c) in contacts.iter().enumerate() {
                law.data.point_jacobian(model, BodyId(c.body), &c.point, jacobian);
                for x in 0..3 {
                    force.iter_mut().zip(jacobian.chunks_exact(3)).for_each(|(o, j)| *o = j[x]);
                    anchor.force_to_clip(model, force);
                    for (i, d) in law.joints().iter().enumerate() {
                        g[(3 * n + x) * nv + d] = give(force, i);
                    }
                }
            }
            return;
        }
        force.fill(0.0);
        for c in seen.contacts {
            law.data.point_jacobian(model, BodyId(c.body), &c.point, jacobian);
            for (o, j) in force.iter_mut().zip(jacobian.chunks_exact(3)) {
                *o += j[0] * c.force.x + j[1] * c.force.y + j[2] * c.force.z;
            }
        }
        anchor.force_to_clip(model, force);
        let torque = out.torque();
        for (i, d) in law.joints().iter().enumerate() {
            torque[*d] += give(force, i);
        }
    }
}

impl Room {
    fn new(model: &Arc<Model>, points: &Points) -> Room {
        let (nq, nv) = (model.nq(), model.nv());
        Room {
            law: Law::new(Arc::clone(model), points.clone()),
            q: vec![0.0; nq],
            v: vec![0.0; nv],
            ahead: vec![0.0; nq],
            step: vec![0.0; nv],
            force: vec![0.0; nv],
            jacobian: vec![0.0; 3 * nv],
        }
    }
}

impl Controller for Tracker {
    /// At the origin, facing along x.
    fn start(&self) -> Start {
        let k = self.first();
        let (mut q, mut v) = (self.before(k), self.policy.frames[k].v.clone());
        if let Some(root) = self.model.free_root() {
            let turn = Travel { yaw: -self.model.heading(&q), shift: Vec3::zeros() };
            turn.apply_to(&self.model, &mut q);
            q[root.q..root.q + 2].fill(0.0);
            let turned = turn.direction(&Vec3::new(v[root.v], v[root.v + 1], v[root.v + 2]));
            v[root.v..root.v + 3].copy_from_slice(turned.as_slice());
        }
        Start { q, v, on_ground: false }
    }

    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        self.phase = Phase::at(&self.policy, self.first());
        (self.due, self.cycles) = (seen.time, 0);
        self.applied.fill(0.0);
        // the clip's frame before the first is where the character is
        let before = self.before(self.phase.frame);
        self.anchor = Anchor { travel: Travel::between(&self.model, &before, seen.q), floor: 0.0 };
        Ok(())
    }

    fn act(&mut self, seen: &Observation<'_>, _: &Command, out: &mut Out<'_>) -> ControlStatus {
        let mut status = ControlStatus::Good;
        let frame = 1.0 / self.policy.rate;
        if seen.time + 0.5 * seen.dt >= self.due {
            if self.due > 0.0 {
                self.advance(seen);
            }
            status = self.decide(seen);
            self.due += frame;
        }
        out.torque().copy_from_slice(&self.torque);
        if self.gamma() > 0.0 {
            self.correct(seen, out);
        }
        self.applied.copy_from_slice(out.torque());
        status
    }

    fn signals(&self, into: &mut Vec<f64>) {
        let Phase { frame, steps, held, .. } = self.phase;
        let phase = frame as f64 / self.policy.frames.len() as f64;
        into.extend([steps as f64, phase, self.off, self.anchor.floor, held as f64, self.cost]);
        debug_assert_eq!(into.len(), SIGNALS.len());
    }

    fn parameters(&mut self, group: &str) -> Option<&mut dyn Parameters> {
        (group == "track").then_some(&mut self.params)
    }
}

const _: () = assert!(POINTS == 2 * Side::BOTH.len());
