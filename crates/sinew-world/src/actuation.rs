//! The torques of a controller on the joints.

/// Joint torques for one step, or a law affine in the contact forces.
///
/// With feedback, `τ = τ₀ + G f`, where `f` stacks the forces (world axes, N) of the actor's contacts in the order in which
/// the world reports them; [`World::contacts_ahead`](crate::World::contacts_ahead) lists them in advance. The contact
/// solver includes the law in its own problem, so that torques and contact forces are found together; that needs a
/// [cone with flat sides](crate::Cone::Polyhedral). Effort limits hold for the whole of `τ`: where the law would go beyond, the torque
/// stays at the limit, in the same problem.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_world::{Actuation, Cone, ContactModel, Terrain, World};
/// let human = characters::load("human")?;
/// let nv = human.nv();
/// let mut world = World::new(Terrain::flat());
/// world.configure(|s| s.contact = ContactModel::Complementarity { cone: Cone::Polyhedral { sides: 8 } });
/// let me = world.add_character("human", human.into());
///
/// let mut act = Actuation::none(nv);
/// world.begin_step()?;
/// let contacts = world.contacts_ahead(me).len();
/// act.feedback.resize(nv * 3 * contacts, 0.0);
/// act.feedback[2 * nv + 10] = 0.01; // joint 10 gives 0.01 N·m for each newton of the first contact's force
/// world.step(&[act])?;
/// let frame = world.frame(me);
/// assert!((frame.tau[10] - 0.01 * frame.contacts[0].force.z).abs() < 1e-10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Actuation {
    /// `τ₀`: one entry per degree of freedom. Entries of a free joint must be zero; others are clamped to the effort limits.
    pub torque: Vec<f64>,
    /// `G`: one row per degree of freedom, three columns per contact, column-major; empty for none. Rows of a free joint must
    /// be zero.
    pub feedback: Vec<f64>,
}

impl Actuation {
    /// No torque at all: a passive body.
    pub fn none(nv: usize) -> Actuation {
        Actuation { torque: vec![0.0; nv], feedback: Vec::new() }
    }
}
