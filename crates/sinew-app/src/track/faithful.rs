//! Errors of a run relative to the motion that it follows.

use serde::Serialize;
use sinew::control::{Episode, Followed, Meaning, Order};
use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{BodyId, JointKind, Role, Side};
use sinew::motion::Travel;

/// A touch counts as a landing if the foot was in the air for at least this time, s.
const AIR: f64 = 0.08;

/// Means and worst values over a run.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Faithful {
    /// Angle between a joint of the run and the same of the motion at the same phase, degrees.
    pub(super) joints_deg: f64,
    pub(super) joints_worst_deg: f64,
    /// Horizontal distance of the root from the motion's, m.
    pub(super) path_m: f64,
    pub(super) path_worst_m: f64,
    pub(super) heading_deg: f64,
    pub(super) heading_worst_deg: f64,
    /// Time between a foot's landing and that of the motion.
    pub(super) landings_ms: f64,
    pub(super) landings_worst_ms: f64,
    pub(super) landings: usize,
}

/// Watches a run.
pub(super) struct Judge<'a> {
    followed: &'a Followed,
    order: &'a Order,
    /// Index of the phase among the signals.
    phase: Option<usize>,
    last: f64,
    cycles: i64,
    start: Option<Travel>,
    feet: [Option<BodyId>; 2],
    /// Time at which each foot left the ground, s.
    since: [Option<f64>; 2],
    error: Vec<f64>,
    count: usize,
    sums: Faithful,
}

impl<'a> Judge<'a> {
    pub(super) fn new(followed: &'a Followed, order: &'a Order) -> Judge<'a> {
        let model = followed.clip.model();
        Judge {
            phase: order.system.signals().position(|s| s.meaning == Some(Meaning::Phase)),
            followed,
            order,
            last: 0.0,
            cycles: 0,
            start: None,
            feet: Side::BOTH.map(|s| model.role(Role::Foot(s))),
            since: [None; 2],
            error: vec![0.0; model.nv()],
            count: 0,
            sums: Faithful::default(),
        }
    }

    /// Looks at the state after a step.
    pub(super) fn see(&mut self, episode: &Episode) {
        let Some(phase) = self.phase.and_then(|k| episode.signals().get(k)).copied() else { return };
        let clip = &self.followed.clip;
        let model = clip.model();
        if self.count > 0 && phase < self.last - 0.5 {
            self.cycles += 1;
        }
        self.last = phase;
        let frames = clip.len() - 1;
        let frame = ((phase * frames as f64).round() as usize).min(frames);
        let way = Travel::between(model, clip.frame(0), clip.frame(frames)).power(self.cycles);
        let mut plan = clip.frame(frame).to_vec();
        way.apply_to(model, &mut plan);
        let start = *self.start.get_or_insert_with(|| Travel::between(model, &plan, episode.q()));
        start.apply_to(model, &mut plan);
        model.difference(&plan, episode.q(), &mut self.error);
        self.count += 1;
        let mut joints = (0.0, 0.0_f64, 0.0);
        for joint in model.joints().iter().filter(|j| j.kind != JointKind::Free) {
            let part = &self.error[joint.v..joint.v + joint.kind.nv()];
            let angle = part.iter().map(|e| e * e).sum::<f64>().sqrt().to_degrees();
            joints = (joints.0 + angle, joints.1.max(angle), joints.2 + 1.0);
        }
        let s = &mut self.sums;
        s.joints_deg += joints.0 / f64::max(joints.2, 1.0);
        s.joints_worst_deg = s.joints_worst_deg.max(joints.1);
        if let Some(root) = model.free_root() {
            let off = Vec3::new(self.error[root.v], self.error[root.v + 1], 0.0).norm();
            s.path_m += off;
            s.path_worst_m = s.path_worst_m.max(off);
            let turn = model.heading(episode.q()) - model.heading(&plan);
            let turn = turn.sin().atan2(turn.cos()).abs().to_degrees();
            s.heading_deg += turn;
            s.heading_worst_deg = s.heading_worst_deg.max(turn);
        }
        self.landings(episode, frame);
    }

    /// Feet that land in this step, and how far from the motion's nearest landing.
    fn landings(&mut self, episode: &Episode, frame: usize) {
        let clip = &self.followed.clip;
        let time = episode.world().time();
        let Some(contacts) = &clip.contacts else { return };
        for (k, side) in Side::BOTH.into_iter().enumerate() {
            let foot = self.feet[k];
            let felt = episode.world().report().contacts(episode.actor());
            let bears = felt.iter().any(|c| Some(BodyId(c.body)) == foot && c.force.z > 20.0);
            let since = *self.since[k].get_or_insert(time);
            if !bears {
                continue;
            }
            self.since[k] = None;
            if time - since < AIR || self.order.clips.is_empty() {
                continue;
            }
            let frames = clip.len() - 1;
            let lands = |at: usize| {
                let before = if at > 0 { at - 1 } else { frames - 1 };
                contacts.down(side, at) && !contacts.down(side, before)
            };
            let apart = |at: usize| {
                let d = at.abs_diff(frame);
                if self.followed.cycles { d.min(frames - d) } else { d }
            };
            if let Some(off) = (0..frames).filter(|at| lands(*at)).map(apart).min() {
                let ms = 1e3 * off as f64 / clip.rate;
                self.sums.landings_ms += ms;
                self.sums.landings_worst_ms = self.sums.landings_worst_ms.max(ms);
                self.sums.landings += 1;
            }
        }
    }

    pub(super) fn finish(self) -> Faithful {
        let n = self.count.max(1) as f64;
        let s = self.sums;
        Faithful {
            joints_deg: s.joints_deg / n,
            path_m: s.path_m / n,
            heading_deg: s.heading_deg / n,
            landings_ms: s.landings_ms / s.landings.max(1) as f64,
            ..s
        }
    }
}
