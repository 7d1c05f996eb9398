//! References: from anybody's motion to a clip on a body that a controller can follow.
//!
//! [`fit`] is the one way that the command line, the studio, the lab and programs go: it finds the contacts, retargets, puts
//! the feet on the ground, and tells how faithful the result is. The [`Clip`] that comes out is the reference: configurations, contacts of
//! heel and ball with their levels, and where it comes from. It goes through `.npz` files unharmed.

mod changes;
mod cycle;
mod load;
mod open;
mod plausible;
mod proportions;

pub use changes::{Change, LegChanges};
pub use cycle::{best_cycle, cycle, from_standing, walked};
pub use load::{Reference, ReferenceError, load};
pub use open::open;
pub use plausible::Plausibility;

use crate::cleanup::{self, CleanError, CleanParams, Figures, Grips, Ground, Seen};
use crate::contacts::{self, FoundContacts, Gait};
use crate::retarget::{BoneMap, RetargetError, RetargetOptions, Retargeted, Retargeter};
use crate::{Clip, FootContacts, Take};
use sinew_dynamics::Model;
use std::sync::Arc;

/// Changes of knees, degrees, and of places, m, from which a warning is given.
const KNEE: f64 = 5.0;
const MISSED: f64 = 2e-3;
/// Vertical forces in weights, without and with flights, and distances of the centre of pressure from the soles, m, likewise.
const FORCE: (f64, f64) = (2.0, 4.5);
const PRESSURE: f64 = 0.1;

/// Shares of the time after which retargeting, contacts, and planting are done.
const SHARES: [f64; 3] = [0.2, 0.25, 0.9];

/// What may be chosen.
#[derive(Clone, Debug, Default)]
pub struct FitOptions {
    /// Which joint plays which part; guessed when none.
    pub map: Option<BoneMap>,
    /// Level ground or terrain; guessed when none.
    pub ground: Option<Ground>,
    /// Leaves the feet where retargeting puts them.
    pub no_clean: bool,
    /// What is done about the noise of the capture.
    pub filter: Filter,
    /// Times from and to which both hands hold on, s.
    pub hold_hands: Option<[f64; 2]>,
}

/// A low-pass filter before all else. Captured positions at 120 Hz are noise after two derivatives: forces of several times the weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Filter {
    /// 6 Hz, as gait laboratories do; 12 Hz for motions with flights, whose landings are hard.
    #[default]
    Usual,
    /// This cut-off, Hz.
    At(f64),
    /// None.
    Off,
}

impl Filter {
    /// The cut-off for a motion with flights or without, Hz.
    pub fn cutoff(self, flies: bool) -> Option<f64> {
        match self {
            Filter::Usual => Some(if flies { 12.0 } else { 6.0 }),
            Filter::At(cutoff) => Some(cutoff),
            Filter::Off => None,
        }
    }
}

/// A motion on a body, and how it came about.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The reference.
    pub clip: Clip,
    /// Which joint of the skeleton is which part of the body.
    pub map: BoneMap,
    /// The same motion before the feet were put on the ground.
    pub retargeted: Retargeted,
    /// The contacts of the captured motion, its floor and its flights; none for a figure without two legs.
    pub found: Option<FoundContacts>,
    /// What it stands on.
    pub ground: Ground,
    /// Soles before and after.
    pub before: Figures,
    /// The same after.
    pub after: Figures,
    /// When the feet of the result are down.
    pub gait: Gait,
    /// How far joints of the legs (left, right) are from the captured ones.
    pub changes: [LegChanges; 2],
    /// The force and the pressure that the result implies; none without feet.
    pub plausibility: Option<Plausibility>,
    /// Cut-off of the filter, Hz; none without.
    pub filter_hz: Option<f64>,
    /// Mean angle by which parts were turned by the clean-up, rad.
    pub turned: f64,
    /// Frames of heels that rose because an ankle does not bend far enough.
    pub lost: usize,
    /// Farthest that a touching point of a sole is from its place, m.
    pub missed: f64,
    /// In which frame.
    pub missed_frame: usize,
    /// Farthest that a holding hand was from one place before and after, m.
    pub hands: [f64; 2],
    /// What a user should know, in words.
    pub warnings: Vec<String>,
}

/// Why a motion cannot be put on a body.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// The way from skeleton to body.
    #[error(transparent)]
    Retarget(#[from] RetargetError),
    /// Its feet.
    #[error(transparent)]
    Clean(#[from] CleanError),
}

/// Puts a motion on a body.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{motions, reference::{FitOptions, fit}};
/// let child = std::sync::Arc::new(characters::load("child")?);
/// let walk = motions::load("walk", &child)?.to_take()?; // as if captured
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let fitted = fit(&walk, &human, &FitOptions::default())?;
/// assert!(fitted.clip.contacts.is_some() && fitted.after.skate_worst_mm < 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit(take: &Take, model: &Arc<Model>, options: &FitOptions) -> Result<Fitted, FitError> {
    fit_watched(take, model, options, &|_| {})
}

