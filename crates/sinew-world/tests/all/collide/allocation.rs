//! No pair allocates.

use super::random::{KINDS, Random};
use sinew_dynamics::spatial::Placement;
use sinew_world::collide::{Manifold, Shape, touch};

#[test]
fn pairs_do_not_allocate() {
    let mut random = Random::new(1);
    let mut shapes: Vec<Shape> = (0..KINDS).map(|k| random.shape(k)).collect();
    shapes.push(Shape::Plane { half: [0.0, 0.0] });
    let places: Vec<Placement> = (0..30).map(|_| random.placement(0.3)).collect();
    let mut out = Manifold::new();
    let counted = allocation_counter::measure(|| {
        for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
            for at in &places {
                touch(a, at, b, &places[0], 0.1, &mut out);
            }
        }
    });
    assert_eq!(counted.count_total, 0);
}
