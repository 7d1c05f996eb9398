//! How physical is a clip? Contact forces, joint torques, and what no ground could give.
//!
//! Inverse dynamics gives the generalised forces that the motion needs, `M(q) v̇ + h(q, v)`. Joint rows are torques of muscles
//! or motors; the six rows of a free root must come from contacts. Frame by frame, forces `f_i` at the corners of the feet
//! that are down are sought that give the root's wrench, in order of priority
//! ```text
//! 1.  min ‖ W − Σ_i (f_i, (p_i − c) × f_i / ℓ) ‖²      W: force and moment about the centre of mass c that the motion needs
//! 2.  min Σ |x|²                                       the force spread as evenly as 1 allows
//!     f_i = Σ_k x_ik (n ± μ t_k),  x_ik ≥ 0            friction pyramid of four sides; no pulling
//! ```
//! What is left of `W` is the residual: forces of an invisible hand. It is the measure of how physical a clip is; in walking
//! captured well it stays under a tenth of the weight. Joint torques follow as `τ = M v̇ + h − Σ Jᵀ f`.
//!
//! Points that hold on to something (hands at a bar) give forces in every direction and no moments.
//!
//! Assumed: flat level ground, a free root. Cost: one hierarchical least-squares problem of at most 32 unknowns a frame.

use crate::{BodyPoint, Clip, Interpolation, Outside, Sampler, Sole};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, Side, center_of_mass, rnea};
use sinew_solve::hqp::{Hierarchy, HqpSize, HqpSolver, Level, Task};
use std::sync::Arc;

/// What is assumed about the contacts.
#[derive(Clone, Debug, PartialEq)]
pub struct EstimateParams {
    /// Coefficient of friction of the pyramid; its edges lie on the cone. Default 1.
    pub friction: f64,
    /// Points that hold on to something all the time. Default none.
    pub grips: Vec<BodyPoint>,
}

impl Default for EstimateParams {
    fn default() -> Self {
        EstimateParams { friction: 1.0, grips: Vec::new() }
    }
}

/// A force on the body at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointForce {
    /// Where it acts on the body.
    pub point: BodyPoint,
    /// The same in the world, m.
    pub at: Vec3,
    /// N, world axes.
    pub force: Vec3,
}

/// Forces of one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameForces {
    /// At the points that touch or hold.
    pub contacts: Vec<PointForce>,
    /// Generalised forces; the root's rows are what contacts leave over, zero in a physical motion.
    pub torques: Vec<f64>,
    /// Force that no contact could give, N, world axes.
    pub residual_force: Vec3,
    /// Moment about the centre of mass that no contact could give, N·m, world axes.
    pub residual_moment: Vec3,
}

/// Forces of all frames of a clip, and how physical they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// One per frame.
    pub frames: Vec<FrameForces>,
    /// Weight of the body, N.
    pub weight: f64,
    /// Root mean square of the residual force over the weight.
    pub residual_force: f64,
    /// Root mean square of the residual moment over weight times height of the body.
    pub residual_moment: f64,
    /// Largest residual force of a frame over the weight.
    pub worst_force: f64,
    /// Longest stretch with a residual force over a fifth of the weight, s; controllers bear about 0.1 s.
    pub longest_unphysical: f64,
}

/// Solves frame after frame with the same workspace.
#[derive(Debug)]
pub struct Estimator {
    model: Arc<Model>,
    params: EstimateParams,
    soles: [Option<Sole>; 2],
    root: Option<(usize, usize)>,
    /// Length that makes moments forces, m.
    length: f64,
    data: Data,
    solver: HqpSolver,
    points: Vec<(BodyPoint, bool)>,
    columns: Vec<f64>,
    generators: Vec<(usize, Vec3)>,
    lower: Vec<f64>,
    jacobian: Vec<f64>,
}

