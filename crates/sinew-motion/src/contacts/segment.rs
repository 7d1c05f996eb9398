//! Fragments: the pieces of a walk between changes of support (Lee, Kim, Lee 2010, section 3, and their program).
//!
//! The state of a frame is which feet are down. Short double support belongs to the step that follows, short flight to the step
//! before, so that a normal step lasts from one foot's landing to the other's. Fragments are the runs of equal states that
//! remain; the frame at which the state changes belongs to both neighbours.

use super::{FootContacts, FootTracks, Thresholds};
use serde::Serialize;
use sinew_dynamics::Side;

/// Which feet are down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Support {
    /// Both feet are down.
    Double,
    /// The left foot swings.
    LeftSwing,
    /// The right foot swings.
    RightSwing,
    /// No foot is down.
    Flight,
}

/// A piece of a motion with one state of support.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fragment {
    /// Which feet are down.
    pub support: Support,
    /// First frame; also the last of the fragment before.
    pub first: usize,
    /// Last frame; also the first of the fragment after.
    pub last: usize,
    /// Lowest height of either heel after the first frame, m.
    pub ground: f64,
}

/// Which feet are down in a frame.
pub fn support(contacts: &FootContacts, frame: usize) -> Support {
    match (contacts.down(Side::Left, frame), contacts.down(Side::Right, frame)) {
        (true, true) => Support::Double,
        (false, true) => Support::LeftSwing,
        (true, false) => Support::RightSwing,
        (false, false) => Support::Flight,
    }
}

/// Cuts a motion where its support changes.
///
/// ```
/// use sinew_dynamics::spatial::Vec3;
/// use sinew_motion::contacts::{FootContacts, FootTracks, Support, Thresholds, segment};
/// let still = || [vec![Vec3::zeros(); 90], vec![Vec3::zeros(); 90]];
/// let tracks = FootTracks { rate: 30.0, heel: still(), toe: still() };
/// let mut contacts = FootContacts::none(90);
/// contacts.heel[0] = (0..90).map(|k| k < 30 || k > 45).collect();
/// contacts.heel[1] = vec![true; 90];
/// let fragments = segment(&contacts, &tracks, &Thresholds::default());
/// let borders: Vec<_> = fragments.iter().map(|f| (f.support, f.first, f.last)).collect();
/// assert_eq!(borders, [(Support::Double, 0, 30), (Support::LeftSwing, 30, 46), (Support::Double, 46, 89)]);
/// ```
pub fn segment(contacts: &FootContacts, tracks: &FootTracks, thresholds: &Thresholds) -> Vec<Fragment> {
    let frames = contacts.heel[0].len();
    let mut runs: Vec<Run> = Vec::new();
    for k in 0..frames {
        push(&mut runs, Run { state: support(contacts, k), first: k, last: k });
    }
    let least = |seconds: f64| (seconds * tracks.rate).round() as usize;
    let runs = merge(runs, Support::Double, least(thresholds.stop), Toward::Next, thresholds.ends);
    let runs = merge(runs, Support::Flight, least(thresholds.flight), Toward::Previous, thresholds.ends);

    let height = |k: usize| tracks.heel[0][k].z.min(tracks.heel[1][k].z);
    let fragment = |(i, run): (usize, &Run)| {
        let last = runs.get(i + 1).map_or(run.last, |next| next.first);
        let from = (run.first + 1).min(last);
        let ground = (from..=last).map(height).fold(f64::INFINITY, f64::min);
        Fragment { support: run.state, first: run.first, last, ground }
    };
    runs.iter().enumerate().map(fragment).collect()
}

/// Frames of equal state.
#[derive(Clone, Copy, Debug)]
struct Run {
    state: Support,
    first: usize,
    last: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Toward {
    Next,
    Previous,
}

/// Gives runs of `state` that are shorter than `least` frames to a neighbour.
fn merge(runs: Vec<Run>, state: Support, least: usize, toward: Toward, ends: bool) -> Vec<Run> {
    let count = runs.len();
    let short = |i: usize, r: &Run| {
        let inner = i > 0 && i + 1 < count;
        r.state == state && r.last - r.first < least && (inner || ends)
    };
    let mut merged: Vec<Run> = Vec::with_capacity(count);
    for (i, run) in runs.iter().enumerate() {
        let neighbour = match toward {
            _ if !short(i, run) => None,
            Toward::Next => runs.get(i + 1),
            Toward::Previous => merged.last(),
        };
        // at an end of the clip there may be none: the run stays
        let state = neighbour.map_or(run.state, |n| n.state);
        push(&mut merged, Run { state, ..*run });
    }
    merged
}

/// Appends a run, to the last one when the states are equal.
fn push(runs: &mut Vec<Run>, run: Run) {
    match runs.last_mut() {
        Some(last) if last.state == run.state => last.last = run.last,
        _ => runs.push(run),
    }
}
