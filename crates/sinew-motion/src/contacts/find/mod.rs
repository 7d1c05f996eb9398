//! When feet are on the ground, from the captured motion alone: the rule that everything in this library uses.
//!
//! A captured foot is a heel `h` and a ball `b`, found from ankle, toe and the normal of the sole, low-passed at 6 Hz. It stands while
//! the slower of the two is slow; how slow is measured by the motion itself, as are the levels on which feet stand, so that tilted
//! floors, stairs, other units and noise need no other rule. Motions of less than 100 Hz are looked at between their frames:
//!
//! 1. **Floor** (`floor`): the plane that most slow frames share, if the captured floor is tilted; it is taken out.
//! 2. **Stances** (`stances`): runs of slow frames, each with a level of its own, without knees held up and falls.
//! 3. **Flight** (`flight`): both feet are off the ground only while the centre of mass falls; other gaps are closed.
//! 4. **Rolling** (`rolling`): within a stance, when the heel and when the ball touches.
//!
//! Lengths and speeds scale with the leg λ (thigh and shin): `v < 0.15 max(λ, V)`, where V is the greatest speed of the foot within ±1 s.
//! From 0.12 to 0.20 for 0.15 the share of the stance moves by four hundredths of a gait cycle.
//!
//! The rule of Lee, Kim and Lee 2010 for their fragments is [`annotate`](super::annotate) with their [`Thresholds`](super::Thresholds).

mod flight;
mod floor;
mod foot;
mod rolling;
mod stances;

use crate::cleanup::Ground;
use crate::contacts::ground::Plane;
use crate::filter::{LowPass, acceleration, finer};
use crate::import::{Figure, centres_of_mass};
use crate::retarget::BoneMap;
use crate::{FootContacts, Take};
use core::ops::Range;
use foot::Foot;
use sinew_dynamics::{Role, Side};
use stances::Stance;

/// Motions of fewer frames a second are looked at between their frames, Hz.
const FINE: f64 = 100.0;
/// Standard gravity, m/s².
const GRAVITY: f64 = 9.81;
/// Contacts whose levels are this far apart stand on terrain, leg lengths …
const CLIMB: f64 = 0.105;
/// … if for this long, s, the hip is this much of the leg above the ankle and the foot is this flat, rad.
const FIRM: (f64, f64, f64) = (0.2, 0.85, 0.35);

/// Contacts of a take, and what they stand on.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundContacts {
    /// When heels and balls of the feet touch, and on what level above the floor, in the take's metres.
    pub contacts: FootContacts,
    /// Frames in which a foot is down but slides, per side.
    pub slides: [Vec<bool>; 2],
    /// Level ground or terrain.
    pub ground: Ground,
    /// The captured floor.
    pub floor: Plane,
    /// Frames without a foot on the ground in which the body falls freely.
    pub flights: Vec<Range<usize>>,
    /// Length of thigh and shin, m.
    pub leg: f64,
}

/// What the rule sees of a take: both feet, and how the centre of mass moves.
struct Seen {
    /// Of the paths, which may be finer than the take.
    rate: f64,
    leg: f64,
    feet: [Foot; 2],
    /// Vertical acceleration of the centre of mass below 6 and below 12 Hz, m/s².
    rise: [Vec<f64>; 2],
}

