//! The tracking controller: phase, anchor, law at every frame, correction by real contacts at every step.
//!
//! **Index.** The plan's step (and the paper's) goes from `(q, v)` to `(q⁺, v⁺)` with `q⁺ = q ⊕ Δv` and forces at `q⁺`. The world's step goes from
//! `(q, v)` with forces at `q` to `v⁺`, then `q ⊕ dt v⁺`: its `q` is the plan's `q⁺`. In steps of the plan's length the law is therefore
//! evaluated at the world's own pose; in shorter steps `dt` at the pose `Δ − dt` later, `q ⊕ (Δ − dt) v`. Both are the same formula.
//!
//! **Anchor.** The clip has a frame of its own; the anchor moves it to where the character is. At the end of a cycle it goes on by the
//! cycle's travel. Sideways it leaks towards the character: a plan corrects a sideways error with lateral forces that a foot cannot give,
//! which ends walks at large γ.

use super::law::Law;
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

/// Follows a prepared clip.
#[derive(Clone, Debug)]
pub(super) struct Tracker {
    model: Arc<Model>,
    policy: Arc<Policy>,
    points: Points,
    pub(super) params: Params,
    anchor: Travel,
    /// Height of the ground under the clip.
    floor: f64,
    /// The frame of the law that acts now, and when the next one is due.
    phase: usize,
    due: f64,
    cycles: usize,
    steps: usize,
    /// Whether each foot bore force at the last step, and how long the phase has been held, frames.
    loaded: [bool; 2],
    held: usize,
    /// Law of the present frame: torque, `G`.
    torque: Vec<f64>,
    gain: Vec<f64>,
    law: Scratch<Law>,
    /// Mean distance from the plan, for signals: joints, rad.
    off: f64,
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
            anchor: Travel::NONE,
            floor: 0.0,
            phase: 0,
            due: 0.0,
            cycles: 0,
            steps: 0,
            loaded: [true; 2],
            held: 0,
            law: Scratch::default(),
            off: 0.0,
        })
    }

    fn count(&self) -> usize {
        self.policy.frames.len()
    }

    /// γ that acts.
    fn gamma(&self) -> f64 {
        if self.params.gamma < 0.0 { self.policy.readings.gamma } else { self.params.gamma }
    }

    /// How early and how late a landing may come, frames.
    fn window(&self) -> (usize, usize) {
        let said = |x: f64, found: usize| if x < 0.0 { found } else { x as usize };
        let found = &self.policy.readings;
        (said(self.params.early, found.early), said(self.params.late, found.late))
    }

    /// The first frame.
    fn first(&self) -> usize {
        let share = self.params.phase.rem_euclid(1.0);
        match self.policy.travel {
            Some(_) => (share * self.count() as f64) as usize % self.count(),
            None => 1,
        }
    }

    /// The configuration before a frame, in the axes of the clip.
    fn before(&self, k: usize) -> Vec<f64> {
        let frames = &self.policy.frames;
        match (k, self.policy.travel) {
            (0, Some(travel)) => {
                let mut q = frames[self.count() - 1].q.clone();
                travel.inverse().apply_to(&self.model, &mut q);
                q
            }
            _ => frames[k.saturating_sub(1)].q.clone(),
        }
    }

    /// Configuration and velocity in the axes of the clip.
    fn in_clip(&self, q: &[f64], v: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut q, mut v) = (q.to_vec(), v.to_vec());
        let back = self.anchor.inverse();
        back.apply_to(&self.model, &mut q);
        if let Some(root) = self.model.free_root() {
            q[root.q + 2] -= self.floor;
            let turned = back.direction(&Vec3::new(v[root.v], v[root.v + 1], v[root.v + 2]));
            v[root.v..root.v + 3].copy_from_slice(turned.as_slice());
        }
        (q, v)
    }

    /// Which feet bear force now, and the highest of their contacts.
    fn feel(&self, seen: &Observation<'_>) -> ([bool; 2], [f64; 2]) {
        let (mut loaded, mut height) = ([false; 2], [f64::NEG_INFINITY; 2]);
        for c in seen.contacts {
            for side in 0..2 {
                let own = (2 * side..2 * side + 2).any(|p| self.points.body(p) == BodyId(c.body));
                if own && c.force.z > 5.0 {
                    loaded[side] = true;
                    height[side] = height[side].max(c.point.z);
                }
            }
        }
        (loaded, height)
    }

    /// Whether a foot of the plan is down at a frame.
    fn planned_down(&self, side: usize, k: usize) -> bool {
        let down = &self.policy.frames[k].down;
        down[2 * side] || down[2 * side + 1]
    }

    /// The frame in which a foot of the plan lands next after `k`, and how far ahead; only when it is in the air at `k`.
    fn landing(&self, side: usize, k: usize) -> Option<usize> {
        if self.planned_down(side, k) {
            return None;
        }
        let n = self.count();
        let most = if self.policy.travel.is_some() { n } else { n - k };
        (1..most).find(|ahead| self.planned_down(side, (k + ahead) % n))
    }

    /// Moves on to the next frame, early or late landings in mind.
    fn advance(&mut self, seen: &Observation<'_>, q: &[f64]) {
        let (loaded, height) = self.feel(seen);
        let before = self.loaded;
        self.loaded = loaded;
        let mut ahead = 1;
        for side in 0..2 {
            let landed = loaded[side] && !before[side];
            if landed {
                self.steps += 1;
                if self.params.follow_height {
                    self.floor = height[side];
                }
            }
            let Some(left) = self.landing(side, self.phase) else { continue };
            let (early, late) = self.window();
            if landed && left > 1 && left <= early {
                ahead = ahead.max(left);
            } else if left == 1 && !loaded[side] && self.held < late {
                ahead = 0;
            }
        }
        self.held = if ahead == 0 { self.held + 1 } else { 0 };
        if ahead != 1 {
            self.shift(seen, q, ahead);
        }
        for _ in 0..ahead {
            self.next();
        }
    }

    /// Shifts the anchor along the way so that the character is no farther from the plan than before the jump.
    fn shift(&mut self, seen: &Observation<'_>, q: &[f64], ahead: usize) {
        let _ = (seen, q);
        let Some(root) = self.model.free_root() else { return };
        let (at, n) = (root.q, self.count());
        // where the plan would have been one frame on, and where it is made to be
        let place = |k: usize| {
            let lap = if k >= n { self.policy.travel.unwrap_or(Travel::NONE) } else { Travel::NONE };
            let q = &self.policy.frames[k % n].q;
            lap.apply(&Vec3::new(q[at], q[at + 1], 0.0))
        };
        let moved = place(self.phase + 1) - place(self.phase + ahead);
        let moved = self.anchor.direction(&Vec3::new(moved.x, moved.y, 0.0));
        self.anchor.shift += moved;
    }

    fn next(&mut self) {
        self.phase += 1;
        if self.phase + usize::from(self.policy.travel.is_none()) < self.count() {
            return;
        }
        match self.policy.travel {
            Some(travel) => {
                self.phase = 0;
                self.cycles += 1;
                self.anchor = travel.then(&self.anchor);
            }
            // the last frame from which the plan steps on: it stands there
            None => self.phase = self.count() - 2,
        }
    }

    /// Lets the anchor follow the character sideways.
    fn leak(&mut self, q: &[f64], dt: f64) {
        let Some(root) = self.model.free_root() else { return };
        let plan = &self.policy.frames[self.phase].q;
        let way = self.policy.travel.map_or(Vec3::x(), |t| t.shift);
        let along = Vec3::new(way.x, way.y, 0.0).try_normalize(0.05).unwrap_or(Vec3::x());
        let off = Vec3::new(q[root.q] - plan[root.q], q[root.q + 1] - plan[root.q + 1], 0.0);
        let aside = off - along * off.dot(&along);
        let share = (self.params.leak * dt).min(1.0);
        self.anchor.shift += self.anchor.direction(&(aside * share));
    }

    /// Evaluates the law of the present frame.
    fn decide(&mut self, seen: &Observation<'_>) -> ControlStatus {
        let dt = 1.0 / self.policy.rate;
        let (q, v) = self.in_clip(seen.q, seen.v);
        let later: Vec<f64> = v.iter().map(|v| (dt - seen.dt).max(0.0) * v).collect();
        let mut ahead = q.clone();
        self.model.integrate(&q, &later, &mut ahead);
        let (gamma, kind) = (self.gamma(), self.params.law);
        let symmetric = self.params.adaptation == Adaptation::Symmetric;
        let frame = &self.policy.frames[self.phase];
        let (model, points) = (&self.model, &self.points);
        let law = self.law.get_or(|| Law::new(model.clone(), points.clone()));
        if !law.evaluate(kind, frame, &ahead, &v, dt, gamma, symmetric) {
            self.torque.fill(0.0);
            self.gain.fill(0.0);
            return ControlStatus::FellBack;
        }
        self.torque.copy_from_slice(&law.torque);
        self.gain.copy_from_slice(&law.gain);
        if gamma <= 0.0 {
            self.gain.fill(0.0);
        }
        let mut error = vec![0.0; self.model.nv()];
        self.model.difference(&frame.q, &ahead, &mut error);
        self.off = (law.joints().iter().map(|d| error[*d] * error[*d]).sum::<f64>()
            / law.joints().len().max(1) as f64)
            .sqrt();
        self.leak(&ahead, dt);
        ControlStatus::Good
    }
}