/// The same; `progress` is told a share from 0 to 1.
///
/// # Errors
/// As [`fit`].
pub fn fit_watched(
    take: &Take,
    model: &Arc<Model>,
    options: &FitOptions,
    progress: &dyn Fn(f64),
) -> Result<Fitted, FitError> {
    progress(0.0);
    let map = options.map.clone().unwrap_or_else(|| BoneMap::guess(&take.skeleton));
    let retargeter = Retargeter::new(take, &map, Arc::clone(model), &RetargetOptions::default())?;
    let retargeted = retargeter.retarget(take)?;
    progress(SHARES[0]);
    let found = contacts::find(take, &map, options.ground);
    progress(SHARES[1]);
    let mut fitted = Fitted {
        clip: retargeted.clip.clone(),
        map,
        ground: found.as_ref().map_or(options.ground.unwrap_or_default(), |f| f.ground),
        found,
        retargeted,
        before: Figures::default(),
        after: Figures::default(),
        gait: Gait::default(),
        changes: Default::default(),
        plausibility: None,
        filter_hz: None,
        turned: 0.0,
        lost: 0,
        missed: 0.0,
        missed_frame: 0,
        hands: [0.0; 2],
        warnings: Vec::new(),
    };
    let Some(found) = &fitted.found else {
        let text = "no two feet were found: they may slide; name them in a map file";
        fitted.warnings.push(text.to_owned());
        return Ok(fitted);
    };
    // contacts that came with the file are better than any guess
    let seen = take.contacts.as_ref().unwrap_or(&found.contacts);
    let contacts = levelled(seen, fitted.ground, fitted.retargeted.scale);
    fitted.gait = Gait::of(&contacts, take.rate);
    let ratio = fitted.retargeted.scale;
    fitted.warnings.extend(proportions::warnings(take, &fitted.map, model, ratio));
    fitted.warnings.extend(proportions::directions(&fitted.retargeted, &fitted.map));
    if options.no_clean {
        fitted.before = cleanup::measure(&fitted.clip, &contacts);
        fitted.after = fitted.before;
        fitted.clip.contacts = Some(contacts);
        fitted.plausibility = Plausibility::of(&fitted.clip);
        return Ok(fitted);
    }
    fitted.filter_hz = options.filter.cutoff(!found.flights.is_empty()).filter(|hz| *hz < 0.5 * take.rate);
    let params = CleanParams { ground: fitted.ground, smooth: fitted.filter_hz };
    let grips = grips(options, &fitted.clip);
    let slides = take.contacts.is_none().then_some(&found.slides);
    let seen = Seen { feet: fitted.retargeted.feet.as_ref(), slides };
    let planting = |share: f64| progress(SHARES[1] + (SHARES[2] - SHARES[1]) * share);
    let cleaned = cleanup::plant(&fitted.clip, &contacts, &grips, &params, seen, &planting)?;
    fitted.changes = changes::of(&fitted.clip, &cleaned.clip);
    fitted.clip = cleaned.clip;
    (fitted.before, fitted.after) = (cleaned.before, cleaned.after);
    (fitted.turned, fitted.lost, fitted.missed) = (cleaned.turned, cleaned.lost, cleaned.missed);
    fitted.missed_frame = cleaned.missed_frame;
    fitted.hands = [cleaned.hands_before, cleaned.hands_after];
    fitted.gait = fitted.clip.contacts.as_ref().map(|c| Gait::of(c, take.rate)).unwrap_or_default();
    fitted.plausibility = Plausibility::of(&fitted.clip);
    fitted.warnings.extend(doubts(&fitted));
    progress(1.0);
    Ok(fitted)
}

/// What is large, in words.
fn doubts(fitted: &Fitted) -> Vec<String> {
    let mut found = Vec::new();
    for (side, changes) in ["left", "right"].iter().zip(&fitted.changes) {
        let knee = changes.knee;
        if knee.size_deg() > KNEE {
            found.push(format!(
                "the {side} knee differs from the captured one by {:.0} to {:.0}° in nine tenths of the frames",
                knee.p5_deg, knee.p95_deg
            ));
        }
    }
    if fitted.missed > MISSED {
        let (mm, frame) = (1e3 * fitted.missed, fitted.missed_frame);
        found.push(format!("joint limits keep a sole {mm:.0} mm from its place in frame {frame}"));
    }
    if fitted.lost > 0 {
        found.push(format!(
            "ankles do not bend far enough: heels are up in {} frames in which they were down",
            fitted.lost
        ));
    }
    let Some(p) = fitted.plausibility else { return found };
    let most = if fitted.gait.flights > 0 { FORCE.1 } else { FORCE.0 };
    if p.force_p1 < -0.1 || p.force_p99 > most {
        found.push(format!(
            "the motion needs vertical forces from {:.1} to {:.1} times the weight; a lower cut-off of the filter may help",
            p.force_p1, p.force_p99
        ));
    }
    if p.pressure_outside_p95_m > PRESSURE {
        let cm = 100.0 * p.pressure_outside_p95_m;
        found.push(format!("the motion needs a centre of pressure up to {cm:.0} cm outside of the soles"));
    }
    found
}

/// Contacts with levels for the body: zero on level ground; on terrain scaled, the lowest twentieth at zero.
fn levelled(contacts: &FootContacts, ground: Ground, scale: f64) -> FootContacts {
    let mut out = contacts.clone();
    let down = |side: usize, k: usize| contacts.heel[side][k] || contacts.toe[side][k];
    let each = |side: usize| {
        (0..contacts.len()).filter(move |&k| down(side, k)).map(move |k| contacts.level[side][k])
    };
    let mut levels: Vec<f64> = (0..2).flat_map(each).collect();
    levels.sort_by(f64::total_cmp);
    let lowest = levels.get(levels.len() / 20).copied().unwrap_or(0.0);
    for side in 0..2 {
        for k in 0..contacts.len() {
            let level = &mut out.level[side][k];
            *level = if ground == Ground::Terrain && down(side, k) { (*level - lowest) * scale } else { 0.0 };
        }
    }
    out
}

/// When hands hold on.
fn grips(options: &FitOptions, clip: &Clip) -> Grips {
    let frame = |t: f64| (libm::round(t * clip.rate).max(0.0) as usize).min(clip.len());
    match options.hold_hands {
        Some([from, to]) => Grips::both(clip.len(), frame(from)..frame(to).saturating_add(1).min(clip.len())),
        None => Grips::none(clip.len()),
    }
}
