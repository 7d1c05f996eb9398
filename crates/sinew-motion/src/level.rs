//! Bodies that are drawn in a pose in which they cannot stand.
//!
//! Many files say nothing of how a body stands, and draw it with legs apart and feet that hang, or
//! lying along some axis. The body is turned upright to face x, and the hinges of hips,
//! knees and ankles until both feet are level, point ahead and are under the hips, by least squares over the angles of each leg, within
//! their limits. A foot is flat: of the principal axes of its shapes, the shortest points up and the longest ahead.

use crate::BodyPoint;
use sinew_dynamics::spatial::{Mat3, Placement, Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, Data, JointKind, Model, ModelSpec, Role, Side, forward_kinematics};

/// Steps of the least squares.
const STEPS: usize = 200;
/// Weight of angles against directions: among all ways to stand, the one nearest to how the body is drawn.
const STAY: f64 = 0.02;
/// Step of the differences, and most change of an angle in a step, rad.
const DELTA: f64 = 1e-6;
const MOST: f64 = 0.2;
/// Damping of the least squares.
const DAMPING: f64 = 1e-3;

/// The body drawn facing x with level feet, on the ground at height 0; `None` when it has no legs.
///
/// ```
/// use sinew_dynamics::{Model, Side, characters};
/// use sinew_motion::{Sole, drawn_standing};
/// let human = characters::load("human")?;
/// let mut q = human.neutral();
/// for (joint, angle) in [("ankle_pitch_l", 0.4), ("ankle_pitch_r", -0.3)] {
///     q[human.joints()[human.joint(joint).unwrap().0].q] = angle;
/// }
/// let hanging = Model::new(human.spec().with_reference(&q))?;
/// let level = Model::new(drawn_standing(&hanging).unwrap())?;
/// let (placements, sole) = (level.spec().reference_placements(), Sole::of(&level, Side::Left).unwrap());
/// assert!(sole.corners().iter().all(|corner| placements[corner.body.0].act(&corner.at).z.abs() < 0.002));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn drawn_standing(model: &Model) -> Option<ModelSpec> {
    let mut spec = model.spec().clone();
    face_ahead(&mut spec, model)?;
    let model = Model::new(spec.clone()).ok()?;
    let (mut q, mut data) = (model.neutral(), Data::new(&model));
    for side in Side::BOTH {
        Leg::of(&model, side)?.level(&model, &mut data, &mut q);
    }
    let mut spec = spec.with_reference(&q);
    let low = spec.extent(&spec.reference_placements(), &Vec3::z()).map_or(0.0, |[low, _]| low);
    spec.bodies.iter_mut().filter(|body| body.parent.is_none()).for_each(|root| root.pos.z -= low);
    Some(spec)
}

/// Turns the body until it stands upright and faces x: by right angles as bodies are drawn along any axes, then about the vertical.
fn face_ahead(spec: &mut ModelSpec, model: &Model) -> Option<()> {
    let placements = spec.reference_placements();
    let at = |role: Role| model.role(role).map(|body| placements[body.0].pos);
    let (left, right) = (at(Role::Thigh(Side::Left))?, at(Role::Thigh(Side::Right))?);
    let up = at(Role::Head).or(at(Role::Trunk)).map_or(Vec3::z(), |top| top - (left + right) * 0.5);
    let (up, across) = (up.normalize(), (left - right).normalize());
    let upright = |turn: &Mat3| (turn * up).z + (turn * across).y;
    let square = right_angles().max_by(|a, b| upright(a).total_cmp(&upright(b)))?;
    let across = square * across;
    let ahead = Quat::from_axis_angle(&Vec3::z_axis(), libm::atan2(across.x, across.y));
    let turn = ahead * rotation::from_matrix(&square);
    for root in spec.bodies.iter_mut().filter(|body| body.parent.is_none()) {
        (root.pos, root.quat) = (turn * root.pos, turn * root.quat);
    }
    Some(())
}

/// The 24 rotations that take axes to axes.
fn right_angles() -> impl Iterator<Item = Mat3> {
    let axes = [Vec3::x(), Vec3::y(), Vec3::z(), -Vec3::x(), -Vec3::y(), -Vec3::z()];
    axes.into_iter().flat_map(move |x| {
        let others = axes.into_iter().filter(move |y| x.dot(y) == 0.0);
        others.map(move |y| Mat3::from_columns(&[x, y, x.cross(&y)]))
    })
}

/// A leg.
struct Leg {
    hip: BodyId,
    foot: BodyId,
    /// Up, ahead and the middle of the foot in its own frame.
    up: Vec3,
    ahead: Vec3,
    middle: Vec3,
    /// Coordinates of its hinges, and their ranges.
    hinges: Vec<(usize, [f64; 2])>,
}

