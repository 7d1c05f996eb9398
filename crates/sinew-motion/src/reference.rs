//! References: from anybody's motion to a clip on a body that a controller can follow.
//!
//! [`fit`] is the one way that the command line, the studio, the lab and programs go: it finds the contacts, retargets, puts
//! the feet on the ground, and tells how faithful the result is. The [`Clip`] that comes out is the reference: configurations, contacts of
//! heel and ball with their levels, and where it comes from. It goes through `.npz` files unharmed.

use crate::cleanup::{self, CleanError, CleanParams, Figures, Grips, Ground};
use crate::contacts::{self, FoundContacts, Gait};
use crate::retarget::{BoneMap, RetargetError, RetargetOptions, Retargeted, Retargeter};
use crate::{Clip, Take};
use sinew_dynamics::Model;
use std::sync::Arc;

/// What may be chosen.
#[derive(Clone, Debug, Default)]
pub struct FitOptions {
    /// Which joint plays which part; guessed when none.
    pub map: Option<BoneMap>,
    /// Level ground or terrain; guessed when none.
    pub ground: Option<Ground>,
    /// Leaves the feet where retargeting puts them.
    pub no_clean: bool,
    /// Cut-off of a smoothing before all else, Hz.
    pub smooth: Option<f64>,
    /// Times from and to which both hands hold on, s.
    pub hold_hands: Option<[f64; 2]>,
}

/// A motion on a body, and how it came about.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The reference.
    pub clip: Clip,
    /// Who is who.
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
    /// Mean angle by which parts were turned by the clean-up, rad.
    pub turned: f64,
    /// Frames of contacts that joint limits took.
    pub lost: usize,
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
    let map = options.map.clone().unwrap_or_else(|| BoneMap::guess(&take.skeleton));
    let retargeter = Retargeter::new(take, &map, Arc::clone(model), &RetargetOptions::default())?;
    let retargeted = retargeter.retarget(take)?;
    let mut warnings = Vec::new();
    let found = contacts::find(take, &map, options.ground);
    let Some(seen) = &found else {
        warnings.push("no two feet were found: they may slide; name them in a map file".to_owned());
        let clip = retargeted.clip.clone();
        return Ok(Fitted {
            clip,
            map,
            retargeted,
            found,
            ground: options.ground.unwrap_or_default(),
            before: Figures::default(),
            after: Figures::default(),
            gait: Gait::default(),
            turned: 0.0,
            lost: 0,
            hands: [0.0; 2],
            warnings,
        });
    };
    let ground = seen.ground;
    // contacts that came with the file are better than any guess
    let contacts = take.contacts.as_ref().unwrap_or(&seen.contacts);
    if options.no_clean {
        let mut clip = retargeted.clip.clone();
        let figures = cleanup::measure(&clip, contacts, ground == Ground::Flat);
        let gait = Gait::of(contacts, clip.rate);
        clip.contacts = Some(contacts.clone());
        return Ok(Fitted {
            clip,
            map,
            retargeted,
            found,
            ground,
            before: figures,
            after: figures,
            gait,
            turned: 0.0,
            lost: 0,
            hands: [0.0; 2],
            warnings,
        });
    }
    let params = CleanParams { ground, smooth: options.smooth, ..CleanParams::default() };
    let grips = grips(options, &retargeted.clip);
    let cleaned = cleanup::clean_holding(&retargeted.clip, contacts, &grips, &params)?;
    let gait = cleaned.clip.contacts.as_ref().map(|c| Gait::of(c, cleaned.clip.rate)).unwrap_or_default();
    Ok(Fitted {
        clip: cleaned.clip,
        map,
        retargeted,
        found,
        ground,
        before: cleaned.before,
        after: cleaned.after,
        gait,
        turned: cleaned.turned,
        lost: cleaned.lost,
        hands: [cleaned.hands_before, cleaned.hands_after],
        warnings,
    })
}

/// When hands hold on.
fn grips(options: &FitOptions, clip: &Clip) -> Grips {
    let frame = |t: f64| (libm::round(t * clip.rate).max(0.0) as usize).min(clip.len());
    match options.hold_hands {
        Some([from, to]) => Grips::both(clip.len(), frame(from)..frame(to).saturating_add(1).min(clip.len())),
        None => Grips::none(clip.len()),
    }
}
