//! The motion database: fragments of clips at 30 Hz and the order in which they are played (section 3 of the paper).
//!
//! 1. The clip is taken at 30 frames per second and moved to begin at the origin, facing along x.
//! 2. Where the clip does not say when its feet are down, an ankle stands that is lower than 0.10 m (0.056 m over the level on which it
//!    stands) and slower than 0.40 m/s.
//! 3. Double support shorter than half a second belongs to the step that follows, flight to the one before: a fragment lasts from one
//!    foot's landing to the other's ([`segment`]).
//! 4. A repeated walk uses the cycle of two steps in its middle that closes best; its end is searched within ±10 frames. The remaining
//!    gap is spread over the last third of a second. A heading that changes by less than 15° per cycle counts as straight and is
//!    closed too.

use super::figure::Figure;
use crate::{Choice, ControlError};
use sinew_dynamics::{Data, Side};
use sinew_motion::contacts::{FootTracks, Fragment, Support, Thresholds, annotate, segment};
use sinew_motion::edit::{Warp, cut, moved};
use sinew_motion::graph::Node;
use sinew_motion::transition::ease_out;
use sinew_motion::{Clip, FootContacts, Travel};
use std::ops::Range;
use std::sync::Arc;

/// Frames per second.
pub(super) const RATE: f64 = 30.0;
/// Greatest distance of a cycle's end from the landing that closes it, frames.
const SEARCH: usize = 10;
/// Frames over which the gap of a cycle is spread.
const CLOSING: f64 = 10.0;
/// A cycle that turns by less counts as straight, rad.
const TURN: f64 = 0.26;
/// Ankle height of the authors' figure when standing, and the greatest height of a standing ankle, m.
const STANDS: [f64; 2] = [0.0444, 0.10];

/// How contacts of the feet are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FootRule {
    /// From the clip, if it has contacts; otherwise by low and slow ankles.
    Clip,
    /// By low and slow ankles: the authors' rule.
    Ankles,
}

impl Choice for FootRule {
    const ALL: &'static [FootRule] = &[FootRule::Clip, FootRule::Ankles];
    const NAMES: &'static [&'static str] = &["clip", "ankles"];
}

/// Fragments, and the order in which they are played.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    pub(super) nodes: Vec<Node>,
    /// The fragments that are repeated; `None`: the clip is played once.
    pub(super) cycle: Option<Range<usize>>,
    /// Turn of a cycle, rad.
    pub(super) turn: f64,
    /// Mean speed of the cycle, or of the whole, m/s.
    pub(super) speed: f64,
}

impl Motion {
    /// Fragments of a clip; `repeated`: its middle cycle goes on.
    ///
    /// # Errors
    /// When there are no steps in it.
    pub(super) fn new(
        figure: &Figure,
        clip: &Clip,
        (repeated, rule): (bool, FootRule),
    ) -> Result<Motion, ControlError> {
        let lacks = |what: &str| ControlError::Parameter(format!("the clip \"{}\" {what}", clip.name));
        if clip.model().nq() != figure.model.nq() {
            return Err(lacks("is a motion of another body: put it on this one first"));
        }
        let mut clip = at_origin(&clip.resampled(RATE));
        if rule == FootRule::Ankles {
            clip.contacts = None;
        }
        let (clip, fragments) = fragments(figure, clip);
        let node = |clip: &Clip, f: &Fragment| {
            cut(clip, f.first..=f.last).map(|part| Node::new(part, &clip.name, f.support, f.ground))
        };
        let nodes = |list: &[Fragment]| -> Result<Vec<Node>, ControlError> {
            list.iter().map(|f| node(&clip, f).map_err(|e| ControlError::Parameter(e.to_string()))).collect()
        };
        if !fragments.iter().any(|f| swings(f).is_some()) {
            return Err(lacks("has no step: both feet must take turns on the ground"));
        }
        let whole = Travel::between(clip.model(), clip.frame(0), clip.frame(clip.len() - 1));
        let once = Motion {
            nodes: nodes(&fragments)?,
            cycle: None,
            turn: 0.0,
            speed: whole.shift.norm() / clip.duration(),
        };
        if !repeated {
            return Ok(once);
        }
        let Some((at, end)) = best_cycle(figure, &clip, &fragments) else {
            return Err(lacks("has no two steps of both feet that could be repeated"));
        };
        let (first, middle) = (fragments[at].first, fragments[at].last);
        let (cycle, turn) = closed(&clip, first, end);
        let halves = [
            Fragment { first: 0, last: middle - first, ..fragments[at] },
            Fragment { first: middle - first, last: end - first, ..fragments[at + 1] },
        ];
        let mut all = nodes(&fragments[..at])?;
        for half in &halves {
            all.push(node(&cycle, half).map_err(|e| ControlError::Parameter(e.to_string()))?);
        }
        let way = Travel::between(cycle.model(), cycle.frame(0), cycle.frame(cycle.len() - 1)).shift;
        let speed = way.norm() / cycle.duration();
        Ok(Motion { nodes: all, cycle: Some(at..at + 2), turn, speed })
    }

    /// The first pose.
    pub(super) fn start(&self) -> &[f64] {
        self.nodes[0].clip.frame(0)
    }
}

