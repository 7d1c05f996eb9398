//! Rigid-body inertia as ten numbers.

use super::{Placement, Sym3, Vec3};

/// Mass, centre of mass and rotational inertia about it.
///
/// ```
/// use sinew_dynamics::spatial::{Inertia, Sym3, Vec3};
/// let ball = Inertia::solid_box(2.0, Vec3::new(0.1, 0.1, 0.1));
/// let pair = ball.moved(&Vec3::new(0.0, 0.5, 0.0)) + ball.moved(&Vec3::new(0.0, -0.5, 0.0));
/// assert_eq!(pair.mass, 4.0);
/// assert_eq!(pair.com, Vec3::zeros());
/// assert!((pair.about_com.xx - (2.0 * ball.about_com.xx + 4.0 * 0.25)).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inertia {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass in the frame of the body, m.
    pub com: Vec3,
    /// Rotational inertia about the centre of mass, in the axes of the frame, kg·m².
    pub about_com: Sym3,
}

impl Inertia {
    /// Nothing.
    pub const ZERO: Inertia = Inertia { mass: 0.0, com: Vec3::new(0.0, 0.0, 0.0), about_com: Sym3::ZERO };

    /// A uniform box of the given full edge lengths, centred at the origin.
    pub fn solid_box(mass: f64, size: Vec3) -> Inertia {
        let s = size.component_mul(&size) * (mass / 12.0);
        Inertia { mass, com: Vec3::zeros(), about_com: Sym3::diagonal(s.y + s.z, s.x + s.z, s.x + s.y) }
    }

    /// The same body displaced by `by`.
    pub fn moved(&self, by: &Vec3) -> Inertia {
        Inertia { com: self.com + by, ..*self }
    }

    /// The same body, seen from the frame in which its own frame is placed at `at`.
    pub fn placed(&self, at: &Placement) -> Inertia {
        Inertia { mass: self.mass, com: at.act(&self.com), about_com: self.about_com.rotated(&at.rot) }
    }

    /// Rotational inertia about the frame's origin.
    pub fn about_origin(&self) -> Sym3 {
        let mut s = self.about_com;
        s.add_point(self.mass, &self.com);
        s
    }

    /// Whether principal moments obey `a + b ≥ c`, as those of every real body do (up to rounding).
    ///
    /// ```
    /// use sinew_dynamics::spatial::{Inertia, Sym3};
    /// let impossible = Inertia { mass: 1.0, about_com: Sym3::diagonal(1.0, 1.0, 3.0), ..Inertia::ZERO };
    /// assert!(!impossible.is_physical());
    /// ```
    pub fn is_physical(&self) -> bool {
        let [a, b, c] = self.about_com.eigenvalues();
        let slack = 1e-9 * c.abs() + 1e-15;
        self.mass >= 0.0 && self.mass.is_finite() && a >= -slack && a + b >= c - slack
    }
}

impl core::ops::Add for Inertia {
    type Output = Inertia;
    fn add(self, o: Inertia) -> Inertia {
        let mass = self.mass + o.mass;
        if mass == 0.0 {
            return Inertia { about_com: self.about_com + o.about_com, ..self };
        }
        let com = (self.com * self.mass + o.com * o.mass) / mass;
        let mut about_com = self.about_com + o.about_com;
        about_com.add_point(self.mass, &(self.com - com));
        about_com.add_point(o.mass, &(o.com - com));
        Inertia { mass, com, about_com }
    }
}
