//! What a controller hands back.

use sinew_world::Actuation;

/// Where a controller writes what the joints shall do in one step. Made anew for every decision and empty then: nothing of an earlier
/// decision, or of another controller, can stay in it.
///
/// ```
/// use sinew_control::Out;
/// use sinew_world::Actuation;
/// let mut torques = Actuation::none(3);
/// torques.torque[1] = 7.0;
/// let mut out = Out::new(&mut torques);
/// assert_eq!(out.torque(), &[0.0, 0.0, 0.0]);
/// out.torque()[2] = 1.0;
/// ```
#[derive(Debug)]
pub struct Out<'a>(&'a mut Actuation);

impl<'a> Out<'a> {
    /// An empty one, on top of what will be handed to [`World::step`](sinew_world::World::step).
    pub fn new(actuation: &'a mut Actuation) -> Out<'a> {
        actuation.torque.fill(0.0);
        actuation.feedback.clear();
        Out(actuation)
    }

    /// Joint torques, one per degree of freedom, N·m; those of a free root stay zero.
    pub fn torque(&mut self) -> &mut [f64] {
        &mut self.0.torque
    }

    /// The matrix `G` of a law `τ = τ₀ + G f` in the forces of so many contacts: column-major, three columns per contact, zeros to
    /// begin with. See [`Actuation::feedback`].
    pub fn law(&mut self, contacts: usize) -> &mut [f64] {
        let size = self.0.torque.len() * 3 * contacts;
        self.0.feedback.resize(size, 0.0);
        &mut self.0.feedback
    }

    /// Adds a share of what another controller gave: torques and law.
    ///
    /// ```
    /// use sinew_control::Out;
    /// use sinew_world::Actuation;
    /// let (mut mixed, mut part) = (Actuation::none(1), Actuation::none(1));
    /// part.torque[0] = 8.0;
    /// Out::new(&mut mixed).add(0.25, &part);
    /// assert_eq!(mixed.torque, [2.0]);
    /// ```
    pub fn add(&mut self, share: f64, other: &Actuation) {
        self.0.torque.iter_mut().zip(&other.torque).for_each(|(t, o)| *t += share * o);
        if self.0.feedback.len() < other.feedback.len() {
            self.0.feedback.resize(other.feedback.len(), 0.0);
        }
        self.0.feedback.iter_mut().zip(&other.feedback).for_each(|(g, o)| *g += share * o);
    }

    /// For a controller that asks another one: the same place, emptied.
    pub fn anew(&mut self) -> Out<'_> {
        Out::new(self.0)
    }
}
