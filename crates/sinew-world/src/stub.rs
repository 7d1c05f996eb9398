use crate::collide::{Manifold, Touch, touch};
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::Placement;
#[derive(Clone, Debug, Default)]
pub struct Terrain;
impl Terrain {
    pub fn flat() -> Terrain {
        Terrain
    }
    pub fn touch(&self, shape: &Shape, at: &Placement, margin: f64, mut out: impl FnMut(u32, f64, &Touch)) {
        let mut m = Manifold::new();
        touch(shape, at, &Shape::Plane { half: [0.0, 0.0] }, &Placement::identity(), margin, &mut m);
        for t in m.iter() {
            out(0, 1.0, t)
        }
    }
}
