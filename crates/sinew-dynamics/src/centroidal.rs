//! The whole body as one: centre of mass, momentum and their maps.
//!
//! With `h = [l; k]` the linear momentum and the angular momentum about the centre of mass, `h = A(q) v` and
//! `ḣ = A v̇ + Ȧ v`, which equals the external wrench about the centre of mass (Orin, Goswami, Lee 2013). Column `k` of
//! `A` is the momentum of the bodies that `v_k` carries, from their composite inertia. Rows are linear (3), angular (3).

use crate::crba::composites;
use crate::data::{Composite, Data};
use crate::kinematics::{forward_kinematics, forward_velocities, world_axis};
use crate::model::{LinkKind, Model, WORLD};
use crate::spatial::{Sym3, Vec3};

/// Mass, centre of mass and locked inertia of all bodies, and the centroidal map.
#[derive(Clone, Copy, Debug)]
pub struct Centroidal<'d> {
    /// Mass of all bodies, kg.
    pub mass: f64,
    /// Their centre of mass in the world, m.
    pub com: Vec3,
    /// Rotational inertia about the centre of mass were all joints locked, world axes, kg·m².
    pub inertia: Sym3,
    /// Map from velocities to momentum, 6×nv column-major.
    pub map: &'d [f64],
}

/// Linear momentum, and angular momentum about the centre of mass, world axes; or their rates of change.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Momentum {
    /// Linear part, kg·m/s (or N).
    pub linear: Vec3,
    /// Angular part about the centre of mass, kg·m²/s (or N·m).
    pub angular: Vec3,
}

/// Computes the centroidal map `A(q)`.
///
/// ```
/// use sinew_dynamics::{Data, characters, centroidal_map};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let q = human.neutral();
/// let centroidal = centroidal_map(&human, &mut data, &q);
/// assert!((centroidal.mass - human.mass()).abs() < 1e-9);
/// assert_eq!(centroidal.map.len(), 6 * human.nv());
/// assert!((centroidal.map[0] - human.mass()).abs() < 1e-9); // the root's x velocity moves all mass
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If `q` does not have `nq` numbers.
pub fn centroidal_map<'d>(model: &Model, data: &'d mut Data, q: &[f64]) -> Centroidal<'d> {
    forward_kinematics(model, data, q);
    composites(model, data);
    let origin = data.poses.first().map_or(Vec3::zeros(), |p| p.pos);
    let mut total = Composite::fixed(&model.fixed, &origin);
    for (link, composite) in model.links.iter().zip(&data.composites) {
        if link.parent == WORLD {
            // from the tree's own origin to the common one
            let (first, second) = composite.about(&(origin - data.poses[link.root].pos));
            total += Composite { mass: composite.mass, first, second };
        }
    }
    let com = total.first / total.mass.max(f64::MIN_POSITIVE);
    for (i, link) in model.links.iter().enumerate() {
        let (pose, composite) = (&data.poses[i], &data.composites[i]);
        let (first, second) = composite.about(&(pose.pos - data.poses[link.root].pos));
        // from the link's origin to the centre of mass of all
        let arm = (pose.pos - origin) - com;
        let mut write = |dof: usize, f: Vec3, n: Vec3| {
            let column = &mut data.centroidal[6 * dof..6 * dof + 6];
            column[..3].copy_from_slice(f.as_slice());
            column[3..].copy_from_slice((n + arm.cross(&f)).as_slice());
        };
        let turn = |axis: &Vec3| (axis.cross(&first), second * *axis);
        match link.kind {
            LinkKind::Free | LinkKind::Ball => {
                let at = if link.kind == LinkKind::Free { link.v + 3 } else { link.v };
                for k in 0..3 {
                    let (f, n) = turn(&pose.rot.column(k).into());
                    write(at + k, f, n);
                }
                if link.kind == LinkKind::Free {
                    for k in 0..3 {
                        let mut f = Vec3::zeros();
                        f[k] = composite.mass;
                        let mut n = Vec3::zeros();
                        n[(k + 1) % 3] = first[(k + 2) % 3];
                        n[(k + 2) % 3] = -first[(k + 1) % 3];
                        write(link.v + k, f, n);
                    }
                }
            }
            LinkKind::Slide => {
                let axis = world_axis(link, &pose.rot);
                write(link.v, axis * composite.mass, first.cross(&axis));
            }
            _ => {
                let (f, n) = turn(&world_axis(link, &pose.rot));
                write(link.v, f, n);
            }
        }
    }
    let (_, inertia) = total.about(&com);
    Centroidal { mass: total.mass, com: com + origin, inertia, map: &data.centroidal }
}

