//! The reference queue: fragments fed on the fly, bent when the figure lands early, stretched when it lands late.
//!
//! Two time-aligned streams come out of it (Lee, Kim, Lee 2010, their program); the third, the target poses, is the
//! controller's own:
//! - **segment**: fragments set end to end by horizontal translation only, otherwise untouched. For desired velocities, places
//!   and angles.
//! - **stitched**: the same after the warp `M(t) = M'(t) ⊗ (P ⊘ M'(0))^{r(t)}` (equation 6, `r` over the whole fragment) and with
//!   frames appended while a landing is late. The root is shifted horizontally to meet `P`, its height is left alone, and its
//!   orientation returns to that of the data like a joint's.
//!
//! Frames are counted from 0 on without end. The last frame of a fragment is the first of the next.

use super::Node;
use crate::contacts::Support;
use crate::edit::Warp;
use crate::layout::{free_root, vec3_at};
use crate::transition::ease_out;
use crate::{Clip, Travel};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Model, Role, Side};
use std::collections::VecDeque;
use std::sync::Arc;

/// Room for frames that may be appended to a fragment.
const EXTENSION: usize = 64;
/// Frames over which the velocity of an extension is taken.
const WINDOW: usize = 3;

/// Why a queue cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// There is no fragment after the present one.
    #[error("the queue has no next fragment: push one before the present one ends")]
    Empty,
}

/// A fragment in the queue.
#[derive(Clone, Debug)]
struct Queued {
    style: String,
    support: Support,
    ground: f64,
    segment: Vec<f64>,
    stitched: Vec<f64>,
    /// For its contacts.
    clip: Arc<Clip>,
    /// Frames that were appended.
    extended: usize,
}

/// Fragments to be followed, the present one on top.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{graph::{MotionGraph, ReferenceQueue}, motions};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let mut graph = MotionGraph::default();
/// let walk = graph.add(&motions::load("walk", &human)?.resampled(30.0), "walk", true);
/// let mut queue = ReferenceQueue::new(&human);
/// for _ in 0..3 {
///     walk.clone().for_each(|node| queue.push(&graph.nodes()[node]));
/// }
/// let before = queue.stitched(queue.last()).unwrap()[0];
/// assert!(before > 2.0); // three strides ahead
/// let landed = queue.stitched(10).unwrap().to_vec();
/// queue.next(10, &landed)?; // early: the next fragment begins where the figure is
/// assert_eq!(queue.stitched(10).unwrap()[0], landed[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReferenceQueue {
    model: Arc<Model>,
    fragments: VecDeque<Queued>,
    /// Number of the top fragment's first frame.
    first: usize,
    warp: Warp,
    /// Degrees of freedom of both legs.
    legs: [Vec<usize>; 2],
    step: Vec<f64>,
    /// Two frames, and the memory of fragments that are over: once warm nothing is allocated.
    ends: [Vec<f64>; 2],
    spare: Vec<Queued>,
}

impl ReferenceQueue {
    /// An empty queue; its first frame will be number 0.
    pub fn new(model: &Arc<Model>) -> ReferenceQueue {
        let leg = |side| {
            let mut dofs = Vec::new();
            let (mut at, top) = (model.role(Role::Foot(side)), model.role(Role::Pelvis));
            while let Some(body) = at.filter(|b| Some(*b) != top) {
                let joints = model.joints().iter().filter(|j| j.body == body);
                joints.for_each(|j| dofs.extend(j.v..j.v + j.kind.nv()));
                at = model.bodies()[body.0].parent.map(sinew_dynamics::BodyId);
            }
            dofs
        };
        ReferenceQueue {
            fragments: VecDeque::new(),
            first: 0,
            warp: Warp::new(model),
            legs: Side::BOTH.map(leg),
            step: vec![0.0; model.nv()],
            ends: [model.neutral(), model.neutral()],
            spare: Vec::new(),
            model: model.clone(),
        }
    }

    /// Appends a fragment where the queue ends, facing as its clip does.
    pub fn push(&mut self, node: &Node) {
        self.push_turned(node, 0.0);
    }

