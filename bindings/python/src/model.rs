//! Bodies and the algorithms of their dynamics.

use crate::arrays::{Given, Rows, alike, each_row, rows};
use crate::error::{raised, refused};
use pyo3::prelude::*;
use sinew::dynamics::format::mjcf;
use sinew::dynamics::format::urdf::{self, UrdfOptions};
use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{self, BodyId, Data, Model as Body, characters};
use std::path::PathBuf;
use std::sync::Arc;

/// An articulated body: a built-in character by its name, an MJCF or URDF file by its path, or the text of one.
///
/// Configurations `q` have `nq` numbers, velocities `v`, accelerations `a` and forces `tau` have `nv`. Each method takes one state or an array
/// with a state per row.
#[pyclass(module = "sinew", frozen)]
pub(crate) struct Model {
    pub(crate) body: Arc<Body>,
}

impl Model {
    fn name(&self) -> &str {
        self.body.name()
    }

    fn q<'a>(&self, q: &'a Given<'_>) -> PyResult<Rows<'a>> {
        rows(q, self.body.nq(), "q", self.name())
    }

    fn tangent<'a>(&self, given: &'a Given<'_>, what: &str) -> PyResult<Rows<'a>> {
        rows(given, self.body.nv(), what, self.name())
    }

    fn body_of(&self, name: &str) -> PyResult<BodyId> {
        self.body.body(name).ok_or_else(|| {
            let known: Vec<&str> = self.body.bodies().iter().map(|b| b.name.as_str()).collect();
            refused(format!("`{}` has no body `{name}`; its bodies are {}", self.name(), known.join(", ")))
        })
    }
}

/// Finds and loads what is named.
pub(crate) fn load(source: &str) -> PyResult<Arc<Body>> {
    if source.trim_start().starts_with('<') {
        let urdf = source.contains("<robot");
        let read = if urdf {
            Body::from_urdf(source).map_err(raised)
        } else {
            Body::from_mjcf(source).map_err(raised)
        };
        return Ok(Arc::new(read?.0));
    }
    let path = PathBuf::from(source);
    let mut spec = match path.extension().and_then(|e| e.to_str()) {
        Some("xml") => mjcf::read(&path).map_err(raised)?.0,
        Some("urdf") => urdf::read(&path, &UrdfOptions::default()).map_err(raised)?.0,
        _ => return characters::load(source).map(Arc::new).map_err(raised),
    };
    spec.complete_roles(None);
    Ok(Arc::new(Body::new(spec).map_err(raised)?))
}

#[pymethods]
impl Model {
    #[new]
    fn new(source: &str) -> PyResult<Model> {
        Ok(Model { body: load(source)? })
    }

    fn __repr__(&self) -> String {
        format!(
            "Model({:?}, nq={}, nv={}, mass={:.1})",
            self.name(),
            self.body.nq(),
            self.body.nv(),
            self.body.mass()
        )
    }

    /// Its name.
    #[getter]
    fn get_name(&self) -> &str {
        self.name()
    }

    /// Numbers of a configuration.
    #[getter]
    fn nq(&self) -> usize {
        self.body.nq()
    }

    /// Numbers of a velocity: degrees of freedom.
    #[getter]
    fn nv(&self) -> usize {
        self.body.nv()
    }

    /// Mass, kg.
    #[getter]
    fn mass(&self) -> f64 {
        self.body.mass()
    }

    /// Names of the bodies.
    #[getter]
    fn bodies(&self) -> Vec<&str> {
        self.body.bodies().iter().map(|b| b.name.as_str()).collect()
    }

    /// Names of the joints.
    #[getter]
    fn joints(&self) -> Vec<&str> {
        self.body.joints().iter().map(|j| j.name.as_str()).collect()
    }

    /// The MJCF text of the model.
    fn to_mjcf(&self) -> String {
        mjcf::write(self.body.spec())
    }

