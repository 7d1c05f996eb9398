//! Spacetime optimisation: from a clip with its contacts to a motion that the body can do.
//!
//! A captured motion on a body is no motion of that body: its masses differ, feet slide, velocities are differences of noise. Found is the
//! motion nearest to it that obeys the equation of motion with joint torques within their limits and contact forces inside the cone
//! of friction, that keeps its footprints and lifts its feet. It cycles, goes from one given state to another, or has free ends; flights are
//! frames without contacts. What comes out carries torques and contact forces, and [`verify`](sinew_world::audit) proves it.
//!
//! # Formulation
//! Unknowns are the configurations `q_k` of all frames (1/120 s apart) and the forces `λ_k` on the points that are down: heels and toes
//! ([`Points`]). Velocities are differences of configurations and torques come from inverse dynamics (`kinetics`), so the only
//! dynamic equality is that nothing drives the root: six rows per frame. With `⊖` the difference of configurations,
//!
//! ```text
//! min Σ ½‖q_k ⊖ q̂_k‖²_Wq + ½‖v_k − v̂_k‖²_Wv + ½‖τ_k‖²_Wτ + ½‖λ_k‖²_Wλ
//! root rows of inverse dynamics = 0                         |τ_k| ≤ limits           joints within their ranges
//! a point that is down stays:  p(q_{k+1}) − p(q_k) = 0 along the ground,  corners of the sole at the height of the ground
//! μλ_z ± λ_x ± λ_y ≥ 0                                      a point in swing is at least h sinᵖ(π · phase of its swing) high
//! ```
//!
//! Nothing is rolled out, so an infeasible clip is as good a start as any. A stage touches three frames: a cyclic band, solved by
//! Gauss–Newton within an augmented Lagrangian ([`sinew_solve::chain`]) with analytic derivatives. Where Muico, Lee, Popović and Popović
//! (2009) give hours on a general optimal-control package for a cycle, this takes seconds.
//!
//! Sources: Witkin and Kass 1988 for the idea; Muico et al. 2009, section 3.1; inverse dynamics as in Erez and Todorov 2012 and
//! Mordatch, Todorov, Popović 2012.

mod able;
mod cycle;
mod fit;
mod jacobian;
mod kinetics;
mod params;
mod points;
mod problem;
mod record;
mod repeats;
mod rows;
mod soles;
mod spans;
mod step_model;
mod warp;

pub use cycle::{Cycle, closed, find_cycle};
pub use fit::{RATE, Touch, reference_of, reference_touching};
pub use params::SpacetimeParams;
pub use points::{Down, POINTS, Points, contacts, downs};
pub use record::record;
pub use repeats::Repeats;
pub use soles::{SoleRule, find_down};
pub use step_model::StepModel;
pub use warp::Warp;

use crate::controller::ControlError;
use problem::Problem;
use sinew_dynamics::Model;
use sinew_dynamics::spatial::Vec3;
use sinew_motion::{Clip, Travel};
use sinew_solve::chain::{ChainReport, ChainSettings, ChainSolver, ChainStatus};
use std::sync::Arc;

/// What is before the first frame and after the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ends {
    /// The motion again, moved over the ground: the frame after the last is the first, moved.
    Cycle(Travel),
    /// Nothing. The first two and the last two frames, and with them the states there, may be given.
    Open {
        /// Whether the motion begins with the reference's first two frames.
        first: bool,
        /// Whether it ends with its last two.
        last: bool,
    },
}

/// A motion to come near to, with its contacts.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The body.
    pub model: Arc<Model>,
    /// Name of the motion.
    pub name: String,
    /// Frames per second.
    pub rate: f64,
    /// Configurations, one after the other; of a cycle without the frame that is the first one again.
    pub q: Vec<f64>,
    /// Which points are down.
    pub down: Vec<Down>,
    /// Height of the ground under each point.
    pub level: Vec<[f64; POINTS]>,
    /// Coefficient of friction of the plan.
    pub friction: f64,
    /// What is before and after.
    pub ends: Ends,
    /// Of a cycle, whether its last frame and its first are given, and with them the state in which it begins and ends: other motions may
    /// then come before and after it.
    pub hub: bool,
}

