//! What the preparation hands to run time: the plan and its gains, frame by frame, as bytes.

use super::sweep::Node;
use crate::controller::ControlError;
use crate::spacetime::{Down, Ends, POINTS, Plan, contacts};
use crate::system::{Followed, Order};
use sinew_dynamics::Model;
use sinew_dynamics::spatial::Vec3;
use sinew_motion::{Clip, Travel};
use std::sync::Arc;

const MAGIC: u32 = 0x6e71_7233;

/// Readings that no single value serves for all clips; the preparation chooses them by short simulations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Readings {
    /// Adaptation parameter; 0: none.
    pub(super) gamma: f64,
    /// How much too early, and too late, a landing may be for the phase to follow it, frames.
    pub(super) early: usize,
    pub(super) late: usize,
}

/// A frame of the policy.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) q: Vec<f64>,
    /// Velocity to the frame, and from it.
    pub(super) v: Vec<f64>,
    pub(super) v_next: Vec<f64>,
    pub(super) tau: Vec<f64>,
    pub(super) forces: [Vec3; POINTS],
    pub(super) down: Down,
    pub(super) node: Node,
}

/// A prepared clip.
#[derive(Clone, Debug)]
pub(super) struct Policy {
    pub(super) rate: f64,
    pub(super) travel: Option<Travel>,
    pub(super) readings: Readings,
    /// How long it stood when readings were tried, and could have, s.
    pub(super) margin: [f64; 2],
    pub(super) frames: Vec<Frame>,
    /// The way that it goes, frame by frame.
    pub(super) ways: Vec<Vec3>,
}

impl Policy {
    pub(super) fn of(plan: &Plan, nodes: Vec<Node>, readings: Readings) -> Policy {
        let model = &plan.reference.model;
        let travel = match plan.reference.ends {
            Ends::Cycle(travel) => Some(travel),
            Ends::Open { .. } => None,
        };
        let count = plan.len();
        // an open motion ends with the last frame from which it steps on
        let ends = |k: usize| if travel.is_none() && k + 1 == count { k - 1 } else { k };
        let frames = nodes.into_iter().enumerate().map(|(k, node)| {
            let mut v_next = plan.velocity((k + 1) % count).to_vec();
            match (travel, model.free_root()) {
                (Some(travel), Some(root)) if k + 1 == count => {
                    let at = root.v;
                    let turned = travel.direction(&Vec3::new(v_next[at], v_next[at + 1], v_next[at + 2]));
                    v_next[at..at + 3].copy_from_slice(turned.as_slice());
                }
                (None, _) if k + 1 == count => v_next.fill(0.0),
                _ => {}
            }
            Frame {
                q: plan.configuration(k).to_vec(),
                v: plan.velocity(k).to_vec(),
                v_next,
                tau: plan.torques(k).to_vec(),
                forces: plan.forces[ends(k)],
                down: plan.reference.down[ends(k)],
                node,
            }
        });
        let (frames, ways): (Vec<Frame>, _) = (frames.collect(), Vec::new());
        let policy = Policy { rate: plan.reference.rate, travel, readings, margin: [0.0; 2], frames, ways };
        let ways = super::anchor::ways(&policy, model);
        Policy { ways, ..policy }
    }