/// Centre of mass of all bodies, world coordinates.
///
/// ```
/// use sinew_dynamics::{Data, characters, center_of_mass};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let q = human.neutral();
/// let com = center_of_mass(&human, &mut data, &q);
/// assert!(com.y.abs() < 1e-9 && com.z > 0.8 && com.z < 1.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If `q` does not have `nq` numbers.
pub fn center_of_mass(model: &Model, data: &mut Data, q: &[f64]) -> Vec3 {
    forward_kinematics(model, data, q);
    data.center_of_mass(model)
}

/// Momentum at `(q, v)`.
///
/// ```
/// use sinew_dynamics::{Data, characters, momentum};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let (q, v) = (human.neutral(), vec![0.0; human.nv()]);
/// let mut v = v;
/// v[0] = 1.5; // walking speed
/// let h = momentum(&human, &mut data, &q, &v);
/// assert!((h.linear.x - 1.5 * human.mass()).abs() < 1e-9 && h.angular.norm() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the slices do not have `nq` and `nv` numbers.
pub fn momentum(model: &Model, data: &mut Data, q: &[f64], v: &[f64]) -> Momentum {
    forward_velocities(model, data, q, v);
    let com = data.center_of_mass(model);
    let mut sum = Momentum::default();
    for (i, link) in model.links.iter().enumerate() {
        let (pose, twist, inertia) = (&data.poses[i], &data.velocities[i], &link.inertia);
        let arm = pose.rot * inertia.com;
        let linear = (twist.linear + twist.angular.cross(&arm)) * inertia.mass;
        sum.linear += linear;
        sum.angular +=
            inertia.about_com.rotated(&pose.rot) * twist.angular + (pose.pos + arm - com).cross(&linear);
    }
    sum
}

/// `Ȧ(q, v) v`: the rate of change of momentum at zero joint acceleration, without gravity.
///
/// ```
/// use sinew_dynamics::{Data, characters, centroidal_bias};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let (q, v) = (human.neutral(), vec![0.0; human.nv()]);
/// let mut v = v;
/// v[3..6].fill(1.0); // a tumbling body: the root circles about the centre of mass
/// let rate = centroidal_bias(&human, &mut data, &q, &v);
/// assert!(rate.linear.norm() > 0.0); // M v̇ + this = outside forces
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the slices do not have `nq` and `nv` numbers.
pub fn centroidal_bias(model: &Model, data: &mut Data, q: &[f64], v: &[f64]) -> Momentum {
    // the wrench that moves the links so; gravity enters as an acceleration of the base and is taken out again
    crate::rnea::outward(model, data, q, v, |_| Vec3::zeros(), |_| 0.0);
    let com = data.center_of_mass(model);
    let mut sum = Momentum::default();
    for (i, link) in model.links.iter().enumerate() {
        let (pose, wrench) = (&data.poses[i], &data.wrenches[i]);
        let weight = model.gravity() * link.inertia.mass;
        let arm = pose.rot * link.inertia.com;
        sum.linear += wrench.force + weight;
        sum.angular +=
            wrench.moment + (pose.pos - com).cross(&wrench.force) + (pose.pos + arm - com).cross(&weight);
    }
    sum
}

impl Data {
    /// Centre of mass for the frames of the last algorithm.
    pub fn center_of_mass(&self, model: &Model) -> Vec3 {
        let mut mass = model.fixed.mass;
        let mut sum = model.fixed.com * mass;
        for (link, pose) in model.links.iter().zip(&self.poses) {
            sum += (pose.rot * link.inertia.com + pose.pos) * link.inertia.mass;
            mass += link.inertia.mass;
        }
        sum / if mass > 0.0 { mass } else { 1.0 }
    }
}

/// Jacobian (3×nv) of the centre of mass at `q`.
///
/// ```
/// use sinew_dynamics::{Data, characters, com_jacobian};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let q = human.neutral();
/// let mut jacobian = vec![0.0; 3 * human.nv()];
/// com_jacobian(&human, &mut data, &q, &mut jacobian);
/// assert!((jacobian[0] - 1.0).abs() < 1e-12); // the root carries the centre of mass along
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If `q` does not have `nq` or `out` not `3·nv` numbers.
pub fn com_jacobian(model: &Model, data: &mut Data, q: &[f64], out: &mut [f64]) {
    assert_eq!(out.len(), 3 * model.nv(), "the centre of mass' Jacobian is 3×nv");
    let Centroidal { mass, map, .. } = centroidal_map(model, data, q);
    let mass = if mass > 0.0 { mass } else { 1.0 };
    for (column, a) in out.chunks_exact_mut(3).zip(map.chunks_exact(6)) {
        for k in 0..3 {
            column[k] = a[k] / mass;
        }
    }
}
