//! The broad phase against all pairs, one by one.

use super::random::{KINDS, Random};
use sinew_dynamics::Geom;
use sinew_dynamics::spatial::{Placement, Vec3};
use sinew_world::collide::{Bounds, BroadPhase, Group, Shape};

fn all_pairs(bounds: &[Bounds], keep: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let each = (0..bounds.len()).flat_map(|i| (i + 1..bounds.len()).map(move |j| (i, j)));
    each.filter(|&(i, j)| bounds[i].meets(&bounds[j]) && keep(i, j)).collect()
}

/// A heap of 6 × 6 × 6 spheres, shaken.
fn heap(random: &mut Random) -> Vec<Bounds> {
    let at = |k: usize| Vec3::new((k % 6) as f64, (k / 6 % 6) as f64, (k / 36) as f64) * 0.19;
    (0..216)
        .map(|k| {
            let pos = at(k) + random.vector(0.02);
            Bounds::of(&Shape::Sphere { radius: 0.1 }, &Placement { pos, ..Placement::identity() })
        })
        .collect()
}

#[test]
fn finds_what_comparing_all_pairs_finds() {
    let mut random = Random::new(1);
    let mut broad = BroadPhase::new();
    for round in 0..60 {
        // few and many, spread along each axis, with a plane now and then
        let n = random.index(80);
        let stretch = Vec3::from_fn(|i, _| if i == round % 3 { 5.0 } else { 0.7 });
        let mut bounds: Vec<Bounds> = (0..n)
            .map(|_| {
                let kind = random.index(KINDS);
                let (shape, mut at) = (random.shape(kind), random.placement(1.0));
                at.pos.component_mul_assign(&stretch);
                Bounds::of(&shape, &at)
            })
            .collect();
        if round % 4 == 0 {
            bounds.push(Bounds::of(&Shape::Plane { half: [0.0; 2] }, &Placement::identity()));
        }
        let keep = |i: usize, j: usize| !(i + j).is_multiple_of(5);
        assert_eq!(broad.pairs(&bounds, keep), all_pairs(&bounds, keep), "round {round}");
    }
}

#[test]
fn the_answer_does_not_depend_on_what_was_before() {
    let mut random = Random::new(2);
    let (first, second) = (heap(&mut random), heap(&mut random));
    let mut warm = BroadPhase::new();
    warm.pairs(&first, |_, _| true);
    let fresh = BroadPhase::new().pairs(&second, |_, _| true).to_vec();
    assert_eq!(warm.pairs(&second, |_, _| true), fresh);
    assert_eq!(fresh, all_pairs(&second, |_, _| true));
}

#[test]
fn nan_meets_nothing() {
    let ball = Bounds::of(&Shape::Sphere { radius: 1.0 }, &Placement::identity());
    let lost = Bounds { low: Vec3::repeat(f64::NAN), high: Vec3::repeat(f64::NAN) };
    assert_eq!(BroadPhase::new().pairs(&[ball, lost, ball], |_, _| true), &[(0, 2)]);
}

#[test]
fn groups_are_those_of_mujoco() {
    let mut geom = Geom::new(Shape::Sphere { radius: 1.0 });
    (geom.contype, geom.conaffinity) = (2, 4);
    let mine = Group::from(&geom);
    assert!(mine.meets(&Group { contype: 4, conaffinity: 0 }));
    assert!(mine.meets(&Group { contype: 0, conaffinity: 2 }));
    assert!(!mine.meets(&Group { contype: 2, conaffinity: 4 }));
}

#[test]
fn a_moving_heap_does_not_allocate() {
    let mut random = Random::new(3);
    let mut broad = BroadPhase::new();
    let heaps: Vec<Vec<Bounds>> = (0..10).map(|_| heap(&mut random)).collect();
    for heap in &heaps {
        broad.pairs(heap, |_, _| true);
    }
    let counted = allocation_counter::measure(|| {
        for heap in &heaps {
            assert!(broad.pairs(heap, |_, _| true).len() > 216);
        }
    });
    assert_eq!(counted.count_total, 0);
}
