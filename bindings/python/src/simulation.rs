//! A run, step by step.

use crate::error::{raised, refused};
use crate::model::{Model, load};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew::control::{Action, EpisodeRecorder, Kind, Request, Value};
use sinew::dynamics::Role;
use sinew::dynamics::spatial::Vec3;
use sinew::lab::{Scenario, Simulation as Played};
use sinew::world::Push;
use std::path::Path;
use std::sync::Arc;

/// The TOML text of a scenario that is given as JSON.
#[pyfunction]
pub(crate) fn toml_of(json: &str) -> PyResult<String> {
    let value: serde_json::Value = serde_json::from_str(json).map_err(raised)?;
    toml::to_string(&value).map_err(raised)
}

/// A scenario that is played: world, controller, measures, recording.
#[pyclass(module = "sinew", subclass)]
pub(crate) struct Simulation {
    played: Played,
    recorder: Option<EpisodeRecorder>,
}

impl Simulation {
    fn system(&self) -> &'static sinew::control::System {
        self.played.episode().order().system
    }
}

#[pymethods]
impl Simulation {
    /// `text`: the scenario as TOML; `file` names it in errors, and what it names is looked for in `folder`.
    #[new]
    #[pyo3(signature = (text, *, file = "scenario", folder = None, model = None, record = false))]
    fn new(
        py: Python<'_>,
        text: &str,
        file: &str,
        folder: Option<&str>,
        model: Option<&Model>,
        record: bool,
    ) -> PyResult<Simulation> {
        let mut scenario = Scenario::parse(text, file).map_err(raised)?;
        if let Some(folder) = folder.map(Path::new) {
            for clip in &mut scenario.controller.clips {
                let beside = folder.join(&*clip);
                if beside.is_file() {
                    *clip = beside;
                }
            }
            let beside = folder.join(&scenario.character);
            if beside.is_file() {
                scenario.character = beside.display().to_string();
            }
        }
        let body = match model {
            Some(model) => Arc::clone(&model.body),
            None => load(&scenario.character)?,
        };
        py.detach(|| {
            let played = Played::new(scenario, body).map_err(raised)?;
            let start = || EpisodeRecorder::in_memory(played.episode(), played.meta());
            let recorder = record.then(start).transpose().map_err(raised)?;
            Ok(Simulation { played, recorder })
        })
    }

    /// The body.
    #[getter]
    fn model(&self) -> Model {
        Model { body: Arc::clone(self.played.model()) }
    }

