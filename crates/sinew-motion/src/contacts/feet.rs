//! Feet on the ground, frame by frame: which part of which foot, and on what level.

use core::ops::Range;
use serde::{Deserialize, Serialize};
use sinew_dynamics::Side;

/// For each frame, whether heel and ball of each foot are on the ground, and how high that ground is.
///
/// ```
/// use sinew_dynamics::Side;
/// use sinew_motion::{FootContacts, contacts::ContactKind};
/// let mut contacts = FootContacts::none(3);
/// contacts.toe[Side::Right as usize][1] = true;
/// assert!(contacts.down(Side::Right, 1) && !contacts.down(Side::Left, 1));
/// assert_eq!(contacts.kind(Side::Right, 1), Some(ContactKind::Ball));
/// let json = serde_json::to_string(&contacts)?;
/// assert_eq!(json, r#"{"frames":3,"spans":[{"side":"right","kind":"ball","from":1,"to":1,"level":0.0}]}"#);
/// assert_eq!(serde_json::from_str::<FootContacts>(&json)?, contacts);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "Spans", try_from = "Spans")]
pub struct FootContacts {
    /// Per side (left, right) and frame.
    pub heel: [Vec<bool>; 2],
    /// Ball of the foot or toes, per side (left, right) and frame.
    pub toe: [Vec<bool>; 2],
    /// Height of the ground under the foot while it is down, m; 0 in the air. Per side (left, right) and frame.
    pub level: [Vec<f64>; 2],
}

/// How a foot stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContactKind {
    /// On the heel alone: it has landed.
    Heel,
    /// On heel and ball.
    Flat,
    /// On the ball or the toes alone: it pushes off, or runs.
    Ball,
}

/// Frames in which a foot stands in one way on one level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootSpan {
    /// Which foot.
    #[serde(with = "side")]
    pub side: Side,
    /// On what.
    pub kind: ContactKind,
    /// First frame.
    pub from: usize,
    /// Last frame.
    pub to: usize,
    /// Height of the ground, m.
    #[serde(default)]
    pub level: f64,
}

impl FootContacts {
    /// Feet in the air in all of `frames` frames.
    pub fn none(frames: usize) -> FootContacts {
        let feet = || [vec![false; frames], vec![false; frames]];
        FootContacts { heel: feet(), toe: feet(), level: [vec![0.0; frames], vec![0.0; frames]] }
    }

    /// Number of frames.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.heel[0].len()
    }

    /// Whether any part of a foot is on the ground.
    pub fn down(&self, side: Side, frame: usize) -> bool {
        self.heel[side as usize][frame] || self.toe[side as usize][frame]
    }

    /// How a foot stands; none in the air.
    pub fn kind(&self, side: Side, frame: usize) -> Option<ContactKind> {
        match (self.heel[side as usize][frame], self.toe[side as usize][frame]) {
            (true, true) => Some(ContactKind::Flat),
            (true, false) => Some(ContactKind::Heel),
            (false, true) => Some(ContactKind::Ball),
            (false, false) => None,
        }
    }

    /// Lets a foot stand, or fly.
    pub fn set(&mut self, side: Side, frame: usize, kind: Option<ContactKind>, level: f64) {
        let side = side as usize;
        self.heel[side][frame] = matches!(kind, Some(ContactKind::Heel | ContactKind::Flat));
        self.toe[side][frame] = matches!(kind, Some(ContactKind::Ball | ContactKind::Flat));
        self.level[side][frame] = if kind.is_some() { level } else { 0.0 };
    }

    /// Runs of frames in which a foot is down, in order: first frame and the one after the last.
    pub fn stances(&self, side: Side) -> Vec<Range<usize>> {
        runs(self.len(), |frame| self.down(side, frame))
    }

    /// All spans of one kind and level, by side and time.
    pub fn spans(&self) -> Vec<FootSpan> {
        let mut spans: Vec<FootSpan> = Vec::new();
        for side in Side::BOTH {
            for frame in 0..self.len() {
                let Some(kind) = self.kind(side, frame) else { continue };
                let level = self.level[side as usize][frame];
                match spans.last_mut() {
                    Some(last)
                        if last.side == side
                            && last.kind == kind
                            && last.to + 1 == frame
                            && last.level == level =>
                    {
                        last.to = frame;
                    }
                    _ => spans.push(FootSpan { side, kind, from: frame, to: frame, level }),
                }
            }
        }
        spans
    }

    /// The same for a range of frames.
    ///
    /// # Panics
    /// If there are fewer frames.
    pub fn range(&self, frames: Range<usize>) -> FootContacts {
        self.picked(frames)
    }

    /// One frame after the other, each a copy of a frame of this.
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn picked(&self, frames: impl Iterator<Item = usize> + Clone) -> FootContacts {
        let flags =
            |of: &[Vec<bool>; 2]| [0, 1].map(|side| frames.clone().map(|k| of[side][k]).collect::<Vec<_>>());
        FootContacts {
            heel: flags(&self.heel),
            toe: flags(&self.toe),
            level: [0, 1].map(|side| frames.clone().map(|k| self.level[side][k]).collect()),
        }
    }

    /// Appends frames.
    pub fn extend(&mut self, next: &FootContacts) {
        for side in 0..2 {
            self.heel[side].extend_from_slice(&next.heel[side]);
            self.toe[side].extend_from_slice(&next.toe[side]);
            self.level[side].extend_from_slice(&next.level[side]);
        }
    }

    /// Left is right and right is left.
    #[must_use]
    pub fn swapped(mut self) -> FootContacts {
        self.heel.swap(0, 1);
        self.toe.swap(0, 1);
        self.level.swap(0, 1);
        self
    }
}

/// Runs of frames for which something holds: first frame and the one after the last.
pub(crate) fn runs(frames: usize, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < frames {
        let end = (at..frames).find(|&k| !holds(k)).unwrap_or(frames);
        if end > at {
            found.push(at..end);
        }
        at = end + 1;
    }
    found
}

/// The form in files: spans instead of flags.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Spans {
    frames: usize,
    spans: Vec<FootSpan>,
}

impl From<FootContacts> for Spans {
    fn from(contacts: FootContacts) -> Spans {
        Spans { frames: contacts.len(), spans: contacts.spans() }
    }
}

impl TryFrom<Spans> for FootContacts {
    type Error = String;

    fn try_from(file: Spans) -> Result<FootContacts, String> {
        // a number in a file must not decide how much memory is asked for
        const MOST: usize = 100_000_000;
        if file.frames > MOST {
            return Err(format!("contacts of {} frames; at most {MOST}", file.frames));
        }
        let mut contacts = FootContacts::none(file.frames);
        for span in &file.spans {
            if span.from > span.to || span.to >= file.frames {
                return Err(format!(
                    "a contact in frames {} to {} of {} (frames count from 0)",
                    span.from, span.to, file.frames
                ));
            }
            (span.from..=span.to)
                .for_each(|frame| contacts.set(span.side, frame, Some(span.kind), span.level));
        }
        Ok(contacts)
    }
}

/// Sides as words.
mod side {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use sinew_dynamics::Side;

    pub(super) fn serialize<S: Serializer>(side: &Side, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(if *side == Side::Left { "left" } else { "right" })
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Side, D::Error> {
        match String::deserialize(from)?.as_str() {
            "left" => Ok(Side::Left),
            "right" => Ok(Side::Right),
            other => Err(D::Error::custom(format!("\"{other}\" is no side; write \"left\" or \"right\""))),
        }
    }
}
