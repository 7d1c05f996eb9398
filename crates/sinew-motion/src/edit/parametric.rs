//! Motions between motions: turns and speeds by blending clips of the same steps (Lee, Kim, Lee 2010, their program).
//!
//! Both clips begin together: the second is moved over the floor so that first frames agree.
//! - **Fixed blend**, weight `w` all the time: `⌊(1 − w) n_A + w n_B⌋` frames; poses at equal normalised time, root on a line,
//!   joints on shortest arcs.
//! - **Smooth blend** from one into the other: `N = (n_A + n_B)/2` frames; weight and normalised time both
//!   `x* = H₁(x) + (N/n_A) H₂(x) + (N/n_B) H₃(x)` with `H₁ = 3x² − 2x³`, `H₂ = x³ − 2x² + x`, `H₃ = x³ − x²`, so that it starts at
//!   the pace of the first and ends at that of the second.
//! - **Contacts**: when both have the same sequence of supports, normalised time runs evenly between changes of support instead
//!   of over the whole clip, so that feet land together; and the feet are put by inverse kinematics where the blend of
//!   both pairs of feet is: planted in both, planted in the blend.

use super::blend::{arc, blend};
use super::join::{JoinError, compatible, moved};
use super::limbs::{Limb, Limbs};
use crate::contacts::support;
use crate::{Clip, FootContacts, Interpolation, Outside, Sampler, Travel};
use sinew_dynamics::Side;
use sinew_dynamics::spatial::{Placement, Vec3, rotation};

/// What a blend does about feet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Feet {
    /// Nothing: poses alone are blended.
    #[default]
    Ignore,
    /// Changes of support are aligned and feet are planted.
    Align,
}

/// Blends two clips with the same weight (0: the first, 1: the second) all the time.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{Clip, edit::{Feet, fixed_blend}};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let a = Clip::new("a", human.clone(), 30.0, human.neutral().repeat(20))?;
/// let b = Clip::new("b", human.clone(), 30.0, human.neutral().repeat(31))?;
/// assert_eq!(fixed_blend(&a, &b, 0.5, Feet::Ignore)?.len(), 25); // ⌊25.5⌋
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fixed_blend(a: &Clip, b: &Clip, weight: f64, feet: Feet) -> Result<Clip, JoinError> {
    let (na, nb) = (a.len() as f64, b.len() as f64);
    let frames = libm::floor((1.0 - weight) * na + weight * nb) as usize;
    Mix::new(a, b, feet)?.clip(frames, |x| (x, weight))
}

/// Goes from one clip into another over the length of both.
pub fn smooth_blend(a: &Clip, b: &Clip, feet: Feet) -> Result<Clip, JoinError> {
    let (na, nb) = (a.len() as f64, b.len() as f64);
    let n = libm::floor(0.5 * (na + nb));
    let pace = move |x: f64| {
        let (x2, x3) = (x * x, x * x * x);
        let star = 3.0 * x2 - 2.0 * x3 + n / na * (x3 - 2.0 * x2 + x) + n / nb * (x3 - x2);
        (star, star)
    };
    Mix::new(a, b, feet)?.clip(n as usize, pace)
}

struct Mix<'a> {
    a: &'a Clip,
    curves: [Sampler; 2],
    /// Normalised times at which supports change, in both.
    events: Vec<[f64; 2]>,
    limbs: Option<Limbs>,
}