    /// Name of the controller.
    #[getter]
    fn controller(&self) -> &'static str {
        self.system().name
    }

    /// Time of the world, s.
    #[getter]
    fn time(&self) -> f64 {
        self.played.world().time()
    }

    /// Time step, s.
    #[getter]
    fn dt(&self) -> f64 {
        self.played.world().settings().dt
    }

    /// Duration of the scenario, s.
    #[getter]
    fn seconds(&self) -> f64 {
        self.played.scenario().seconds
    }

    /// The configuration.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.played.q())
    }

    /// The velocity.
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.played.v())
    }

    /// Torques of the last step.
    #[getter]
    fn tau<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.played.world().frame(self.played.episode().actor()).tau)
    }

    /// When and why it fell, or nothing.
    #[getter]
    fn fall(&self) -> Option<(f64, String)> {
        let summary = self.played.metrics().summary();
        Some((summary.fall_time?, summary.fall_reason.unwrap_or_default()))
    }

    /// Footsteps so far, when the controller counts them.
    #[getter]
    fn footsteps(&self) -> Option<f64> {
        self.played.episode().footsteps()
    }

    /// What the controller told of its last decision, by name.
    fn signals(&self) -> Vec<(&'static str, f64)> {
        let values = self.played.episode().signals();
        self.system().signals().map(|signal| signal.name).zip(values.iter().copied()).collect()
    }

    /// What has happened so far, as JSON.
    fn summary(&self) -> PyResult<String> {
        serde_json::to_string(&self.played.metrics().summary()).map_err(|e| refused(e.to_string()))
    }

    /// Takes `steps` steps; Ctrl-C ends it between two of them.
    #[pyo3(signature = (steps = 1))]
    fn step(&mut self, py: Python<'_>, steps: usize) -> PyResult<()> {
        // Python is asked now and then whether somebody wants to stop
        const TOGETHER: usize = 200;
        let mut left = steps;
        while left > 0 {
            let now = left.min(TOGETHER);
            py.detach(|| (0..now).try_for_each(|_| self.once()))?;
            left -= now;
            py.check_signals()?;
        }
        Ok(())
    }

    /// What is asked for: speed forward and to the left (m/s) and heading (rad).
    #[pyo3(signature = (forward = 0.0, left = 0.0, heading = 0.0))]
    fn command(&mut self, forward: f64, left: f64, heading: f64) -> PyResult<()> {
        if ![forward, left, heading].iter().all(|x| x.is_finite()) {
            return Err(refused("a command is made of finite numbers"));
        }
        let command = sinew::control::Command { velocity: [forward, left], heading };
        self.played.perform(&Action::Command(command)).map_err(raised)
    }

    /// Pushes a part by an impulse (N·s, world axes), spread over `seconds`, from now on.
    #[pyo3(signature = (impulse, *, seconds = 0.1, part = "trunk"))]
    fn push(&mut self, impulse: [f64; 3], seconds: f64, part: &str) -> PyResult<()> {
        if !impulse.iter().all(|x| x.is_finite()) || !(seconds > 0.0 && seconds.is_finite()) {
            return Err(refused(
                "a push has a finite impulse (three numbers, N·s) and lasts longer than 0 s",
            ));
        }
        let role: Role = part.parse().map_err(raised)?;
        let model = Arc::clone(self.played.model());
        let name = model.name();
        let body = model.role(role).ok_or_else(|| refused(format!("`{name}` has no {part}")))?;
        let (actor, dt) = (self.played.episode().actor(), self.dt());
        let push = Push::of_impulse(actor, body, Vec3::zeros(), Vec3::from(impulse), seconds, dt);
        self.played.episode_mut().world_mut().push(push);
        Ok(())
    }

    /// Changes to a style of the controller.
    fn style(&mut self, name: &str) -> PyResult<()> {
        let style = self.system().style(name).ok_or_else(|| {
            let known: Vec<&str> = self.system().styles.iter().map(|s| s.name).collect();
            refused(format!(
                "the {} has no style `{name}`; its styles are: {}",
                self.controller(),
                known.join(", ")
            ))
        })?;
        self.played.perform(&Action::Style(style)).map_err(raised)
    }

    /// Paths of all parameters.
    fn parameters(&self) -> Vec<String> {
        let groups = self.system().groups.iter();
        groups
            .flat_map(|group| group.params.iter().map(move |p| format!("{}.{}", group.name, p.name)))
            .collect()
    }

    /// The value of a parameter; angles in rad.
    fn get(&self, py: Python<'_>, path: &str) -> PyResult<Py<PyAny>> {
        let value = self.played.episode().order().value(path).ok_or_else(|| self.no_parameter(path))?;
        Ok(match value {
            Value::Number(x) => x.into_pyobject(py)?.into_any().unbind(),
            Value::Flag(x) => x.into_pyobject(py)?.to_owned().into_any().unbind(),
            Value::Name(x) => x.into_pyobject(py)?.into_any().unbind(),
            Value::Numbers(x) => x.into_pyobject(py)?.into_any().unbind(),
        })
    }

    /// Sets a parameter; angles in rad.
    fn set(&mut self, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (_, param) = self.system().param(path).ok_or_else(|| self.no_parameter(path))?;
        let wanted = || {
            refused(format!(
                "`{path}` must be {}",
                param.wants(&Value::Numbers(vec![f64::NAN])).unwrap_or_default()
            ))
        };
        let value = match param.kind {
            Kind::Number { .. } => Value::Number(value.extract().map_err(|_| wanted())?),
            Kind::Flag { .. } => Value::Flag(value.extract().map_err(|_| wanted())?),
            Kind::Choice { .. } => Value::Name(value.extract().map_err(|_| wanted())?),
            Kind::Numbers { .. } => Value::Numbers(value.extract().map_err(|_| wanted())?),
        };
        if let Some(wanted) = param.wants(&value) {
            return Err(refused(format!("`{path}` must be {wanted}")));
        }
        self.played.perform(&Action::Set(path.to_owned(), value)).map_err(raised)
    }

    /// Asks for something, as `ask("jump", height=0.2)`.
    #[pyo3(signature = (name, values))]
    fn ask(&mut self, name: &str, values: Vec<(String, f64)>) -> PyResult<()> {
        let kind = self
            .system()
            .request(name)
            .ok_or_else(|| refused(format!("the {} takes no request `{name}`", self.controller())))?;
        let mut request = Request::new(kind);
        for (key, value) in values {
            let param = kind.params.iter().find(|p| p.name == key).ok_or_else(|| {
                let known: Vec<&str> = kind.params.iter().map(|p| p.name).collect();
                refused(format!("a {name} has no `{key}`; it has {}", known.join(", ")))
            })?;
            let value = Value::Number(value);
            if let Some(wanted) = param.wants(&value) {
                return Err(refused(format!("`{key}` must be {wanted}")));
            }
            request.values.push((param.name, value));
        }
        self.played.perform(&Action::Ask(request)).map_err(raised)
    }

    /// Adds torques to those of the controller in every step from now on: `nv` numbers, those of the root without effect. They stay within
    /// the limits of the joints together.
    fn assist(&mut self, torque: PyReadonlyArray1<'_, f64>) -> PyResult<()> {
        let torque = torque.as_slice().map_err(raised)?;
        let (nv, fits) = (self.played.model().nv(), torque.iter().all(|t| t.is_finite()));
        if !fits || !(torque.is_empty() || torque.len() == nv) {
            return Err(refused(format!("torques are {nv} finite numbers, one for each degree of freedom")));
        }
        self.played.episode_mut().set_assist(torque);
        Ok(())
    }

    /// An exact copy, without what was recorded.
    fn copy(&self) -> Simulation {
        Simulation { played: self.played.clone(), recorder: None }
    }

    /// Ends the recording: the bytes of an `.npz` file.
    fn recording<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let recorder = self.recorder.take().ok_or_else(|| {
            refused(
                "nothing is recorded: ask for it when the simulation is made (`record=True`), and once only",
            )
        })?;
        let bytes = py.detach(|| recorder.into_bytes()).map_err(raised)?;
        Ok(PyBytes::new(py, &bytes))
    }
}

impl Simulation {
    fn once(&mut self) -> PyResult<()> {
        self.played.step().map_err(raised)?;
        if let Some(recorder) = &mut self.recorder {
            recorder.push(self.played.episode()).map_err(raised)?;
        }
        Ok(())
    }

    fn no_parameter(&self, path: &str) -> PyErr {
        refused(format!(
            "the {} has no parameter `{path}`; its parameters are: {}",
            self.controller(),
            self.parameters().join(", ")
        ))
    }
}