impl Reference {
    /// Number of frames.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.down.len()
    }

    /// Configuration of a frame.
    pub fn frame(&self, k: usize) -> &[f64] {
        let nq = self.model.nq();
        &self.q[k * nq..(k + 1) * nq]
    }

    /// A clip with its contacts, on level ground. As a cycle its last frame must be its first, moved over the ground; that frame
    /// is left out.
    ///
    /// # Errors
    /// When the clip does not say which feet are down, or is too short.
    pub fn of_clip(clip: &Clip, cyclic: bool) -> Result<Reference, ControlError> {
        let wrong = |problem: &str| ControlError::Preparation(format!("{}: {problem}", clip.name));
        let known = clip.contacts.as_ref().ok_or_else(|| wrong("it does not say when feet are down"))?;
        let frames = if cyclic { clip.len() - 1 } else { clip.len() };
        if frames < 6 {
            return Err(wrong("a motion of fewer than 6 frames is none"));
        }
        let ends = if cyclic {
            Ends::Cycle(Travel::between(clip.model(), clip.frame(0), clip.frame(clip.len() - 1)))
        } else {
            Ends::Open { first: false, last: false }
        };
        Ok(Reference {
            model: clip.model().clone(),
            name: clip.name.clone(),
            rate: clip.rate,
            q: clip.as_slice()[..frames * clip.model().nq()].to_vec(),
            down: downs(known)[..frames].to_vec(),
            level: vec![[0.0; POINTS]; frames],
            friction: SpacetimeParams::default().friction,
            ends,
            hub: false,
        })
    }
}

/// A motion with everything that makes it: row `k` is the state at the beginning of a step and what acts during it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it came from: body, contacts, ends.
    pub reference: Reference,
    /// Configurations.
    pub q: Vec<f64>,
    /// Velocities; each leads to its frame.
    pub v: Vec<f64>,
    /// Joint torques; zero for the root, and where an open motion has no frame before or after.
    pub tau: Vec<f64>,
    /// Force on each point; zero where it is not down.
    pub forces: Vec<[Vec3; POINTS]>,
    /// How it was found.
    pub report: PlanReport,
}

/// How good a plan is, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanReport {
    /// Whether all rows are kept.
    pub solved: bool,
    /// Gauss–Newton steps.
    pub steps: usize,
    /// Rounds of the augmented Lagrangian.
    pub rounds: usize,
    /// Greatest residual of the root's rows in the clip, with the best contact forces of the first guess, and in the plan; N or N·m.
    pub root: [f64; 2],
    /// Greatest speed of a point that is down, m/s.
    pub slip: f64,
    /// Greatest distance of a point that is down from the ground, m.
    pub height: f64,
    /// Greatest torque, N·m, and greatest share of a limit.
    pub torque: f64,
    /// Greatest share of an effort limit.
    pub effort: f64,
    /// Root mean square of the root's distance from the clip, m, and of joint angles, rad.
    pub off_root: f64,
    /// Root mean square of joint angles from the clip, rad.
    pub off_joints: f64,
}

impl Plan {
    /// Number of frames.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.reference.len()
    }

    /// Configuration of a frame.
    pub fn configuration(&self, k: usize) -> &[f64] {
        let nq = self.reference.model.nq();
        &self.q[k * nq..(k + 1) * nq]
    }

    /// Velocity that leads to a frame.
    pub fn velocity(&self, k: usize) -> &[f64] {
        let nv = self.reference.model.nv();
        &self.v[k * nv..(k + 1) * nv]
    }

    /// Torques at a frame.
    pub fn torques(&self, k: usize) -> &[f64] {
        let nv = self.reference.model.nv();
        &self.tau[k * nv..(k + 1) * nv]
    }

    /// The plan as a clip, with contacts; a cycle gets back the frame that is the first one again.
    pub fn clip(&self) -> Clip {
        let Reference { model, ends, .. } = &self.reference;
        let (mut q, mut down) = (self.q.clone(), self.reference.down.clone());
        if let Ends::Cycle(travel) = ends {
            let mut again = self.configuration(0).to_vec();
            travel.apply_to(model, &mut again);
            q.extend(again);
            down.push(down[0]);
        }
        let clip = Clip::new(self.reference.name.clone(), model.clone(), self.reference.rate, q);
        let mut clip = clip.expect("frames of a plan are finite");
        clip.contacts = Some(contacts(&down));
        clip
    }
}

