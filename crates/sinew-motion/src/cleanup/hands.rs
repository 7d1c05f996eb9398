//! Hands that hold on: to a bar, a rail, the ground.
//!
//! Captured hands on a bar wander by centimetres, and arms of other lengths add to that; a hand that swings back while its owner walks
//! on stays in place for half a second without holding anything. So grips are not guessed but given. For as long as a grip lasts,
//! the hand has one place, the mean of where it was. The body follows its hands (the root moves by the mean of what they miss, smoothly), and analytic IK of the arms does the rest; before and
//! after, corrections fade.

use super::foot::paths;
use super::smooth::{bridge, spline};
use crate::Clip;
use crate::ik::LimbIk;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Data, Model, Role, Side, forward_kinematics};

/// Cut-off of the root's part, Hz, and time over which corrections fade, s.
const CUTOFF: f64 = 3.0;
const FADE: f64 = 0.4;
/// Greatest speed of a correction where a grip ends, m/s.
const FASTEST: f64 = 3.0;

/// When hands hold on, per side (left, right) and frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grips(pub [Vec<bool>; 2]);

impl Grips {
    /// Hands that never hold on.
    pub fn none(frames: usize) -> Grips {
        Grips([vec![false; frames], vec![false; frames]])
    }

    /// Both hands hold on in some frames.
    ///
    /// ```
    /// use sinew_motion::cleanup::Grips;
    /// let grips = Grips::both(4, 1..3);
    /// assert_eq!(grips.0[0], [false, true, true, false]);
    /// ```
    pub fn both(frames: usize, held: std::ops::Range<usize>) -> Grips {
        let one = || (0..frames).map(|i| held.contains(&i)).collect();
        Grips([one(), one()])
    }
}

/// An arm that can hold on: its IK, and the point of the hand.
pub(super) struct Arm {
    ik: LimbIk,
    lower: BodyId,
    point: Vec3,
}

/// Arms whose hands hold on sometime, and where.
pub(super) struct Holds {
    arms: Vec<(Arm, Vec<Option<Vec3>>)>,
}

impl Holds {
    /// Places of all grips: means over their frames.
    pub(super) fn new(clip: &Clip, grips: &Grips) -> Holds {
        let model = clip.model();
        let mut arms = Vec::new();
        for side in Side::BOTH {
            let held = &grips.0[side as usize];
            if held.len() != clip.len() || !held.contains(&true) {
                continue;
            }
            let Some(arm) = Arm::of(model, side) else { continue };
            let path = arm.path(clip);
            let mut places = vec![None; clip.len()];
            let mut at = 0;
            while at < clip.len() {
                let end = (at..clip.len()).find(|&i| held[i] != held[at]).unwrap_or(clip.len());
                if held[at] {
                    let mean = path[at..end].iter().sum::<Vec3>() / (end - at) as f64;
                    places[at..end].fill(Some(mean));
                }
                at = end;
            }
            arms.push((arm, places));
        }
        Holds { arms }
    }

    /// Moves the root with the hands.
    pub(super) fn move_root(&self, clip: &mut Clip) {
        let n = clip.len();
        let (mut share, mut weights) = (vec![Vec3::zeros(); n], vec![0.0; n]);
        for (arm, places) in &self.arms {
            for (i, p) in arm.path(clip).iter().enumerate() {
                if let Some(place) = places[i] {
                    share[i] += place - p;
                    weights[i] += 1.0;
                }
            }
        }
        (0..n).filter(|&i| weights[i] > 0.0).for_each(|i| share[i] /= weights[i]);
        let held: Vec<bool> = weights.iter().map(|w| *w > 0.0).collect();
        spline(&mut share, &weights, clip.rate, CUTOFF);
        bridge(&mut share, &held, clip.rate, FADE, FASTEST);
        for i in 0..n {
            (0..3).for_each(|k| clip.frame_mut(i)[k] += share[i][k]);
        }
    }

    /// Bends the arms so that hands are at their places.
    pub(super) fn bend_arms(&self, clip: &mut Clip) {
        for (arm, places) in &self.arms {
            let path = arm.path(clip);
            let held: Vec<bool> = places.iter().map(Option::is_some).collect();
            let mut correction: Vec<Vec3> =
                (0..clip.len()).map(|i| places[i].map_or(Vec3::zeros(), |p| p - path[i])).collect();
            bridge(&mut correction, &held, clip.rate, FADE, FASTEST);
            let bases = paths(clip, &[arm.ik.base()]).remove(0);
            for i in (0..clip.len()).filter(|&i| correction[i] != Vec3::zeros()) {
                let goal = path[i] + correction[i];
                arm.ik.solve(&bases.placement(i), clip.frame_mut(i), &goal, None);
            }
        }
    }

    /// Farthest that a holding hand is from its place, m.
    pub(super) fn off(&self, clip: &Clip) -> f64 {
        let of = |(arm, places): &(Arm, Vec<Option<Vec3>>)| {
            let path = arm.path(clip);
            (0..clip.len()).filter_map(|i| Some((places[i]? - path[i]).norm())).fold(0.0, f64::max)
        };
        self.arms.iter().map(of).fold(0.0, f64::max)
    }
}

impl Arm {
    fn of(model: &Model, side: Side) -> Option<Arm> {
        let (upper, lower) = (model.role(Role::UpperArm(side))?, model.role(Role::LowerArm(side))?);
        let base = BodyId(model.bodies()[upper.0].parent?);
        let at = model.spec().reference_placements();
        // the palm: the hand's centre of mass, or a forearm's far end less half a palm
        let point = match model.role(Role::Hand(side)) {
            Some(hand) => at[lower.0].inverse().act(&at[hand.0].act(&model.bodies()[hand.0].inertia.com)),
            None => {
                let body = &model.bodies()[lower.0];
                let along = body.inertia.com.try_normalize(1e-6)?;
                let far = body.geoms.iter().map(|g| g.support(&along).dot(&along)).fold(0.0, f64::max);
                along * (0.8 * far)
            }
        };
        let ik = LimbIk::to_point(model, base, upper, lower, point).ok()?;
        Some(Arm { ik, lower, point })
    }

    fn path(&self, clip: &Clip) -> Vec<Vec3> {
        let mut data = Data::new(clip.model());
        let place = |q: &[f64]| {
            forward_kinematics(clip.model(), &mut data, q);
            data.body_placement(clip.model(), self.lower).act(&self.point)
        };
        clip.frames().map(place).collect()
    }
}
