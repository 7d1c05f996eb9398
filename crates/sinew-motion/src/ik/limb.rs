//! Analytic inverse kinematics of a leg or an arm: upper link, lower link, and the foot or hand at the end.
//!
//! The root joint (hip) turns about one point, the middle joint (knee) is a hinge or a ball. In the axes of the upper link the
//! end is at `e = k + K s`, `k` from hip to knee, `s` from knee to ankle, `K` the knee's rotation.
//!
//! 1. **Knee.** Hinge about `h`: `|e|² = |k|² + |s|² + 2 k·(s∥ + s⊥ cos θ + h×s sin θ) = d²` is solved for `θ` exactly, whatever
//!    the axis; of the two answers the one within the limits. Ball: the angle between `k` and `K s` by the law of cosines, about
//!    the normal of the plane that the limb is in (a straight limb: the body's lateral axis), so that the plane is kept.
//! 2. **Hip.** The smallest rotation that brings the end onto the goal.
//! 3. **Swivel.** An ankle of two hinges cannot turn the foot about a third axis. Turning the whole leg about the line from hip
//!    to ankle by `ψ` can: with the axes `a₁` (in the shin) and `a₂` (in the foot) the wanted foot is reached exactly when
//!    `(Rot(u, ψ) a₁)·a₂` is the joint's own constant, which is `P + Q cos ψ + S sin ψ = c`.
//! 4. **Ankle.** Fitted to the wanted orientation.
//!
//! A hip at its limit keeps the place of the end: the limb is turned about the line to the goal until the hip is within it. Other joint limits cut the
//! answer, and the outcome says what remains. Cost: about 1 µs.

use super::chain::Chain;
use super::{LimbError, two_link::TwoLink};
use sinew_dynamics::spatial::{Placement, Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, Model};

/// A limb straighter than this (sine of the angle between its links) has no plane of its own.
const STRAIGHT: f64 = 1e-3;
/// Joints of a root joint meet in a point up to this, m.
const SPHERICAL: f64 = 1e-6;

/// A limb of two links on a body.
///
/// ```
/// use sinew_dynamics::{Data, Role, Side, characters, forward_kinematics, spatial::Vec3};
/// use sinew_motion::ik::LimbIk;
/// let human = characters::load("human")?;
/// let role = |role| human.role(role).unwrap();
/// let [thigh, shin, foot] = [Role::Thigh, Role::Shin, Role::Foot].map(|r| role(r(Side::Left)));
/// let leg = LimbIk::new(&human, role(Role::Pelvis), thigh, shin, foot)?;
///
/// let mut data = Data::new(&human);
/// let mut q = human.neutral();
/// forward_kinematics(&human, &mut data, &q);
/// let (base, at) = (data.body_placement(&human, leg.base()), data.body_placement(&human, foot));
/// let goal = at.pos + Vec3::new(0.3, 0.0, 0.1); // a step forwards and up, sole level
/// let outcome = leg.solve(&base, &mut q, &goal, Some(&Default::default()));
/// assert!(outcome.distance < 1e-12 && outcome.angle < 1e-12);
/// forward_kinematics(&human, &mut data, &q);
/// assert!((data.body_placement(&human, foot).pos - goal).norm() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LimbIk {
    base: BodyId,
    end: BodyId,
    hip: Chain,
    knee: Chain,
    ankle: Chain,
    /// Hip in the base's axes.
    at_base: Vec3,
    /// From hip to knee in the upper link's axes, from knee to ankle in the lower link's, and the ankle in the end's.
    upper: Vec3,
    lower: Vec3,
    at_end: Vec3,
    /// Axis about which a straight limb bends, in the upper link's axes.
    lateral: Vec3,
}

/// How near a limb came to its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// From the end's joint to the goal, m.
    pub distance: f64,
    /// From the end's orientation to the wanted one, rad; 0 when none was asked for.
    pub angle: f64,
}