impl Controller for Tracker {
    fn start(&self) -> Start {
        let k = self.first();
        let mut q = self.before(k);
        let v = self.policy.frames[k].v.clone();
        let (here, v) = self.facing(&mut q, v);
        let _ = here;
        Start { q, v, on_ground: false }
    }

    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        self.phase = self.first();
        (self.due, self.cycles, self.steps, self.held) = (seen.time, 0, 0, 0);
        // the clip's frame before the first is where the character is
        let before = self.before(self.phase);
        self.anchor = Travel::between(&self.model, &before, seen.q);
        self.floor = 0.0;
        self.loaded = [0, 1].map(|side| self.planned_down(side, self.phase));
        Ok(())
    }

    fn act(&mut self, seen: &Observation<'_>, _: &Command, out: &mut Out<'_>) -> ControlStatus {
        let mut status = ControlStatus::Good;
        let frame = 1.0 / self.policy.rate;
        if seen.time + 0.5 * seen.dt >= self.due {
            if self.due > 0.0 {
                let (q, _) = self.in_clip(seen.q, seen.v);
                self.advance(seen, &q);
            }
            status = self.decide(seen);
            self.due += frame;
        }
        out.torque().copy_from_slice(&self.torque);
        if self.gamma() > 0.0 {
            self.correct(seen, out);
        }
        status
    }

    fn signals(&self, into: &mut Vec<f64>) {
        let phase = self.phase as f64 / self.count() as f64;
        into.extend([self.steps as f64, phase, self.off, self.floor, self.held as f64]);
        debug_assert_eq!(into.len(), SIGNALS.len());
    }

    fn parameters(&mut self, group: &str) -> Option<&mut dyn Parameters> {
        (group == "track").then_some(&mut self.params)
    }
}

