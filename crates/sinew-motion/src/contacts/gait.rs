//! What contacts say about a gait: shares, landings, flights.
//!
//! Shares of a whole clip depend on where it was cut and how long somebody stood; shares of whole gait cycles do not. A cycle lasts from
//! a landing of a foot to its next, with one landing of the other foot between; cycles longer than one and a half times the median (a
//! stop) are not counted.

use super::{FootContacts, runs};
use serde::Serialize;
use sinew_dynamics::Side;

/// Longest gait cycle, s, and how much longer than the median one may be.
const LONGEST: f64 = 4.0;
const USUAL: f64 = 1.5;

/// When feet are down, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Gait {
    /// Share of all frames in which each foot is down, left and right.
    pub down: [f64; 2],
    /// The same of whole gait cycles; none without any.
    pub down_in_cycles: [Option<f64>; 2],
    /// Mean duration of the gait cycles, s; 0 without any.
    pub cycle_s: f64,
    /// Times that each foot lands.
    pub landings: [usize; 2],
    /// Landings of a foot that landed last, too: steps taken with one foot twice.
    pub repeated_landings: usize,
    /// Times that no foot is down, ends of the clip included.
    pub flights: usize,
    /// The longest of them, s.
    pub longest_flight_s: f64,
}

impl Gait {
    /// What the contacts of a clip say.
    ///
    /// ```
    /// use sinew_dynamics::characters;
    /// use sinew_motion::{contacts::Gait, motions};
    /// let human = std::sync::Arc::new(characters::load("human")?);
    /// let walk = motions::load("start", &human)?;
    /// let gait = Gait::of(walk.contacts.as_ref().unwrap(), walk.rate);
    /// assert_eq!((gait.flights, gait.repeated_landings), (0, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(contacts: &FootContacts, rate: f64) -> Gait {
        let frames = contacts.len();
        let count = |side, range: core::ops::Range<usize>| range.filter(|&k| contacts.down(side, k)).count();
        let lands = |side| contacts.stances(side).into_iter().map(|s| s.start).filter(|&k| k > 0);
        let landed = Side::BOTH.map(|side| lands(side).collect::<Vec<usize>>());
        let mut order: Vec<(usize, usize)> =
            landed.iter().enumerate().flat_map(|(side, all)| all.iter().map(move |&k| (k, side))).collect();
        order.sort_unstable();
        let air = runs(frames, |k| Side::BOTH.iter().all(|&side| !contacts.down(side, k)));
        let mut gait = Gait {
            down: Side::BOTH.map(|side| count(side, 0..frames) as f64 / frames.max(1) as f64),
            landings: landed.each_ref().map(Vec::len),
            repeated_landings: order.windows(2).filter(|w| w[0].1 == w[1].1).count(),
            flights: air.len(),
            longest_flight_s: air.iter().map(|f| f.len()).max().unwrap_or(0) as f64 / rate,
            ..Gait::default()
        };
        let cycles = Gait::cycles(contacts, rate);
        let total: usize = cycles.iter().map(|(_, c)| c.len()).sum();
        if !cycles.is_empty() {
            gait.cycle_s = total as f64 / rate / cycles.len() as f64;
        }
        for side in Side::BOTH {
            let own = cycles.iter().filter(|(s, _)| *s == side);
            let (down, all) = own.fold((0, 0), |(d, a), (_, c)| (d + count(side, c.clone()), a + c.len()));
            gait.down_in_cycles[side as usize] = (all > 0).then(|| down as f64 / all as f64);
        }
        gait
    }

    /// The gait cycles of both feet: from a landing to the frame of the next.
    pub fn cycles(contacts: &FootContacts, rate: f64) -> Vec<(Side, core::ops::Range<usize>)> {
        let landings = |side| -> Vec<usize> {
            contacts.stances(side).into_iter().map(|s| s.start).filter(|&k| k > 0).collect()
        };
        let mut found = Vec::new();
        for (side, other) in [(Side::Left, Side::Right), (Side::Right, Side::Left)] {
            let others = landings(other);
            for pair in landings(side).windows(2) {
                let between = others.iter().filter(|&&k| k > pair[0] && k < pair[1]).count();
                if between == 1 && (pair[1] - pair[0]) as f64 <= LONGEST * rate {
                    found.push((side, pair[0]..pair[1]));
                }
            }
        }
        let mut lengths: Vec<usize> = found.iter().map(|(_, c)| c.len()).collect();
        lengths.sort_unstable();
        let median = lengths.get(lengths.len() / 2).copied().unwrap_or(0) as f64;
        found.retain(|(_, c)| c.len() as f64 <= USUAL * median);
        found
    }
}