impl LimbIk {
    /// A limb from `base` (pelvis) over `upper` (thigh) and `lower` (shin) to `end` (foot).
    pub fn new(
        model: &Model,
        base: BodyId,
        upper: BodyId,
        lower: BodyId,
        end: BodyId,
    ) -> Result<LimbIk, LimbError> {
        let named = |b: BodyId| model.bodies()[b.0].name.clone();
        for (from, to) in [(base, upper), (upper, lower), (lower, end)] {
            if from == to || !is_above(model, from, to) {
                return Err(LimbError::Order { above: named(from), below: named(to) });
            }
        }
        let (hip, knee, ankle) = (
            Chain::new(model, Some(base), upper),
            Chain::new(model, Some(upper), lower),
            Chain::new(model, Some(lower), end),
        );
        if !hip.is_ball() {
            return Err(LimbError::Root(named(upper)));
        }
        if knee.hinge().is_none() && !knee.is_ball() {
            return Err(LimbError::Middle(named(lower)));
        }
        let at = model.spec().reference_placements();
        let centre = |from: BodyId, to: BodyId| common_centre(model, &at, from, to);
        let hip_at = centre(base, upper)?;
        let knee_at = centre(upper, lower)?;
        let ankle_at = centre(lower, end).unwrap_or(at[end.0].pos);
        let inverse = |b: BodyId, p: &Vec3| at[b.0].inverse().act(p);
        let upper_link = at[upper.0].rot.tr_mul(&(knee_at - hip_at));
        let lower_link = at[lower.0].rot.tr_mul(&(ankle_at - knee_at));
        if upper_link.norm() < SPHERICAL || lower_link.norm() < SPHERICAL {
            return Err(LimbError::Short { upper: named(upper), lower: named(lower) });
        }
        // bends a straight limb as a knee does when the figure faces x
        let lateral =
            at[upper.0].rot.tr_mul(&model.up().cross(&Vec3::x()).try_normalize(1e-6).unwrap_or(Vec3::y()));
        Ok(LimbIk {
            base,
            end,
            hip,
            knee,
            ankle,
            at_base: inverse(base, &hip_at),
            upper: upper_link,
            lower: lower_link,
            at_end: inverse(end, &ankle_at),
            lateral,
        })
    }