impl Tracker {
    /// A state at the origin, facing along x.
    fn facing(&self, q: &mut [f64], mut v: Vec<f64>) -> (Travel, Vec<f64>) {
        let to = Travel::between(&self.model, q, &{
            let mut there = q.to_vec();
            if let Some(root) = self.model.free_root() {
                there[root.q..root.q + 2].fill(0.0);
                let heading = self.model.heading(q);
                Travel { yaw: -heading, shift: Vec3::zeros() }.apply_to(&self.model, &mut there);
                there[root.q..root.q + 2].fill(0.0);
            }
            there
        });
        to.apply_to(&self.model, q);
        if let Some(root) = self.model.free_root() {
            let turned = to.direction(&Vec3::new(v[root.v], v[root.v + 1], v[root.v + 2]));
            v[root.v..root.v + 3].copy_from_slice(turned.as_slice());
        }
        (to, v)
    }

    /// Adds `G F` with the real contact forces: those of this step, folded into the contact problem, or those of the last.
    fn correct(&mut self, seen: &Observation<'_>, out: &mut Out<'_>) {
        let nv = self.model.nv();
        let (model, points) = (&self.model, &self.points);
        let law = self.law.get_or(|| Law::new(model.clone(), points.clone()));
        let joints = law.joints().to_vec();
        let na = joints.len();
        forward_kinematics(model, &mut law.data, seen.q);
        let mut jacobian = vec![0.0; 3 * nv];
        let give = |force: &[f64], i: usize, gain: &[f64]| -> f64 {
            (0..nv).map(|c| gain[c * na + i] * force[c]).sum()
        };
        let mut column = vec![0.0; nv];
        if self.params.folded {
            let contacts = seen.ahead;
            let g = out.law(contacts.len());
            for (n, c) in contacts.iter().enumerate() {
                law.data.point_jacobian(model, BodyId(c.body), &c.point, &mut jacobian);
                for x in 0..3 {
                    column.iter_mut().zip(jacobian.chunks_exact(3)).for_each(|(o, j)| *o = j[x]);
                    turn_back(model, &self.anchor, &mut column);
                    for (i, d) in joints.iter().enumerate() {
                        g[(3 * n + x) * nv + d] = give(&column, i, &self.gain);
                    }
                }
            }
            return;
        }
        column.fill(0.0);
        for c in seen.contacts {
            law.data.point_jacobian(model, BodyId(c.body), &c.point, &mut jacobian);
            for (o, j) in column.iter_mut().zip(jacobian.chunks_exact(3)) {
                *o += j[0] * c.force.x + j[1] * c.force.y + j[2] * c.force.z;
            }
        }
        turn_back(model, &self.anchor, &mut column);
        let torque = out.torque();
        for (i, d) in joints.iter().enumerate() {
            torque[*d] += give(&column, i, &self.gain);
        }
    }
}

/// A generalised force in the axes of the clip: only the root's translation knows them.
fn turn_back(model: &Model, anchor: &Travel, force: &mut [f64]) {
    if let Some(root) = model.free_root() {
        let at = root.v;
        let turned = anchor.inverse().direction(&Vec3::new(force[at], force[at + 1], force[at + 2]));
        force[at..at + 3].copy_from_slice(turned.as_slice());
    }
}

const _: () = assert!(POINTS == 2 * Side::BOTH.len());