    /// Appends a fragment where the queue ends, turned about the vertical by `yaw`, so that it faces where it should.
    pub fn push_turned(&mut self, node: &Node, yaw: f64) {
        let nq = self.model.nq();
        let mut queued = self.spare.pop().unwrap_or_else(|| Queued {
            style: String::new(),
            support: node.support,
            ground: node.ground,
            segment: Vec::new(),
            stitched: Vec::new(),
            clip: Arc::clone(&node.clip),
            extended: 0,
        });
        queued.style.clear();
        queued.style.push_str(&node.style);
        (queued.support, queued.ground, queued.extended) = (node.support, node.ground, 0);
        queued.clip = Arc::clone(&node.clip);
        let turn = Travel { yaw, shift: Vec3::zeros() };
        for stream in [&mut queued.segment, &mut queued.stitched] {
            stream.clear();
            stream.reserve(node.clip.as_slice().len() + EXTENSION * nq);
            stream.extend_from_slice(node.clip.as_slice());
            stream.chunks_exact_mut(nq).for_each(|q| turn.apply_to(&self.model, q));
        }
        if let Some(before) = self.fragments.back() {
            let way = |from: &[f64], to: &[f64]| self.horizontal(&from[..nq], &to[to.len() - nq..]);
            let (on, to) = (way(&queued.segment, &before.segment), way(&queued.stitched, &before.stitched));
            self.shift(&mut queued.segment, &on);
            self.shift(&mut queued.stitched, &to);
        }
        self.fragments.push_back(queued);
    }

    /// Number of the last frame there is; 0 when the queue is empty.
    pub fn last(&self) -> usize {
        self.first + self.fragments.iter().map(|f| f.segment.len() / self.model.nq() - 1).sum::<usize>()
    }

    /// First and last frame of the present fragment.
    pub fn present(&self) -> Option<(usize, usize)> {
        let top = self.fragments.front()?;
        Some((self.first, self.first + top.segment.len() / self.model.nq() - 1))
    }

    /// Phase of a frame in the present fragment, from 0 to 1; 1 while it is extended.
    pub fn phase(&self, frame: usize) -> f64 {
        let Some((first, last)) = self.present() else { return 1.0 };
        let own = last - self.fragments[0].extended;
        if own == first { 1.0 } else { (frame as f64 - first as f64) / (own - first) as f64 }.clamp(0.0, 1.0)
    }

    /// Support, style and ground level of the fragment that a frame belongs to; a border belongs to the later one.
    pub fn fragment(&self, frame: usize) -> Option<(Support, &str, f64)> {
        let (fragment, _) = self.find(frame)?;
        Some((fragment.support, &fragment.style, fragment.ground))
    }

    /// Whether heel and toe of each foot (left, right) are down in a frame of the data.
    pub fn down(&self, frame: usize) -> Option<[[bool; 2]; 2]> {
        let (fragment, at) = self.find(frame)?;
        let contacts = fragment.clip.contacts.as_ref()?;
        let at = at.min(contacts.heel[0].len() - 1);
        Some([0, 1].map(|side| [contacts.heel[side][at], contacts.toe[side][at]]))
    }

    /// A frame of the untouched stream.
    pub fn segment(&self, frame: usize) -> Option<&[f64]> {
        let (fragment, at) = self.find(frame)?;
        fragment.segment.chunks_exact(self.model.nq()).nth(at)
    }

    /// A frame of the stream that was warped and extended.
    pub fn stitched(&self, frame: usize) -> Option<&[f64]> {
        let (fragment, at) = self.find(frame)?;
        fragment.stitched.chunks_exact(self.model.nq()).nth(at)
    }

    /// A frame of the present fragment in the untouched stream, both of its ends included.
    pub fn top_segment(&self, frame: usize) -> Option<&[f64]> {
        let at = frame.checked_sub(self.first)?;
        self.fragments.front()?.segment.chunks_exact(self.model.nq()).nth(at)
    }

    /// A frame of the present fragment in the stream that was warped and extended, both of its ends included.
    pub fn top_stitched(&self, frame: usize) -> Option<&[f64]> {
        let at = frame.checked_sub(self.first)?;
        self.fragments.front()?.stitched.chunks_exact(self.model.nq()).nth(at)
    }

    /// Support and ground level of the present fragment, and the frames that were appended to it.
    pub fn top(&self) -> Option<(Support, f64, usize)> {
        self.fragments.front().map(|f| (f.support, f.ground, f.extended))
    }

