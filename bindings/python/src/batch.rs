//! Many runs side by side, for learning: actions in, observations and rewards out, all runs in parallel without the GIL.
//!
//! An action is a number from −1 to 1 for each joint's degree of freedom: torque over its limit, times `scale`, added to the controller's. An
//! observation has, in the frame of the root's heading: its height, the vertical seen from it, its linear and angular velocity,
//! angles and velocities of all joints, and the load of both feet over the weight; then, when a motion is followed, sine and cosine of its phase and
//! how far each joint is from it.

use crate::error::{raised, refused};
use crate::model::load;
use numpy::ndarray::ArrayView2;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use sinew::dynamics::spatial::{Vec3, rotation};
use sinew::dynamics::{BodyId, JointKind, Model, Role, Side};
use sinew::lab::{Scenario, Simulation};
use sinew::motion::{Clip, Interpolation, Outside, Sampler, reference};
use sinew::world::Push;
use std::sync::Arc;

/// Numbers of the root in an observation: height, vertical, two velocities.
const ROOT: usize = 10;
/// A pose error of this mean square, rad², halves the reward by a factor e.
const POSE: f64 = 0.1;

/// A run among many.
struct Env {
    sim: Simulation,
    random: Pcg64Mcg,
    next_push: f64,
}

/// What all runs share.
struct Shared {
    first: Simulation,
    model: Arc<Model>,
    feet: [Option<BodyId>; 2],
    /// First configuration number and velocity number of the joints after the root.
    joints: [usize; 2],
    limits: Vec<f64>,
    sampler: Option<Sampler>,
    substeps: usize,
    scale: f64,
    speed: f64,
    seconds: f64,
    /// Greatest random push, N·s per kg; 0 for none.
    push: f64,
}

/// Runs of one scenario side by side. Its parts are reached through `sinew.gym`.
#[pyclass(module = "sinew")]
pub(crate) struct Batch {
    shared: Shared,
    envs: Vec<Env>,
}

impl Shared {
    fn observed(&self) -> usize {
        let joints = self.model.nv() - self.joints[1];
        ROOT + 2 * joints + 2 + self.sampler.as_ref().map_or(0, |_| 2 + joints)
    }

    fn start(&self, seed: u64) -> Env {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let next_push = random.random_range(1.0..3.0);
        Env { sim: self.first.clone(), random, next_push }
    }

    /// The joints' displacement from the reference at this time, and its phase.
    fn off(&self, env: &Env, off: &mut [f64]) -> f64 {
        let Some(sampler) = &self.sampler else { return 0.0 };
        let mut wanted = self.model.neutral();
        let time = env.sim.world().time();
        sampler.configuration(time, &mut wanted);
        let mut all = vec![0.0; self.model.nv()];
        self.model.difference(env.sim.q(), &wanted, &mut all);
        off.copy_from_slice(&all[self.joints[1]..]);
        time / sampler.duration().max(1e-9)
    }

    fn observe(&self, env: &Env, out: &mut [f64]) {
        let (q, v) = (env.sim.q(), env.sim.v());
        let to_heading = |x: Vec3| {
            let heading = self.model.heading(q);
            let (s, c) = heading.sin_cos();
            [c * x.x + s * x.y, c * x.y - s * x.x, x.z]
        };
        let turned = rotation::to_matrix(&rotation::from_wxyz(&q[3..7]));
        let up = turned.transpose() * Vec3::z();
        out[0] = q[2];
        out[1..4].copy_from_slice(up.as_slice());
        out[4..7].copy_from_slice(&to_heading(Vec3::new(v[0], v[1], v[2])));
        out[7..10].copy_from_slice(&v[3..6]);
        let joints = self.model.nv() - self.joints[1];
        let mut at = ROOT;
        // angles as displacements from the reference of the model, so that ball joints have three numbers
        let mut all = vec![0.0; self.model.nv()];
        self.model.difference(&self.model.neutral(), q, &mut all);
        out[at..at + joints].copy_from_slice(&all[self.joints[1]..]);
        at += joints;
        out[at..at + joints].copy_from_slice(&v[self.joints[1]..]);
        at += joints;
        let weight = self.model.mass() * 9.81;
        let frame = env.sim.world().frame(env.sim.episode().actor());
        for (k, foot) in self.feet.iter().enumerate() {
            let load = frame.contacts.iter().filter(|c| Some(BodyId(c.body)) == *foot).map(|c| c.force.z);
            out[at + k] = load.sum::<f64>() / weight;
        }
        at += 2;
        if self.sampler.is_some() {
            let phase = std::f64::consts::TAU * self.off(env, &mut out[at + 2..at + 2 + joints]);
            (out[at], out[at + 1]) = phase.sin_cos();
        }
    }

