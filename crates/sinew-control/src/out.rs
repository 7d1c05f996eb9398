//! The output of a controller.

use sinew_world::Actuation;

/// Where a controller writes the joint torques of one step. It is cleared for every decision, so that nothing of an earlier decision, or
/// of another controller, remains in it.
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
    /// An empty output that writes into an actuation for [`World::step`](sinew_world::World::step).
    pub fn new(actuation: &'a mut Actuation) -> Out<'a> {
        actuation.torque.fill(0.0);
        actuation.feedback.clear();
        Out(actuation)
    }

    /// Joint torques, one per degree of freedom, N·m; those of a free root stay zero.
    pub fn torque(&mut self) -> &mut [f64] {
        &mut self.0.torque
    }

    /// The matrix `G` of a law `τ = τ₀ + G f` in the forces `f` of `contacts` contacts: column-major, three columns per contact, zero at
    /// first. See [`Actuation::feedback`].
    pub fn law(&mut self, contacts: usize) -> &mut [f64] {
        let size = self.0.torque.len() * 3 * contacts;
        self.0.feedback.resize(size, 0.0);
        &mut self.0.feedback
    }

    /// Adds another controller's torques and law, times a factor.
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

    /// The same output, cleared, for a controller that calls another one.
    pub fn anew(&mut self) -> Out<'_> {
        Out::new(self.0)
    }
}