/// Finds the plan nearest to a reference. `progress` is told a share from 0 to 1 and says whether to go on.
///
/// # Errors
/// When the body has no two feet, numbers are not finite, or the search is given up.
pub fn optimise(
    reference: &Reference,
    params: &SpacetimeParams,
    progress: &dyn Fn(f64) -> bool,
) -> Result<Plan, ControlError> {
    let mut reference = reference.clone();
    reference.friction = params.friction;
    let points = Points::of(&reference.model)?;
    if reference.model.free_root().is_none() {
        return Err(ControlError::Body {
            model: reference.model.name().to_owned(),
            what: "free root".to_owned(),
            remedy: "its root must be able to move".to_owned(),
        });
    }
    let mut problem = Problem::new(&reference, points, params);
    let before = problem.root_residual();
    // multipliers soon, instead of the least of a sum that changes anyway
    let settings = ChainSettings { rounds: params.rounds, steps: 3, ..ChainSettings::default() };
    let mut done = 0;
    let found = ChainSolver::new(settings).solve(&mut problem, &mut |_| {
        done += 1;
        progress(done as f64 / params.rounds as f64)
    });
    match found.status {
        ChainStatus::Failed => {
            let why = format!("{}: the search met numbers that are not finite", reference.name);
            return Err(ControlError::Preparation(why));
        }
        ChainStatus::Stopped => return Err(ControlError::Preparation("it was given up".to_owned())),
        ChainStatus::Solved | ChainStatus::RoundLimit => {}
    }
    let mut plan = collect(&mut problem, &found, before);
    plan.reference = reference;
    Ok(plan)
}

/// The result of a search.
fn collect(problem: &mut Problem<'_>, found: &ChainReport, before: f64) -> Plan {
    let (model, reference) = (problem.model.clone(), problem.reference.clone());
    let (nq, nv, count) = (model.nq(), model.nv(), reference.len());
    problem.trial = problem.now.clone();
    let (mut v, mut tau) = (vec![0.0; count * nv], vec![0.0; count * nv]);
    let mut forces = vec![[Vec3::zeros(); POINTS]; count];
    let root = model.free_root().map_or(0, |j| j.v);
    let (mut left, mut greatest, mut share) = (0.0_f64, 0.0_f64, 0.0_f64);
    let (mut off_root, mut off_joints, mut error) = (0.0, 0.0, vec![0.0; nv]);
    for k in 0..count {
        let torques = &mut tau[k * nv..(k + 1) * nv];
        problem.outcome(k, &mut v[k * nv..(k + 1) * nv], torques);
        for (d, t) in torques.iter_mut().enumerate() {
            if d.wrapping_sub(root) < 6 {
                left = left.max(t.abs());
                *t = 0.0;
            } else {
                greatest = greatest.max(t.abs());
                share = share.max(t.abs() / model.effort_limits()[d]);
            }
        }
        let own = &problem.now.forces[problem.first_force[k]..problem.first_force[k + 1]];
        for (p, f) in (0..POINTS).filter(|p| reference.down[k][*p]).zip(own.chunks_exact(3)) {
            forces[k][p] = Vec3::new(f[0], f[1], f[2]);
        }
        model.difference(reference.frame(k), &problem.now.q[k * nq..(k + 1) * nq], &mut error);
        off_root += error[root..root + 3].iter().map(|e| e * e).sum::<f64>();
        let joints = error.iter().enumerate().filter(|(d, _)| d.wrapping_sub(root) >= 6);
        off_joints += joints.map(|(_, e)| e * e).sum::<f64>();
    }
    let report = PlanReport {
        solved: found.status == ChainStatus::Solved,
        steps: found.steps,
        rounds: found.rounds.len(),
        root: [before, left],
        slip: found.violation(params::STICK),
        height: found.violation(params::LEVEL),
        torque: greatest,
        effort: share,
        off_root: (off_root / count as f64).sqrt(),
        off_joints: (off_joints / (count * (nv - 6).max(1)) as f64).sqrt(),
    };
    Plan { q: problem.now.q.clone(), reference, v, tau, forces, report }
}

impl Problem<'_> {
    /// Greatest residual of the root's rows of the trial.
    fn root_residual(&mut self) -> f64 {
        let nv = self.model.nv();
        let root = self.model.free_root().map_or(0, |j| j.v);
        let (mut v, mut tau, mut worst) = (vec![0.0; nv], vec![0.0; nv], 0.0_f64);
        for k in (0..self.reference.len()).filter(|k| self.reference.has_both(*k)) {
            self.outcome(k, &mut v, &mut tau);
            worst = tau[root..root + 6].iter().fold(worst, |w, t| w.max(t.abs()));
        }
        worst
    }
}