impl Leg {
    fn of(model: &Model, side: Side) -> Option<Leg> {
        let (foot, hip) = (model.role(Role::Foot(side))?, model.role(Role::Thigh(side))?);
        let line: Vec<usize> = std::iter::successors(Some(foot.0), |b| model.bodies()[*b].parent).collect();
        let leg = &line[..=line.iter().position(|body| *body == hip.0)?];
        let mut hinges = Vec::new();
        for joint in model.joints().iter().filter(|joint| leg.contains(&joint.body.0)) {
            if matches!(joint.kind, JointKind::Hinge { .. }) {
                let range = model.bodies()[joint.body.0].joints[joint.nth].range;
                hinges.push((joint.q, range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY])));
            }
        }
        let placements = model.spec().reference_placements();
        let points: Vec<Vec3> = extremes(model, foot, model.role(Role::Toe(side)))
            .map(|point| placements[foot.0].inverse().act(&placements[point.body.0].act(&point.at)))
            .collect();
        let middle = points.iter().sum::<Vec3>() / points.len().max(1) as f64;
        let spread: Mat3 = points.iter().map(|p| (p - middle) * (p - middle).transpose()).sum();
        let axes = spread.symmetric_eigen();
        let (shortest, longest) = (axes.eigenvalues.imin(), axes.eigenvalues.imax());
        // the sides that look up and ahead now
        let towards = |k: usize, world: Vec3| {
            let axis: Vec3 = axes.eigenvectors.column(k).into();
            axis * (placements[foot.0].rot * axis).dot(&world).signum()
        };
        let (up, ahead) = (towards(shortest, Vec3::z()), towards(longest, Vec3::x()));
        (points.len() > 3).then_some(Leg { hip, foot, up, ahead, middle, hinges })
    }

    /// What should be 0: tilt of the foot, its direction, and its place under the hip, in units of the leg.
    fn errors(&self, model: &Model, data: &mut Data, q: &[f64]) -> [f64; 5] {
        forward_kinematics(model, data, q);
        let foot: Placement = data.body_placement(model, self.foot);
        let (up, ahead) = (foot.rot * self.up, foot.rot * self.ahead);
        let off = foot.act(&self.middle) - data.body_placement(model, self.hip).pos;
        let unit = off.norm().max(1e-9);
        [up.x, up.y, ahead.y, off.x / unit, off.y / unit]
    }

    /// Turns the hinges by least squares (Gauss and Newton, damped).
    fn level(&self, model: &Model, data: &mut Data, q: &mut [f64]) {
        let n = self.hinges.len();
        let first: Vec<f64> = self.hinges.iter().map(|(k, _)| q[*k]).collect();
        for _ in 0..STEPS {
            let here = self.errors(model, data, q);
            let mut columns = Vec::with_capacity(n);
            for (k, _) in &self.hinges {
                let value = q[*k];
                q[*k] = value + DELTA;
                let there = self.errors(model, data, q);
                q[*k] = value;
                columns.push([0, 1, 2, 3, 4].map(|row| (there[row] - here[row]) / DELTA));
            }
            // (JᵀJ + (s² + d) 1) x = −Jᵀe − s² (q − q₀)
            let matrix = nalgebra::DMatrix::from_fn(n, n, |i, j| {
                let product: f64 = columns[i].iter().zip(&columns[j]).map(|(a, b)| a * b).sum();
                product + if i == j { STAY * STAY + DAMPING } else { 0.0 }
            });
            let right = nalgebra::DVector::from_fn(n, |i, _| {
                let slope: f64 = columns[i].iter().zip(&here).map(|(a, b)| a * b).sum();
                -slope - STAY * STAY * (q[self.hinges[i].0] - first[i])
            });
            let Some(step) = matrix.cholesky().map(|c| c.solve(&right)) else { return };
            for ((k, [low, high]), by) in self.hinges.iter().zip(step.iter()) {
                q[*k] = (q[*k] + by.clamp(-MOST, MOST)).max(*low).min(*high);
            }
        }
    }
}

/// Outermost points of the shapes of a foot and its toes, towards the corners of a cube.
fn extremes(model: &Model, foot: BodyId, toe: Option<BodyId>) -> impl Iterator<Item = BodyPoint> {
    let bodies = [Some(foot), toe.filter(|toe| *toe != foot)].into_iter().flatten();
    bodies.flat_map(move |body| {
        let solid = model.bodies()[body.0].geoms.iter().filter(|g| g.contype | g.conaffinity != 0);
        solid.flat_map(move |geom| {
            (0..8).map(move |k| {
                let sign = |bit: usize| if k >> bit & 1 == 0 { 1.0 } else { -1.0 };
                let at = geom.support(&Vec3::new(sign(0), sign(1), sign(2)).normalize());
                BodyPoint { body, at }
            })
        })
    })
}
