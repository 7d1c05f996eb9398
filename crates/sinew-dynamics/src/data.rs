//! The workspace of the algorithms.

use crate::model::{BodyId, Model, WORLD};
use crate::spatial::{Mat3, Placement, Sym3, Vec3};

/// Frame of a link in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pose {
    /// Link axes to world axes.
    pub(crate) rot: Mat3,
    /// Origin of the link, the centre of its joint.
    pub(crate) pos: Vec3,
    /// From the parent's origin to this one: `pos − parent.pos`.
    pub(crate) arm: Vec3,
}

/// Velocity and acceleration of a link, world axes, at its origin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Twist {
    pub(crate) angular: Vec3,
    pub(crate) linear: Vec3,
}

/// Force and moment about a link's origin, world axes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wrench {
    pub(crate) force: Vec3,
    pub(crate) moment: Vec3,
}

/// Mass, first and second moment of mass about a common point, world axes. Adds entry by entry.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Composite {
    pub(crate) mass: f64,
    pub(crate) first: Vec3,
    pub(crate) second: Sym3,
}

/// Workspace and results of the algorithms on one [`Model`].
///
/// Made once and used again for every call; no algorithm allocates. Each algorithm takes the state that it needs and
/// leaves the link frames of that state here, so that placements and Jacobians read from a `Data` belong to the state
/// of the last call.
///
/// ```
/// use sinew_dynamics::{BodySpec, Data, JointSpec, Model, ModelSpec, forward_kinematics};
/// use sinew_dynamics::spatial::{Inertia, Vec3};
/// let mut spec = ModelSpec::new("stick");
/// let rod = Inertia::solid_box(1.0, Vec3::new(0.1, 0.1, 1.0));
/// spec.bodies.push(BodySpec::new("rod", None, rod).with_joint(JointSpec::free("root")));
/// let model = Model::new(spec)?;
/// let mut data = Data::new(&model);
/// let mut q = model.neutral();
/// q[2] = 1.5;
/// forward_kinematics(&model, &mut data, &q);
/// assert_eq!(data.body_placement(&model, model.body("rod").unwrap()).pos.z, 1.5);
/// # Ok::<(), sinew_dynamics::ModelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Data {
    pub(crate) poses: Vec<Pose>,
    pub(crate) velocities: Vec<Twist>,
    pub(crate) accelerations: Vec<Twist>,
    pub(crate) wrenches: Vec<Wrench>,
    pub(crate) composites: Vec<Composite>,
    pub(crate) articulated: Vec<crate::aba::Articulated>,
    pub(crate) carried: Vec<crate::rnea_derivatives::Carried>,
    pub(crate) carriers: Vec<crate::rnea_derivatives::Carrier>,
    /// Mass matrix, tree-packed (see [`crate::crba`]).
    pub(crate) mass: Vec<f64>,
    /// The same as a dense matrix; entries outside the tree's pattern stay zero.
    pub(crate) dense_mass: Vec<f64>,
    /// Its factor `L` with `D` on the diagonal, tree-packed, and `1/D`.
    pub(crate) factor: Vec<f64>,
    pub(crate) inverse_diagonal: Vec<f64>,
    /// Generalised force or acceleration that the last algorithm returned.
    pub(crate) out: Vec<f64>,
    /// 6×nv results, column-major: joint Jacobian, centroidal map.
    pub(crate) jacobian: Vec<f64>,
    pub(crate) centroidal: Vec<f64>,
    /// nv×nv derivatives of inverse dynamics; entries outside the tree's pattern stay zero.
    pub(crate) dtau_dq: Vec<f64>,
    pub(crate) dtau_dv: Vec<f64>,
    /// Accelerations, and nv×nv derivatives of forward dynamics.
    pub(crate) acceleration: Vec<f64>,
    pub(crate) da_dq: Vec<f64>,
    pub(crate) da_dv: Vec<f64>,
    pub(crate) inverse_mass: Vec<f64>,
    /// The factor regrouped, and right-hand sides interleaved, for solves with many columns.
    pub(crate) blocks: crate::solve_columns::Blocks,
    pub(crate) lanes: Vec<crate::solve_columns::Lane>,
}

impl Data {
    /// A workspace for `model`.
    pub fn new(model: &Model) -> Data {
        let (n, nv) = (model.links.len(), model.nv());
        let at_origin = Pose { rot: Mat3::identity(), pos: Vec3::zeros(), arm: Vec3::zeros() };
        Data {
            poses: vec![at_origin; n],
            velocities: vec![Twist::default(); n],
            accelerations: vec![Twist::default(); n],
            wrenches: vec![Wrench::default(); n],
            composites: vec![Composite::default(); n],
            articulated: vec![Default::default(); n],
            carried: vec![Default::default(); n],
            carriers: vec![Default::default(); n],
            mass: vec![0.0; model.packed],
            dense_mass: vec![0.0; nv * nv],
            factor: vec![0.0; model.packed],
            inverse_diagonal: vec![0.0; nv],
            out: vec![0.0; nv],
            jacobian: vec![0.0; 6 * nv],
            centroidal: vec![0.0; 6 * nv],
            dtau_dq: vec![0.0; nv * nv],
            dtau_dv: vec![0.0; nv * nv],
            acceleration: vec![0.0; nv],
            da_dq: vec![0.0; nv * nv],
            da_dv: vec![0.0; nv * nv],
            inverse_mass: vec![0.0; nv * nv],
            blocks: crate::solve_columns::Blocks::new(model),
            lanes: vec![Default::default(); nv],
        }
    }

    /// Frame of a body in the world, for the state of the last algorithm.
    pub fn body_placement(&self, model: &Model, body: BodyId) -> Placement {
        let (link, at) = *model.frame(body);
        if link == WORLD {
            return at;
        }
        let pose = &self.poses[link];
        Placement { rot: pose.rot, pos: pose.pos } * at
    }
}