    /// A limb from `base` (trunk) over `upper` (upper arm) to a `point` in the axes of `lower` (forearm): an arm without a wrist.
    ///
    /// There is no orientation to ask for. A straight arm bends as an elbow does.
    ///
    /// ```
    /// use sinew_dynamics::{Role, Side, characters, spatial::Vec3};
    /// use sinew_motion::ik::LimbIk;
    /// let human = characters::load("human")?;
    /// let role = |role| human.role(role).unwrap();
    /// let (trunk, upper, lower) = (role(Role::Trunk), role(Role::UpperArm(Side::Left)), role(Role::LowerArm(Side::Left)));
    /// let arm = LimbIk::to_point(&human, trunk, upper, lower, human.site("hand_l").unwrap().1.pos)?;
    /// let (trunk, mut q) = (human.spec().reference_placements()[trunk.0], human.neutral());
    /// let goal = arm.root(&trunk) + Vec3::new(0.3, 0.1, 0.2);
    /// assert!(arm.solve(&trunk, &mut q, &goal, None).distance < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_point(
        model: &Model,
        base: BodyId,
        upper: BodyId,
        lower: BodyId,
        point: Vec3,
    ) -> Result<LimbIk, LimbError> {
        let named = |b: BodyId| model.bodies()[b.0].name.clone();
        for (from, to) in [(base, upper), (upper, lower)] {
            if from == to || !is_above(model, from, to) {
                return Err(LimbError::Order { above: named(from), below: named(to) });
            }
        }
        let (hip, knee) = (Chain::new(model, Some(base), upper), Chain::new(model, Some(upper), lower));
        if !hip.is_ball() {
            return Err(LimbError::Root(named(upper)));
        }
        if knee.hinge().is_none() && !knee.is_ball() {
            return Err(LimbError::Middle(named(lower)));
        }
        let at = model.spec().reference_placements();
        // of several joints at the root (collar bone and shoulder) the last is the one that the limb turns about
        let own =
            Some(upper).and_then(|u| model.bodies()[u.0].joints.first().map(|j| at[u.0].act(&j.anchor)));
        let hip_at = common_centre(model, &at, base, upper).ok().or(own).unwrap_or(at[upper.0].pos);
        let knee_at = common_centre(model, &at, upper, lower)?;
        let upper_link = at[upper.0].rot.tr_mul(&(knee_at - hip_at));
        let lower_link = point - at[lower.0].inverse().act(&knee_at);
        if upper_link.norm() < SPHERICAL || lower_link.norm() < SPHERICAL {
            return Err(LimbError::Short { upper: named(upper), lower: named(lower) });
        }
        let lateral = -model.up().cross(&Vec3::x()).try_normalize(1e-6).unwrap_or(Vec3::y());
        Ok(LimbIk {
            base,
            end: lower,
            hip,
            knee,
            ankle: Chain::new(model, Some(lower), lower),
            at_base: at[base.0].inverse().act(&hip_at),
            upper: upper_link,
            lower: lower_link,
            at_end: point,
            lateral: at[upper.0].rot.tr_mul(&lateral),
        })
    }

    /// The body that carries the limb.
    pub fn base(&self) -> BodyId {
        self.base
    }

    /// The body at its end.
    pub fn end(&self) -> BodyId {
        self.end
    }

    /// Lengths of the links.
    pub fn links(&self) -> TwoLink {
        TwoLink { upper: self.upper.norm(), lower: self.lower.norm() }
    }

    /// Where the root joint (hip) is when the base is at `base`.
    pub fn root(&self, base: &Placement) -> Vec3 {
        base.act(&self.at_base)
    }

    /// Where the end's joint (ankle) is when the end is at `end`.
    pub fn joint(&self, end: &Placement) -> Vec3 {
        end.act(&self.at_end)
    }

    /// Orientations of upper link, lower link and end at `q`, and the place of the end's joint.
    pub fn place(&self, base: &Placement, q: &[f64]) -> ([Quat; 3], Vec3) {
        let upper = rotation::from_matrix(&base.rot) * self.hip.rotation(q);
        let lower = upper * self.knee.rotation(q);
        let end = lower * self.ankle.rotation(q);
        (([upper, lower, end]), self.root(base) + upper * self.upper + lower * self.lower)
    }

    /// Where a point of the end is, given in the end's axes.
    pub fn point(&self, base: &Placement, q: &[f64], local: &Vec3) -> Vec3 {
        let ([.., end], joint) = self.place(base, q);
        joint + end * (local - self.at_end)
    }

    /// Turns the limb's joints in `q` so that the end's joint comes to `goal` and, when wanted, the end to an orientation in
    /// the world. The plane of the limb is kept as far as the orientation allows.
    pub fn solve(&self, base: &Placement, q: &mut [f64], goal: &Vec3, orientation: Option<&Quat>) -> Reach {
        let base_turn = rotation::from_matrix(&base.rot);
        let hip = self.root(base);
        let to_goal = goal - hip;
        let knee = self.knee_for(q, to_goal.norm());
        let reach = self.upper + knee * self.lower;

        // the smallest turn of the upper link that points the end at the goal
        let now = base_turn * self.hip.rotation(q);
        let mut upper = between(&(now * reach), &to_goal) * now;
        if let Some(wanted) = orientation {
            upper = self.swivel(&upper, &knee, &to_goal, wanted) * upper;
        }
        // where the hip does not turn so far, the place is kept and the plane of the limb gives way
        let (mut hip_turn, along) = (base_turn.inverse() * upper, base_turn.inverse() * to_goal);
        if let Some(along) = along.try_normalize(1e-9) {
            hip_turn = rotation::exp(&(along * self.hip.turn_within(&hip_turn, &along))) * hip_turn;
        }
        self.hip.fit(q, &hip_turn, true);
        self.knee.fit(q, &knee, true);
        let (upper, lower) = {
            let upper = base_turn * self.hip.rotation(q);
            (upper, upper * self.knee.rotation(q))
        };
        let angle = orientation.map_or(0.0, |wanted| self.ankle.fit(q, &(lower.inverse() * wanted), true));
        let end = hip + upper * self.upper + lower * self.lower;
        Reach { distance: (end - goal).norm(), angle }
    }

    /// The rotation of the middle joint for which root and end are `distance` apart.
    fn knee_for(&self, q: &[f64], distance: f64) -> Quat {
        let (k, s) = (self.upper, self.lower);
        let Some(axis) = self.knee.hinge() else {
            // a ball: bend in the plane of the limb
            let now = self.knee.rotation(q);
            let low = now * s;
            let normal = k.cross(&low);
            let flat = normal.norm() < STRAIGHT * k.norm() * low.norm();
            let axis = if flat { self.lateral } else { normal.normalize() };
            let bent = core::f64::consts::PI - self.links().triangle(distance).middle;
            let angle = libm::atan2(axis.dot(&normal), k.dot(&low));
            return rotation::exp(&(axis * (bent - angle))) * now;
        };
        // a hinge: d² = c₀ + B cos θ + C sin θ, θ measured from where the joint is
        let now = self.knee.rotation(q);
        let (axis, low) = (now * axis, now * s);
        let along = axis * axis.dot(&low);
        let (b, c) = (2.0 * k.dot(&(low - along)), 2.0 * k.dot(&axis.cross(&low)));
        let wanted = distance * distance - k.norm_squared() - s.norm_squared() - 2.0 * k.dot(&along);
        let spread = libm::acos((wanted / libm::hypot(b, c).max(f64::MIN_POSITIVE)).clamp(-1.0, 1.0));
        let middle = libm::atan2(c, b);
        let turned = |step: f64| rotation::exp(&(axis * step)) * now;
        let wrap = |x: f64| x - core::f64::consts::TAU * libm::round(x / core::f64::consts::TAU);
        let [near, far] = {
            let (x, y) = (wrap(middle + spread), wrap(middle - spread));
            if x.abs() <= y.abs() { [x, y] } else { [y, x] }
        };
        let Some((at, _, Some([low, high]))) = self.knee.hinge_place() else { return turned(near) };
        let outside = |step: f64| {
            let value = q[at] + step;
            (low - value).max(value - high).max(0.0)
        };
        turned(if outside(near) <= outside(far) + 1e-12 { near } else { far })
    }

    /// The turn of the whole limb about the line to the goal with which an end on two hinges comes to `wanted`.
    fn swivel(&self, upper: &Quat, knee: &Quat, to_goal: &Vec3, wanted: &Quat) -> Quat {
        let (Some((first, second)), Some(u)) = (self.ankle.universal(), to_goal.try_normalize(1e-9)) else {
            return Quat::identity();
        };
        let (a, b) = (upper * knee * first, wanted * second);
        let p = u.dot(&a) * u.dot(&b);
        let (c, s) = (a.dot(&b) - p, u.cross(&a).dot(&b));
        let size = libm::hypot(c, s);
        if size < STRAIGHT {
            return Quat::identity();
        }
        let spread = libm::acos(((self.ankle.universal_cosine() - p) / size).clamp(-1.0, 1.0));
        let wrap = |x: f64| x - core::f64::consts::TAU * libm::round(x / core::f64::consts::TAU);
        let middle = libm::atan2(s, c);
        let (x, y) = (wrap(middle + spread), wrap(middle - spread));
        rotation::exp(&(u * if x.abs() <= y.abs() { x } else { y }))
    }
}