    /// Steps a run; returns the reward, whether it has fallen, and whether its time is over.
    fn step(&self, env: &mut Env, action: &[f64]) -> Result<(f64, bool, bool), String> {
        let mut torque = vec![0.0; self.model.nv()];
        for (k, x) in action.iter().enumerate() {
            let dof = self.joints[1] + k;
            torque[dof] = x.clamp(-1.0, 1.0) * self.scale * self.limits[dof];
        }
        env.sim.episode_mut().set_assist(&torque);
        for _ in 0..self.substeps {
            self.maybe_push(env);
            env.sim.step().map_err(|e| e.to_string())?;
        }
        let fell = env.sim.metrics().fall().is_some();
        let over = env.sim.world().time() >= self.seconds - 1e-9;
        let effort = action.iter().map(|x| x * x).sum::<f64>() / action.len().max(1) as f64;
        let good = if self.sampler.is_some() {
            let mut off = vec![0.0; self.model.nv() - self.joints[1]];
            self.off(env, &mut off);
            let mean = off.iter().map(|x| x * x).sum::<f64>() / off.len().max(1) as f64;
            (-mean / POSE).exp()
        } else {
            let heading = self.model.heading(env.sim.q());
            let v = env.sim.v();
            let off = v[0] * heading.cos() + v[1] * heading.sin() - self.speed;
            (-4.0 * off * off).exp()
        };
        Ok((if fell { 0.0 } else { good - 0.1 * effort }, fell, over))
    }