impl Estimator {
    /// A workspace for a body.
    pub fn new(model: &Arc<Model>, params: EstimateParams) -> Estimator {
        let soles = Side::BOTH.map(|side| Sole::of(model, side));
        let most = 8 * 4 + 3 * params.grips.len();
        let size = HqpSize { variables: most, rows: most.max(6), levels: 2, ..HqpSize::default() };
        Estimator {
            soles,
            root: crate::layout::free_root(model),
            length: (0.5 * model.height()).max(1e-3),
            data: Data::new(model),
            solver: HqpSolver::new(size),
            points: Vec::with_capacity(8 + params.grips.len()),
            columns: Vec::with_capacity(6 * most),
            generators: Vec::with_capacity(most),
            lower: Vec::with_capacity(most),
            jacobian: vec![0.0; 3 * model.nv()],
            model: model.clone(),
            params,
        }
    }

    /// Forces at a state, with heel and toe of each foot (left, right) on the ground or not.
    ///
    /// ```
    /// use sinew_dynamics::characters;
    /// use sinew_motion::estimate::{EstimateParams, Estimator};
    /// let human = std::sync::Arc::new(characters::load("human")?);
    /// let (q, still) = (human.neutral(), vec![0.0; 35]);
    /// let stand = Estimator::new(&human, EstimateParams::default()).frame(&q, &still, &still, [[true; 2]; 2]);
    /// let up: f64 = stand.contacts.iter().map(|c| c.force.z).sum();
    /// assert!((up - 9.81 * human.mass()).abs() < 1e-6 && stand.residual_force.norm() < 1e-6);
    /// # Ok::<(), characters::UnknownCharacter>(())
    /// ```
    ///
    /// # Panics
    /// If the slices have not `nq`, `nv`, `nv` numbers.
    pub fn frame(&mut self, q: &[f64], v: &[f64], a: &[f64], down: [[bool; 2]; 2]) -> FrameForces {
        let model = self.model.clone();
        let com = center_of_mass(&model, &mut self.data, q);
        let mut torques = rnea(&model, &mut self.data, q, v, a).to_vec();
        let mut needed = [0.0; 6];
        if let Some((at, v)) = self.root {
            let force = crate::layout::vec3_at(&torques, v);
            // the couple is in body axes about the root's origin
            let couple = crate::layout::quat_at(q, at + 3) * crate::layout::vec3_at(&torques, v + 3);
            let moment = couple + (crate::layout::vec3_at(q, at) - com).cross(&force);
            needed[..3].copy_from_slice(force.as_slice());
            needed[3..].copy_from_slice((moment / self.length).as_slice());
        }
        self.gather(down, &com);
        let solution = self.solve(&needed);
        let contacts = self.forces(&solution);
        // what is left over, and the joints' share
        let (mut force, mut moment) = (Vec3::zeros(), Vec3::zeros());
        for contact in &contacts {
            force += contact.force;
            moment += (contact.at - com).cross(&contact.force);
            self.data.point_jacobian(&model, contact.point.body, &contact.at, &mut self.jacobian);
            for (torque, column) in torques.iter_mut().zip(self.jacobian.chunks_exact(3)) {
                *torque -=
                    column[0] * contact.force.x + column[1] * contact.force.y + column[2] * contact.force.z;
            }
        }
        FrameForces {
            contacts,
            torques,
            residual_force: crate::layout::vec3_at(&needed, 0) - force,
            residual_moment: crate::layout::vec3_at(&needed, 3) * self.length - moment,
        }
    }

    /// Points that touch, and the wrench of a unit of each unknown.
    fn gather(&mut self, down: [[bool; 2]; 2], com: &Vec3) {
        self.points.clear();
        for (sole, [heel, toe]) in self.soles.iter().zip(down) {
            let Some(sole) = sole else { continue };
            self.points.extend(sole.heel.iter().filter(|_| heel).map(|p| (*p, false)));
            self.points.extend(sole.toe.iter().filter(|_| toe).map(|p| (*p, false)));
        }
        self.points.extend(self.params.grips.iter().map(|p| (*p, true)));
        self.generators.clear();
        self.columns.clear();
        self.lower.clear();
        let mu = self.params.friction;
        let pyramid = [(mu, 0.0), (-mu, 0.0), (0.0, mu), (0.0, -mu)].map(|(x, y)| Vec3::new(x, y, 1.0));
        let (axes, free) = ([Vec3::x(), Vec3::y(), Vec3::z()], f64::NEG_INFINITY);
        for (i, (point, grip)) in self.points.iter().enumerate() {
            let arm = point.in_world(&self.model, &self.data) - com;
            let (directions, bound): (&[Vec3], f64) = if *grip { (&axes, free) } else { (&pyramid, 0.0) };
            for direction in directions {
                self.columns.extend_from_slice(direction.as_slice());
                self.columns.extend_from_slice((arm.cross(direction) / self.length).as_slice());
                self.generators.push((i, *direction));
                self.lower.push(bound);
            }
        }
    }

