//! A touch, and a short list of touches that never allocates.

use sinew_dynamics::spatial::Vec3;

/// A place where two shapes `a` and `b` touch, or come nearer than a margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Half-way between the two surfaces, world coordinates, m.
    pub point: Vec3,
    /// Unit normal, from `b` towards `a`.
    pub normal: Vec3,
    /// Gap between the surfaces along the normal, m; negative when they overlap.
    pub distance: f64,
    /// Which features touch: the same from step to step while they go on touching.
    pub feature: u32,
}

/// Nothing yet.
const NO_TOUCH: Touch =
    Touch { point: Vec3::new(0.0, 0.0, 0.0), normal: Vec3::new(0.0, 0.0, 1.0), distance: 0.0, feature: 0 };

/// Up to [`Manifold::CAPACITY`] touches of one pair of shapes; it reads as a slice.
///
/// ```
/// use sinew_world::collide::Manifold;
/// let none = Manifold::new();
/// assert!(none.is_empty() && none.deepest().is_none());
/// ```
#[derive(Clone, Copy)]
pub struct Manifold {
    touches: [Touch; Manifold::CAPACITY],
    len: usize,
}

impl Manifold {
    /// Most touches of one pair.
    pub const CAPACITY: usize = 8;

    /// No touches.
    pub fn new() -> Manifold {
        Manifold { touches: [NO_TOUCH; Manifold::CAPACITY], len: 0 }
    }

    /// Forgets all touches.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a touch; a full manifold keeps those that are deepest. Touches that are not finite are ignored.
    #[inline(always)]
    pub fn push(&mut self, touch: Touch) {
        if !(touch.point.sum() + touch.normal.sum() + touch.distance).is_finite() {
            return;
        }
        if self.len < Manifold::CAPACITY {
            self.touches[self.len] = touch;
            self.len += 1;
        } else {
            self.replace_shallowest(touch);
        }
    }

    /// The touch with the least distance.
    pub fn deepest(&self) -> Option<&Touch> {
        self.iter().min_by(|s, t| s.distance.total_cmp(&t.distance))
    }

    #[cold]
    fn replace_shallowest(&mut self, touch: Touch) {
        let shallowest = self.touches.iter_mut().max_by(|s, t| s.distance.total_cmp(&t.distance));
        if let Some(old) = shallowest.filter(|t| t.distance > touch.distance) {
            *old = touch;
        }
    }

    /// Adds a touch between the point `on_b` of `b` and the point `distance` above it, when that is within the margin.
    #[inline(always)]
    pub(super) fn add(&mut self, on_b: Vec3, normal: &Vec3, distance: f64, margin: f64, feature: u32) {
        if distance <= margin {
            self.push(Touch { point: on_b + normal * (0.5 * distance), normal: *normal, distance, feature });
        }
    }

    /// Flips all normals, for the order `b`, `a`.
    pub(super) fn mirror(&mut self) {
        for touch in &mut self.touches[..self.len] {
            touch.normal = -touch.normal;
        }
    }
}

impl core::fmt::Debug for Manifold {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Default for Manifold {
    fn default() -> Manifold {
        Manifold::new()
    }
}

impl core::ops::Deref for Manifold {
    type Target = [Touch];
    #[inline(always)]
    fn deref(&self) -> &[Touch] {
        &self.touches[..self.len]
    }
}

impl PartialEq for Manifold {
    fn eq(&self, other: &Manifold) -> bool {
        **self == **other
    }
}