    fn maybe_push(&self, env: &mut Env) {
        let time = env.sim.world().time();
        if self.push <= 0.0 || time < env.next_push {
            return;
        }
        env.next_push = time + env.random.random_range(2.0..4.0);
        let angle = env.random.random_range(0.0..std::f64::consts::TAU);
        let size = env.random.random_range(0.0..self.push) * self.model.mass();
        let seconds = env.random.random_range(0.1..0.5);
        let Some(body) = self.model.role(Role::Trunk).or(self.model.role(Role::Pelvis)) else { return };
        let impulse = Vec3::new(size * angle.cos(), size * angle.sin(), 0.0);
        let (actor, dt) = (env.sim.episode().actor(), env.sim.world().settings().dt);
        let push = Push::of_impulse(actor, body, Vec3::zeros(), impulse, seconds, dt);
        env.sim.episode_mut().world_mut().push(push);
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (text, count, *, substeps, scale, seconds, speed = 0.0, push = 0.0, motion = None))]
    fn new(
        py: Python<'_>,
        text: &str,
        count: usize,
        substeps: usize,
        scale: f64,
        seconds: f64,
        speed: f64,
        push: f64,
        motion: Option<&str>,
    ) -> PyResult<Batch> {
        if !(1..=4096).contains(&count) || !(1..=1000).contains(&substeps) {
            return Err(refused("there are 1 to 4096 runs side by side, of 1 to 1000 steps for each action"));
        }
        if !(scale.is_finite() && speed.is_finite() && push >= 0.0 && push < 100.0 && seconds > 0.0) {
            return Err(refused(
                "scale, speed, push and seconds are finite, push is at least 0, seconds more than 0",
            ));
        }
        let scenario = Scenario::parse(text, "scenario").map_err(raised)?;
        let body = load(&scenario.character)?;
        py.detach(|| {
            let first = Simulation::new(scenario, body).map_err(raised)?;
            let model = Arc::clone(first.model());
            let root = model.joints().first().map(|j| j.kind);
            if root != Some(JointKind::Free) {
                return Err(refused(format!("`{}` has no free root", model.name())));
            }
            let sampler = motion.map(|name| -> PyResult<Sampler> {
                let found = reference::load(name, &model, &Default::default(), &Default::default());
                let clip: Clip = found.map_err(raised)?.clip;
                Ok(Sampler::new(&clip, Interpolation::default(), Outside::Loop))
            });
            let shared = Shared {
                feet: [Side::Left, Side::Right].map(|side| model.role(Role::Foot(side))),
                joints: [7, 6],
                limits: model.effort_limits().to_vec(),
                sampler: sampler.transpose()?,
                model,
                first,
                substeps,
                scale,
                speed,
                seconds,
                push,
            };
            let envs = (0..count).map(|k| shared.start(k as u64)).collect();
            Ok(Batch { shared, envs })
        })
    }

    /// Runs.
    fn __len__(&self) -> usize {
        self.envs.len()
    }

    /// Numbers of an action.
    #[getter]
    fn actions(&self) -> usize {
        self.shared.model.nv() - self.shared.joints[1]
    }

    /// Numbers of an observation.
    #[getter]
    fn observations(&self) -> usize {
        self.shared.observed()
    }

    /// Seconds of the world for each action.
    #[getter]
    fn dt(&self) -> f64 {
        self.shared.substeps as f64 * self.shared.first.world().settings().dt
    }

    /// Begins some runs anew, each with its seed.
    fn reset(&mut self, runs: Vec<usize>, seeds: Vec<u64>) -> PyResult<()> {
        if runs.len() != seeds.len() || runs.iter().any(|run| *run >= self.envs.len()) {
            return Err(refused(format!(
                "there are {} runs, and each that begins anew needs a seed",
                self.envs.len()
            )));
        }
        for (run, seed) in runs.into_iter().zip(seeds) {
            self.envs[run] = self.shared.start(seed);
        }
        Ok(())
    }

    /// What is seen of every run, a row each.
    fn observe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let width = self.shared.observed();
        let mut out = vec![0.0; width * self.envs.len()];
        py.detach(|| {
            let rows = out.par_chunks_mut(width).zip(&self.envs);
            rows.for_each(|(row, env)| self.shared.observe(env, row));
        });
        PyArray1::from_vec(py, out).reshape([self.envs.len(), width])
    }

    /// Steps every run: rewards, which have fallen, which are over.
    #[allow(clippy::type_complexity)]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>)> {
        let (count, width) = (self.envs.len(), self.actions());
        if actions.shape() != [count, width] {
            let shape = actions.shape();
            return Err(refused(format!(
                "actions are {count} rows of {width} numbers; their shape is {shape:?}"
            )));
        }
        let view: ArrayView2<'_, f64> = actions.as_array();
        if view.iter().any(|x| !x.is_finite()) {
            return Err(refused("actions are finite numbers"));
        }
        let flat: Vec<f64> = view.iter().copied().collect();
        let Batch { shared, envs } = self;
        let done: Result<Vec<(f64, bool, bool)>, String> = py.detach(|| {
            let each = envs.par_iter_mut().zip(flat.par_chunks(width.max(1)));
            each.map(|(env, action)| shared.step(env, action)).collect()
        });
        let done = done.map_err(refused)?;
        Ok((
            PyArray1::from_iter(py, done.iter().map(|d| d.0)),
            PyArray1::from_iter(py, done.iter().map(|d| d.1)),
            PyArray1::from_iter(py, done.iter().map(|d| d.2)),
        ))
    }
}