    /// The unknowns; none when nothing touches.
    fn solve(&mut self, needed: &[f64; 6]) -> Vec<f64> {
        let n = self.generators.len();
        if n == 0 {
            return Vec::new();
        }
        let wrench = [Task::new(&self.columns, needed)];
        let (even, upper) = (vec![1.0; n], vec![f64::INFINITY; n]);
        let levels = [Level::new(&wrench), Level::new(&[]).with_damping(&even)];
        let problem = Hierarchy::new(n, &levels).with_bounds(&self.lower, &upper);
        // an unfinished second level leaves the first as it is; without any solution all is residual
        match self.solver.solve(&problem) {
            Ok(s) if s.violation < 1e-6 => s.x.to_vec(),
            _ => vec![0.0; n],
        }
    }

    fn forces(&self, solution: &[f64]) -> Vec<PointForce> {
        let place = |(point, _): &(BodyPoint, bool)| PointForce {
            point: *point,
            at: point.in_world(&self.model, &self.data),
            force: Vec3::zeros(),
        };
        let mut forces: Vec<PointForce> = self.points.iter().map(place).collect();
        for ((point, direction), x) in self.generators.iter().zip(solution) {
            forces[*point].force += direction * *x;
        }
        forces
    }
}

/// Forces of all frames of a clip, from the rates of its cubic curve. A clip without contacts counts as flying.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{Clip, FootContacts, estimate};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let mut still = Clip::new("still", human.clone(), 30.0, human.neutral().repeat(5))?;
/// assert!((estimate::estimate(&still, &Default::default()).residual_force - 1.0).abs() < 1e-9); // hangs in the air
/// let mut contacts = FootContacts::none(5);
/// contacts.heel = [vec![true; 5], vec![true; 5]];
/// contacts.toe = contacts.heel.clone();
/// still.contacts = Some(contacts);
/// assert!(estimate::estimate(&still, &Default::default()).residual_force < 1e-9); // stands
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn estimate(clip: &Clip, params: &EstimateParams) -> Estimate {
    let model = clip.model();
    let curve = Sampler::new(clip, Interpolation::Cubic, Outside::Clamp);
    let mut estimator = Estimator::new(model, params.clone());
    let (mut q, mut v, mut a) = (model.neutral(), vec![0.0; model.nv()], vec![0.0; model.nv()]);
    let frame = |i: usize| {
        curve.state(i as f64 / clip.rate, &mut q, &mut v, &mut a);
        let down =
            |side: usize| clip.contacts.as_ref().map_or([false; 2], |c| [c.heel[side][i], c.toe[side][i]]);
        estimator.frame(&q, &v, &a, [down(0), down(1)])
    };
    let frames: Vec<FrameForces> = (0..clip.len()).map(frame).collect();
    let weight = model.mass() * model.gravity().norm();
    let mean =
        |of: &dyn Fn(&FrameForces) -> f64| (frames.iter().map(of).sum::<f64>() / frames.len() as f64).sqrt();
    let (mut longest, mut stretch) = (0usize, 0usize);
    for frame in &frames {
        stretch = if frame.residual_force.norm() > 0.2 * weight { stretch + 1 } else { 0 };
        longest = longest.max(stretch);
    }
    Estimate {
        weight,
        residual_force: mean(&|f| f.residual_force.norm_squared()) / weight,
        residual_moment: mean(&|f| f.residual_moment.norm_squared()) / (weight * model.height()),
        worst_force: frames.iter().map(|f| f.residual_force.norm()).fold(0.0, f64::max) / weight,
        longest_unphysical: longest as f64 / clip.rate,
        frames,
    }
}