/// The legs that swing in a fragment.
pub(super) fn swings(fragment: &Fragment) -> Option<Side> {
    swinging(fragment.support)
}

/// The swinging legs.
pub(super) fn swinging(support: Support) -> Option<Side> {
    match support {
        Support::LeftSwing => Some(Side::Left),
        Support::RightSwing => Some(Side::Right),
        Support::Double | Support::Flight => None,
    }
}

/// The clip with its first frame at the origin and facing along x; heights stay.
fn at_origin(clip: &Clip) -> Clip {
    let model = clip.model();
    moved(clip, &Travel::between(model, clip.frame(0), &model.neutral()))
}

/// The clip with contacts, and its fragments.
fn fragments(figure: &Figure, mut clip: Clip) -> (Clip, Vec<Fragment>) {
    let mut data = Data::new(clip.model());
    let mut heel = [Vec::new(), Vec::new()];
    for q in clip.frames() {
        figure.look_at(&mut data, q);
        for side in Side::BOTH {
            heel[side as usize].push(figure.ankle(&data, side));
        }
    }
    let tracks = FootTracks { rate: clip.rate, toe: heel.clone(), heel };
    let height = figure.legs[0].height + figure.size() * (STANDS[1] - STANDS[0]);
    let walk = Thresholds { height: Some(height), ..Thresholds::lee2010_walk() };
    let contacts: FootContacts = clip.contacts.take().unwrap_or_else(|| annotate(&tracks, &walk));
    let mut found = segment(&contacts, &tracks, &walk);
    // the landing that ends a clip belongs to the step before
    found.retain(|f| f.last > f.first);
    clip.contacts = Some(contacts);
    (clip, found)
}

/// The two steps whose end is most similar to their beginning: index of the first, and the last frame.
fn best_cycle(figure: &Figure, clip: &Clip, fragments: &[Fragment]) -> Option<(usize, usize)> {
    let pair = |k: &usize| match (swings(&fragments[*k]), swings(&fragments[*k + 1])) {
        (Some(a), Some(b)) => a != b,
        _ => false,
    };
    let pairs: Vec<usize> = (0..fragments.len().saturating_sub(1)).filter(pair).collect();
    // the first and the last steps start and stop
    let inner: Vec<usize> = match pairs.len() {
        0..=2 => pairs,
        n => pairs[1..n - 1].to_vec(),
    };
    let mut likeness = Likeness::new(figure);
    let candidates = inner.into_iter().flat_map(|k| {
        let (landing, begins) = (fragments[k + 1].last, fragments[k].last);
        let last = (landing + SEARCH).min(clip.len() - 2);
        (landing.saturating_sub(SEARCH).max(begins + SEARCH)..=last).map(move |end| (k, end))
    });
    candidates.min_by(|a, b| {
        let mut cost = |(k, end): (usize, usize)| likeness.cost(clip, fragments[k].first, end);
        cost(*a).total_cmp(&cost(*b))
    })
}

/// Distance between two frames: positions of body parts in the heading of the root, now and in the next frame.
struct Likeness<'a> {
    figure: &'a Figure,
    data: Data,
}

impl<'a> Likeness<'a> {
    fn new(figure: &'a Figure) -> Likeness<'a> {
        Likeness { figure, data: Data::new(&figure.model) }
    }

    fn cost(&mut self, clip: &Clip, a: usize, b: usize) -> f64 {
        let model = Arc::clone(&self.figure.model);
        let mut places = |frame: usize, from: usize| {
            let mut q = clip.frame(frame).to_vec();
            let home = Travel::between(&model, clip.frame(from), &model.neutral());
            home.apply_to(&model, &mut q);
            self.figure.look_at(&mut self.data, &q);
            (0..model.bodies().len())
                .map(|k| self.data.body_placement(&model, sinew_dynamics::BodyId(k)).pos)
                .collect::<Vec<_>>()
        };
        [0, 1]
            .into_iter()
            .map(|next| {
                let (x, y) = (places(a + next, a), places(b + next, b));
                x.iter().zip(&y).map(|(x, y)| (x - y).norm()).sum::<f64>()
            })
            .sum()
    }
}

/// Frames `first` to `last`, adjusted at the end so that the last equals the first, moved; and the turn of the cycle.
fn closed(clip: &Clip, first: usize, last: usize) -> (Clip, f64) {
    let model = Arc::clone(clip.model());
    let mut cycle = cut(clip, first..=last).unwrap_or_else(|_| clip.clone());
    let end = cycle.len() - 1;
    let (from, to) = (cycle.frame(0).to_vec(), cycle.frame(end).to_vec());
    let mut way = Travel::between(&model, &from, &to);
    if way.yaw.abs() < TURN {
        let straight = to[0] - from[0];
        way = Travel { yaw: 0.0, shift: [straight, to[1] - from[1], 0.0].into() };
    }
    let mut closing = from;
    way.apply_to(&model, &mut closing);
    let mut warp = Warp::new(&model);
    warp.set(&closing, &to);
    for k in 0..=end {
        warp.apply(ease_out((end - k) as f64 / CLOSING), cycle.frame_mut(k));
    }
    cycle.frame_mut(end).copy_from_slice(&closing);
    (cycle, way.yaw)
}