    /// Number of fragments, the present one included.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.fragments.len()
    }

    fn find(&self, frame: usize) -> Option<(&Queued, usize)> {
        let mut at = frame.checked_sub(self.first)?;
        for (k, fragment) in self.fragments.iter().enumerate() {
            let last = fragment.segment.len() / self.model.nq() - 1;
            let ends = k + 1 == self.fragments.len();
            if at < last || (ends && at == last) {
                return Some((fragment, at));
            }
            at -= last;
        }
        None
    }

    /// Ends the present fragment at a frame, early or on time: the next one begins there, warped to the pose `target`.
    pub fn next(&mut self, frame: usize, target: &[f64]) -> Result<(), QueueError> {
        if self.fragments.len() < 2 {
            return Err(QueueError::Empty);
        }
        let nq = self.model.nq();
        let [mut end, mut start] = core::mem::take(&mut self.ends);
        end.copy_from_slice(self.segment(frame).unwrap_or(target));
        let over = self.fragments.pop_front();
        self.spare.extend(over);
        self.first = frame;
        let on = self.horizontal(&self.fragments[0].segment[..nq], &end);
        let to = self.horizontal(&self.fragments[0].stitched[..nq], target);
        let mut fragments = core::mem::take(&mut self.fragments);
        for fragment in &mut fragments {
            self.shift(&mut fragment.segment, &on);
            self.shift(&mut fragment.stitched, &to);
        }
        // the place was shifted and the height is left alone: only rotations and joints are warped
        let top = &mut fragments[0].stitched;
        start.copy_from_slice(&top[..nq]);
        if let Some((at, _)) = free_root(&self.model) {
            start[at..at + 3].copy_from_slice(&target[at..at + 3]);
        }
        self.warp.set(target, &start);
        let frames = top.len() / nq;
        for (i, q) in top.chunks_exact_mut(nq).enumerate() {
            let x = if frames > 1 { i as f64 / (frames - 1) as f64 } else { 0.0 };
            self.warp.apply(ease_out(x), q);
        }
        self.fragments = fragments;
        self.ends = [end, start];
        Ok(())
    }

    /// Appends a frame to the present fragment, whose landing is late: root and joints go on with the velocity of the last
    /// frames; hip, knee and ankle of the leg that stands stay. In the untouched stream only the root goes on.
    pub fn extend(&mut self) -> Result<(), QueueError> {
        let nq = self.model.nq();
        let [mut now, mut next] = core::mem::take(&mut self.ends);
        let Some(top) = self.fragments.front_mut() else {
            self.ends = [now, next];
            return Err(QueueError::Empty);
        };
        let frames = top.stitched.len() / nq;
        let back = WINDOW.min(frames - 1);
        now.copy_from_slice(&top.stitched[(frames - 1) * nq..]);
        let before = &top.stitched[(frames - 1 - back) * nq..(frames - back) * nq];
        self.model.difference(before, &now, &mut self.step);
        self.step.iter_mut().for_each(|x| *x /= back.max(1) as f64);
        let stands = match top.support {
            Support::LeftSwing => Some(Side::Right),
            Support::RightSwing => Some(Side::Left),
            _ => None,
        };
        if let Some(side) = stands {
            self.legs[side as usize].iter().for_each(|dof| self.step[*dof] = 0.0);
        }
        self.model.integrate(&now, &self.step, &mut next);
        top.stitched.extend_from_slice(&next);
        // in the untouched stream only the root goes on
        let still = &mut now;
        still.copy_from_slice(&top.segment[(frames - 1) * nq..frames * nq]);
        if let Some((at, _)) = free_root(&self.model) {
            let from = &top.segment[(frames - 1 - back) * nq..];
            let pace = (vec3_at(still, at) - vec3_at(from, at)) / back.max(1) as f64;
            let root = vec3_at(still, at) + pace;
            still[at..at + 3].copy_from_slice(root.as_slice());
        }
        top.segment.extend_from_slice(still);
        top.extended += 1;
        // what follows goes along
        let mut fragments = core::mem::take(&mut self.fragments);
        if let Some(following) = fragments.get(1) {
            let on = self.horizontal(&following.segment[..nq], &now);
            let to = self.horizontal(&following.stitched[..nq], &next);
            for fragment in fragments.iter_mut().skip(1) {
                self.shift(&mut fragment.segment, &on);
                self.shift(&mut fragment.stitched, &to);
            }
        }
        self.fragments = fragments;
        self.ends = [now, next];
        Ok(())
    }

    /// The way over the floor from one root to another, without a turn.
    fn horizontal(&self, from: &[f64], to: &[f64]) -> Vec3 {
        free_root(&self.model).map_or_else(Vec3::zeros, |(at, _)| {
            let way = vec3_at(to, at) - vec3_at(from, at);
            Vec3::new(way.x, way.y, 0.0)
        })
    }

    fn shift(&self, frames: &mut [f64], by: &Vec3) {
        if let Some((at, _)) = free_root(&self.model) {
            for q in frames.chunks_exact_mut(self.model.nq()) {
                let root = vec3_at(q, at) + by;
                q[at..at + 3].copy_from_slice(root.as_slice());
            }
        }
    }
}