    /// Greatest torque of each degree of freedom, N·m or N; 0 where there is no motor.
    #[getter]
    fn effort_limits<'py>(&self, py: Python<'py>) -> Bound<'py, numpy::PyArray1<f64>> {
        numpy::PyArray1::from_slice(py, self.body.effort_limits())
    }

    /// The configuration in which every joint is at its reference.
    fn neutral<'py>(&self, py: Python<'py>) -> Bound<'py, numpy::PyArray1<f64>> {
        numpy::PyArray1::from_vec(py, self.body.neutral())
    }

    /// The configuration that a displacement `dv` (of `nv` numbers) leads to.
    fn integrate<'py>(&self, py: Python<'py>, q: Given<'py>, dv: Given<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (q, dv) = (self.q(&q)?, self.tangent(&dv, "dv")?);
        alike(&q, &[("dv", &dv)])?;
        each_row(
            py,
            &q,
            &[self.body.nq()],
            || (),
            |(), k, out| {
                self.body.integrate(q.row(k), dv.row(k), out);
                Ok(())
            },
        )
    }

    /// The displacement (of `nv` numbers) that leads from `q0` to `q1`.
    fn difference<'py>(
        &self,
        py: Python<'py>,
        q0: Given<'py>,
        q1: Given<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (q0, q1) = (self.q(&q0)?, self.q(&q1)?);
        alike(&q0, &[("q1", &q1)])?;
        each_row(
            py,
            &q0,
            &[self.body.nv()],
            || (),
            |(), k, out| {
                self.body.difference(q0.row(k), q1.row(k), out);
                Ok(())
            },
        )
    }

    /// The mass matrix, `nv × nv`.
    fn mass_matrix<'py>(&self, py: Python<'py>, q: Given<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (q, nv) = (self.q(&q)?, self.body.nv());
        each_row(
            py,
            &q,
            &[nv, nv],
            || Data::new(&self.body),
            |data, k, out| {
                out.copy_from_slice(dynamics::crba(&self.body, data, q.row(k)));
                Ok(())
            },
        )
    }

    /// Generalised forces of a motion (inverse dynamics): `M(q) a + h(q, v)`.
    fn rnea<'py>(
        &self,
        py: Python<'py>,
        q: Given<'py>,
        v: Given<'py>,
        a: Given<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (q, v, a) = (self.q(&q)?, self.tangent(&v, "v")?, self.tangent(&a, "a")?);
        alike(&q, &[("v", &v), ("a", &a)])?;
        each_row(
            py,
            &q,
            &[self.body.nv()],
            || Data::new(&self.body),
            |data, k, out| {
                out.copy_from_slice(dynamics::rnea(&self.body, data, q.row(k), v.row(k), a.row(k)));
                Ok(())
            },
        )
    }

    /// Gravity, Coriolis and centrifugal forces `h(q, v)`.
    fn bias_force<'py>(&self, py: Python<'py>, q: Given<'py>, v: Given<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (q, v) = (self.q(&q)?, self.tangent(&v, "v")?);
        alike(&q, &[("v", &v)])?;
        each_row(
            py,
            &q,
            &[self.body.nv()],
            || Data::new(&self.body),
            |data, k, out| {
                out.copy_from_slice(dynamics::bias_force(&self.body, data, q.row(k), v.row(k)));
                Ok(())
            },
        )
    }

    /// Accelerations under forces (forward dynamics, without contacts): `M(q)⁻¹ (tau − h(q, v))`.
    fn aba<'py>(
        &self,
        py: Python<'py>,
        q: Given<'py>,
        v: Given<'py>,
        tau: Given<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (q, v, tau) = (self.q(&q)?, self.tangent(&v, "v")?, self.tangent(&tau, "tau")?);
        alike(&q, &[("v", &v), ("tau", &tau)])?;
        each_row(
            py,
            &q,
            &[self.body.nv()],
            || Data::new(&self.body),
            |data, k, out| {
                let a = dynamics::aba(&self.body, data, q.row(k), v.row(k), tau.row(k));
                out.copy_from_slice(a.map_err(|e| e.to_string())?);
                Ok(())
            },
        )
    }

    /// Derivatives of `rnea` with respect to `q` (its tangent) and `v`: two matrices `nv × nv`, stacked.
    fn rnea_derivatives<'py>(
        &self,
        py: Python<'py>,
        q: Given<'py>,
        v: Given<'py>,
        a: Given<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (q, v, a) = (self.q(&q)?, self.tangent(&v, "v")?, self.tangent(&a, "a")?);
        alike(&q, &[("v", &v), ("a", &a)])?;
        let nv = self.body.nv();
        each_row(
            py,
            &q,
            &[2, nv, nv],
            || Data::new(&self.body),
            |data, k, out| {
                let d = dynamics::rnea_derivatives(&self.body, data, q.row(k), v.row(k), a.row(k));
                let (dq, dv) = out.split_at_mut(nv * nv);
                // ours are column-major
                for (to, from) in [(dq, d.dq), (dv, d.dv)] {
                    transpose(from, nv, to);
                }
                Ok(())
            },
        )
    }

    /// Derivatives of `aba` with respect to `q` (its tangent), `v` and `tau`: three matrices `nv × nv`, stacked.
    fn aba_derivatives<'py>(
        &self,
        py: Python<'py>,
        q: Given<'py>,
        v: Given<'py>,
        tau: Given<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (q, v, tau) = (self.q(&q)?, self.tangent(&v, "v")?, self.tangent(&tau, "tau")?);
        alike(&q, &[("v", &v), ("tau", &tau)])?;
        let nv = self.body.nv();
        each_row(
            py,
            &q,
            &[3, nv, nv],
            || Data::new(&self.body),
            |data, k, out| {
                let d = dynamics::aba_derivatives(&self.body, data, q.row(k), v.row(k), tau.row(k));
                let d = d.map_err(|e| e.to_string())?;
                for (to, from) in out.chunks_exact_mut(nv * nv).zip([d.dq, d.dv, d.dtau]) {
                    transpose(from, nv, to);
                }
                Ok(())
            },
        )
    }

    /// Jacobian of a body's origin: six rows (linear, angular velocity in world axes), `nv` columns.
    fn jacobian<'py>(&self, py: Python<'py>, q: Given<'py>, body: &str) -> PyResult<Bound<'py, PyAny>> {
        let (q, nv, id) = (self.q(&q)?, self.body.nv(), self.body_of(body)?);
        let start = || (Data::new(&self.body), vec![0.0; 6 * nv]);
        each_row(py, &q, &[6, nv], start, |(data, columns), k, out| {
            dynamics::forward_kinematics(&self.body, data, q.row(k));
            let point: Vec3 = data.body_placement(&self.body, id).pos;
            data.body_jacobian(&self.body, id, &point, columns);
            for (at, x) in columns.iter().enumerate() {
                out[at % 6 * nv + at / 6] = *x;
            }
            Ok(())
        })
    }

    /// Places of all bodies: a row `x y z w x y z` (quaternion w first) per body.
    fn poses<'py>(&self, py: Python<'py>, q: Given<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (q, count) = (self.q(&q)?, self.body.bodies().len());
        each_row(
            py,
            &q,
            &[count, 7],
            || Data::new(&self.body),
            |data, k, out| {
                dynamics::forward_kinematics(&self.body, data, q.row(k));
                for (body, out) in out.chunks_exact_mut(7).enumerate() {
                    let at = data.body_placement(&self.body, BodyId(body));
                    let turn = dynamics::spatial::rotation::from_matrix(&at.rot);
                    out.copy_from_slice(&[at.pos.x, at.pos.y, at.pos.z, turn.w, turn.i, turn.j, turn.k]);
                }
                Ok(())
            },
        )
    }

    /// The centre of mass.
    fn center_of_mass<'py>(&self, py: Python<'py>, q: Given<'py>) -> PyResult<Bound<'py, PyAny>> {
        let q = self.q(&q)?;
        each_row(
            py,
            &q,
            &[3],
            || Data::new(&self.body),
            |data, k, out| {
                out.copy_from_slice(dynamics::center_of_mass(&self.body, data, q.row(k)).as_slice());
                Ok(())
            },
        )
    }

    /// Kinetic energy, J.
    fn kinetic_energy<'py>(
        &self,
        py: Python<'py>,
        q: Given<'py>,
        v: Given<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (q, v) = (self.q(&q)?, self.tangent(&v, "v")?);
        alike(&q, &[("v", &v)])?;
        each_row(
            py,
            &q,
            &[],
            || Data::new(&self.body),
            |data, k, out| {
                out[0] = dynamics::kinetic_energy(&self.body, data, q.row(k), v.row(k));
                Ok(())
            },
        )
    }

    /// Potential energy of gravity, J.
    fn potential_energy<'py>(&self, py: Python<'py>, q: Given<'py>) -> PyResult<Bound<'py, PyAny>> {
        let q = self.q(&q)?;
        each_row(
            py,
            &q,
            &[],
            || Data::new(&self.body),
            |data, k, out| {
                out[0] = dynamics::potential_energy(&self.body, data, q.row(k));
                Ok(())
            },
        )
    }
}

/// A matrix by columns as one by rows.
fn transpose(from: &[f64], n: usize, to: &mut [f64]) {
    for (at, x) in from.iter().enumerate() {
        to[at % n * n + at / n] = *x;
    }
}