impl<'a> Mix<'a> {
    fn new(a: &'a Clip, b: &'a Clip, feet: Feet) -> Result<Mix<'a>, JoinError> {
        compatible(a, b)?;
        let there = moved(b, &Travel::between(a.model(), b.frame(0), a.frame(0)));
        let curve = |clip: &Clip| Sampler::new(clip, Interpolation::Cubic, Outside::Clamp);
        let (mut events, mut limbs) = (vec![[0.0; 2], [1.0; 2]], None);
        if feet == Feet::Align {
            limbs = Some(Limbs::new(a.model()));
            if let Some(pairs) = common_events(a, b) {
                events.splice(1..1, pairs);
            }
        }
        Ok(Mix { a, curves: [curve(a), curve(&there)], events, limbs })
    }

    /// Frame `i` of `frames` at what `pace` says of normalised time: normalised time and weight.
    fn clip(mut self, frames: usize, pace: impl Fn(f64) -> (f64, f64)) -> Result<Clip, JoinError> {
        let model = self.a.model().clone();
        let frames = frames.max(1);
        let (mut qa, mut qb, mut out) = (model.neutral(), model.neutral(), model.neutral());
        let mut q = Vec::with_capacity(frames * model.nq());
        let mut contacts = self.a.contacts.is_some().then(|| FootContacts::none(frames));
        for i in 0..frames {
            let x = if frames == 1 { 0.0 } else { i as f64 / (frames - 1) as f64 };
            let (time, weight) = pace(x);
            let [ta, tb] = self.times(time, weight);
            self.curves[0].configuration(ta, &mut qa);
            self.curves[1].configuration(tb, &mut qb);
            blend(&model, &qa, &qb, weight, &mut out);
            self.plant(&qa, &qb, weight, &mut out);
            q.extend_from_slice(&out);
            if let (Some(new), Some(old)) = (&mut contacts, &self.a.contacts) {
                let from = self.curves[0].nearest_frame(ta).min(self.a.len() - 1);
                for side in 0..2 {
                    new.heel[side][i] = old.heel[side][from];
                    new.toe[side][i] = old.toe[side][from];
                    new.level[side][i] = old.level[side][from];
                }
            }
        }
        let mut mixed = self.a.with_frames(self.a.rate, q, contacts);
        mixed.provenance.add("blended");
        Ok(mixed)
    }

    /// Times in both clips for a normalised time of the blend.
    fn times(&self, x: f64, weight: f64) -> [f64; 2] {
        let of = |e: &[f64; 2]| e[0] + weight * (e[1] - e[0]);
        let after = self.events.partition_point(|e| of(e) <= x).clamp(1, self.events.len() - 1);
        let (e0, e1) = (&self.events[after - 1], &self.events[after]);
        let share = (x - of(e0)) / (of(e1) - of(e0)).max(1e-12);
        [0, 1].map(|k| (e0[k] + share * (e1[k] - e0[k])) * self.curves[k].duration())
    }

    /// Puts the feet where the blend of both pairs of feet is.
    fn plant(&mut self, qa: &[f64], qb: &[f64], weight: f64, out: &mut [f64]) {
        let Some(limbs) = &mut self.limbs else { return };
        let mut feet = [[Placement::identity(); 2]; 2];
        for (q, feet) in [qa, qb].into_iter().zip(&mut feet) {
            limbs.look_at(q);
            for side in Side::BOTH {
                let Some(foot) = limbs.end(Limb::Leg(side)) else { return };
                feet[side as usize] = foot;
            }
        }
        limbs.look_at(out);
        for side in Side::BOTH {
            let [a, b] = [0, 1].map(|k| feet[k][side as usize]);
            let turn = arc(&rotation::from_matrix(&a.rot), &rotation::from_matrix(&b.rot), weight);
            let foot = Placement::new(turn, a.pos.lerp(&b.pos, weight));
            limbs.put_foot(side, &foot, &Vec3::zeros(), out);
        }
    }
}

/// Normalised times of the changes of support, when both clips go through the same supports.
fn common_events(a: &Clip, b: &Clip) -> Option<Vec<[f64; 2]>> {
    let changes = |clip: &Clip| {
        let contacts = clip.contacts.as_ref()?;
        let state = |i: usize| support(contacts, i);
        let at = (1..clip.len()).filter(|&i| state(i) != state(i - 1));
        Some((at.map(|i| (i as f64 / (clip.len() - 1) as f64, state(i))).collect::<Vec<_>>(), state(0)))
    };
    let ((ca, first_a), (cb, first_b)) = (changes(a)?, changes(b)?);
    let same = first_a == first_b && ca.len() == cb.len() && ca.iter().zip(&cb).all(|(x, y)| x.1 == y.1);
    same.then(|| ca.iter().zip(&cb).map(|(x, y)| [x.0, y.0]).collect())
}