/// Finds the contacts of a take's feet; none when the map has no two legs. `ground` overrides the guess.
///
/// ```
/// use sinew_dynamics::{Side, characters};
/// use sinew_motion::{contacts, motions, retarget::BoneMap};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let mut walk = motions::load("walk", &human)?.to_take()?;
/// let written = walk.contacts.take().unwrap(); // by whoever made the motion
/// let found = contacts::find(&walk, &BoneMap::guess(&walk.skeleton), None).unwrap();
/// let frames = walk.poses.len();
/// let same = (0..frames).filter(|&k| found.contacts.down(Side::Left, k) == written.down(Side::Left, k)).count();
/// assert!(same as f64 > 0.9 * frames as f64, "{same} of {frames}");
/// assert!(found.flights.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find(take: &Take, map: &BoneMap, ground: Option<Ground>) -> Option<FoundContacts> {
    let times = (libm::ceil(FINE / take.rate).max(1.0) as usize).min(16);
    let mut seen = see(take, map, times)?;
    let floor = floor::fit(&seen);
    seen.feet.iter_mut().for_each(|foot| foot.above(&floor));
    let mut stances = [0, 1].map(|side| stances::find(&seen, side));
    let flights = flight::settle(&seen, &mut stances);
    let frames = seen.rise[0].len();
    let mut contacts = FootContacts::none(frames);
    let mut slides = [vec![false; frames], vec![false; frames]];
    for side in Side::BOTH {
        for stance in &stances[side as usize] {
            let (kinds, slid) = rolling::kinds(&seen, side as usize, stance);
            for (frame, kind) in stance.frames.clone().zip(kinds) {
                contacts.set(side, frame, Some(kind), stance.level);
            }
            slides[side as usize][stance.frames.clone()].copy_from_slice(&slid);
            for moved in &stance.moved {
                slides[side as usize][moved.clone()].fill(true);
            }
        }
    }
    let ground = ground.unwrap_or_else(|| guess_ground(&seen, &stances));
    // back to the frames of the take
    let contacts = contacts.picked((0..frames).step_by(times));
    let slides = slides.map(|slid| slid.into_iter().step_by(times).collect());
    let flights = flights.into_iter().map(|f| f.start.div_ceil(times)..f.end.div_ceil(times));
    let flights = flights.filter(|f| !f.is_empty()).collect();
    Some(FoundContacts { contacts, slides, ground, floor, flights, leg: seen.leg })
}

fn see(take: &Take, map: &BoneMap, times: usize) -> Option<Seen> {
    let joints = take.skeleton.joints();
    let at = take.skeleton.placements(&crate::Pose::identity(joints.len()));
    let mut leg = 0.0;
    for side in Side::BOTH {
        let place = |role| map.joint(role).map(|j| at[j].pos);
        let (hip, knee) = (place(Role::Thigh(side))?, place(Role::Shin(side))?);
        leg += 0.5 * ((knee - hip).norm() + (place(Role::Foot(side))? - knee).norm());
    }
    if !(leg > 1e-3) || take.poses.is_empty() {
        return None;
    }
    let (frames, rate) = ((take.poses.len() - 1) * times + 1, take.rate * times as f64);
    let mut filters = foot::Filters {
        quick: LowPass::new(frames, rate, 6.0),
        middle: LowPass::new(frames, rate, 8.0),
        calm: LowPass::new(frames, rate, 3.0),
        rate,
        times,
    };
    let left = Foot::see(take, map, Side::Left, leg, &mut filters)?;
    let right = Foot::see(take, map, Side::Right, leg, &mut filters)?;
    let figure = Figure::of_map(joints, map);
    let centres = finer(&centres_of_mass(take, &figure)?, times);
    let heights: Vec<f64> = centres.iter().map(|c| c.z).collect();
    let rise = [6.0, 12.0].map(|cutoff| {
        let mut smooth = heights.clone();
        LowPass::new(frames, rate, cutoff).numbers(&mut smooth);
        acceleration(&smooth, rate)
    });
    Some(Seen { rate, leg, feet: [left, right], rise })
}

/// Whether feet stand firmly at clearly different heights.
fn guess_ground(seen: &Seen, stances: &[Vec<Stance>; 2]) -> Ground {
    let firm = |foot: &Foot, s: &Stance| {
        let bears = |i: &usize| foot.under_hip[*i] > FIRM.1 * seen.leg && foot.pitch[*i].abs() < FIRM.2;
        s.frames.clone().filter(bears).count() as f64 > FIRM.0 * seen.rate
    };
    let both = stances.iter().zip(&seen.feet).flat_map(|(all, foot)| all.iter().map(move |s| (foot, s)));
    let levels: Vec<f64> = both.filter(|(foot, s)| firm(foot, s)).map(|(_, s)| s.level).collect();
    let (low, high) = levels.iter().fold((f64::MAX, f64::MIN), |(l, h), &x| (l.min(x), h.max(x)));
    if high - low > CLIMB * seen.leg { Ground::Terrain } else { Ground::Flat }
}