/// The smallest rotation that points `from` along `to`; half a turn about any normal when they are opposite.
pub(crate) fn between(from: &Vec3, to: &Vec3) -> Quat {
    let axis = from.cross(to);
    let (sine, cosine) = (axis.norm(), from.dot(to));
    if sine > 1e-12 * cosine.abs() && sine > 0.0 {
        return rotation::exp(&(axis * (libm::atan2(sine, cosine) / sine)));
    }
    if cosine >= 0.0 {
        return Quat::identity();
    }
    let across = if from.x.abs() < 0.9 * from.norm() { Vec3::x() } else { Vec3::y() };
    rotation::exp(&(from.cross(&across).normalize() * core::f64::consts::PI))
}

fn is_above(model: &Model, above: BodyId, below: BodyId) -> bool {
    let mut at = model.bodies()[below.0].parent;
    while let Some(body) = at {
        if body == above.0 {
            return true;
        }
        at = model.bodies()[body].parent;
    }
    false
}

/// The one point about which all joints between two bodies turn, in the world of the reference pose.
fn common_centre(model: &Model, at: &[Placement], from: BodyId, to: BodyId) -> Result<Vec3, LimbError> {
    let mut body = to.0;
    let mut centre: Option<Vec3> = None;
    while body != from.0 {
        for joint in &model.bodies()[body].joints {
            let point = at[body].act(&joint.anchor);
            if centre.is_some_and(|c| (c - point).norm() > SPHERICAL) {
                return Err(LimbError::NotOnePoint(model.bodies()[to.0].name.clone()));
            }
            centre = Some(point);
        }
        match model.bodies()[body].parent {
            Some(parent) => body = parent,
            None => break,
        }
    }
    Ok(centre.unwrap_or(at[to.0].pos))
}