    /// The plan as a motion, and which readings were chosen.
    pub(super) fn followed(&self, order: &Order) -> Result<Followed, ControlError> {
        let model = &order.model;
        let mut q: Vec<f64> = self.frames.iter().flat_map(|f| f.q.iter().copied()).collect();
        let mut down: Vec<Down> = self.frames.iter().map(|f| f.down).collect();
        if let Some(travel) = self.travel {
            let mut again = self.frames[0].q.clone();
            travel.apply_to(model, &mut again);
            q.extend(again);
            down.push(down[0]);
        }
        let name = order.clips.first().map_or("plan", |c| &c.name);
        let mut clip = Clip::new(name, Arc::clone(model), self.rate, q)
            .map_err(|e| ControlError::Preparation(e.to_string()))?;
        clip.contacts = Some(contacts(&down));
        let Readings { gamma, early, late } = self.readings;
        let [stood, longest] = self.margin;
        let notes = vec![format!(
            "adaptation γ = {gamma}, landings up to {early} frames early and {late} late; stood {stood:.1} of {longest:.1} s under pushes that grow"
        )];
        Ok(Followed { clip, cycles: self.travel.is_some(), notes })
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut whole = |x: usize| out.extend((x as u64).to_le_bytes());
        whole(MAGIC as usize);
        whole(self.frames.len());
        whole(self.readings.early);
        whole(self.readings.late);
        whole(usize::from(self.travel.is_some()));
        let mut numbers = |list: &[f64]| list.iter().for_each(|x| out.extend(x.to_le_bytes()));
        let travel = self.travel.unwrap_or(Travel::NONE);
        numbers(&self.margin);
        numbers(&[
            self.rate,
            self.readings.gamma,
            travel.yaw,
            travel.shift.x,
            travel.shift.y,
            travel.shift.z,
        ]);
        for f in &self.frames {
            let mask = f.down.map(f64::from);
            numbers(&mask);
            f.forces.iter().for_each(|f| numbers(f.as_slice()));
            let Node { by_place, by_speed, gradient, gain, feedforward } = &f.node;
            for list in [&f.q, &f.v, &f.v_next, &f.tau, by_place, by_speed, gradient, gain, feedforward] {
                numbers(list);
            }
        }
        out
    }

    pub(super) fn read(bytes: &[u8], model: &Model) -> Result<Policy, ControlError> {
        Policy::parse(bytes, model).ok_or_else(|| {
            ControlError::Preparation("what is kept of it is of another body or damaged".into())
        })
    }

    fn parse(bytes: &[u8], model: &Model) -> Option<Policy> {
        let (nq, nv) = (model.nq(), model.nv());
        let root = model.free_root()?.v;
        let joints = (0..nv).filter(|d| d.wrapping_sub(root) >= 6).count();
        let mut words = bytes.chunks_exact(8);
        let mut whole = || Some(u64::from_le_bytes(words.next()?.try_into().ok()?) as usize);
        if whole()? != MAGIC as usize {
            return None;
        }
        let (count, early, late, cycles) = (whole()?, whole()?, whole()?, whole()? != 0);
        let mut rest = words.map(|w| f64::from_le_bytes(w.try_into().expect("eight bytes")));
        let mut take = |n: usize| {
            let list: Vec<f64> = rest.by_ref().take(n).collect();
            (list.len() == n).then_some(list)
        };
        let margin = take(2)?;
        let head = take(6)?;
        let travel = cycles.then(|| Travel { yaw: head[2], shift: Vec3::new(head[3], head[4], head[5]) });
        let mut frames = Vec::with_capacity(count.min(1 << 20));
        for _ in 0..count {
            let mask = take(POINTS)?;
            let down: Down = core::array::from_fn(|p| mask[p] != 0.0);
            let forces = take(3 * POINTS)?;
            let m = joints + 3 * down.iter().filter(|d| **d).count();
            frames.push(Frame {
                down,
                forces: core::array::from_fn(|p| Vec3::from_column_slice(&forces[3 * p..3 * p + 3])),
                q: take(nq)?,
                v: take(nv)?,
                v_next: take(nv)?,
                tau: take(nv)?,
                node: Node {
                    by_place: take(nv * nv)?,
                    by_speed: take(nv * nv)?,
                    gradient: take(nv)?,
                    gain: take(2 * nv * m)?,
                    feedforward: take(m)?,
                },
            });
        }
        let readings = Readings { gamma: head[1], early, late };
        let (margin, ways) = ([margin[0], margin[1]], Vec::new());
        let policy = Policy { rate: head[0], travel, readings, margin, frames, ways };
        let ways = super::anchor::ways(&policy, model);
        Some(Policy { ways, ..policy })
    }
}
