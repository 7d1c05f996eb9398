//! How long each live edit takes, µs per frame.
//!
//! ```text
//! cargo run --release -p sinew-motion --example edit_speed
//! ```
use sinew_dynamics::{Side, characters, spatial::Vec3};
use sinew_motion::edit::{Footing, Limb, Limbs, Mirror, Offsets, TimeWarp, Warp, blend};
use sinew_motion::{Interpolation, Outside, Sampler, motions};
use std::hint::black_box;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let human = std::sync::Arc::new(characters::load("human")?);
    let walk = motions::load("start", &human)?;
    let curve = Sampler::new(&walk, Interpolation::Cubic, Outside::Clamp);
    let (mut q, mut v, mut a) = (human.neutral(), vec![0.0; human.nv()], vec![0.0; human.nv()]);
    let mut footing = Footing::new(&walk).ok_or("a walk has plants")?;
    let mut limbs = Limbs::new(&human);
    let (mirror, mut warp, offsets) = (Mirror::new(&human), Warp::new(&human), Offsets::new(&human));
    let clock = TimeWarp::new(vec![(0.0, 1.0), (1.0, 1.2)]);
    let mut out = human.neutral();
    warp.set(walk.frame(10), walk.frame(20));
    let at = |i: usize| (i % 400) as f64 / 120.0;

    time("sample q", |i| curve.configuration(at(i), black_box(&mut q)));
    time("sample q, v, a", |i| curve.state(at(i), black_box(&mut q), &mut v, &mut a));
    time("time warp", |i| clock.state(&curve, at(i), black_box(&mut q), &mut v, &mut a));
    time("joint offsets", |_| offsets.apply(0.5, black_box(&mut q)));
    time("blend", |i| blend(&human, walk.frame(i % 400), walk.frame(7), 0.5, black_box(&mut out)));
    time("warp (equation 6)", |_| warp.apply(0.5, black_box(&mut q)));
    time("mirror", |i| mirror.configuration(walk.frame(i % 400), black_box(&mut out)));
    footing.scale_stride(0.9);
    time("stride", |i| {
        q.copy_from_slice(walk.frame(i % 400));
        black_box(footing.apply(at(i), &mut q));
    });
    footing.ramp(0.05);
    time("stride on a ramp", |i| {
        q.copy_from_slice(walk.frame(i % 400));
        black_box(footing.apply(at(i), &mut q));
    });
    time("hand to a place", |i| {
        q.copy_from_slice(walk.frame(i % 400));
        limbs.look_at(&q);
        let near = limbs.root(Limb::Arm(Side::Left)).unwrap_or_default() + Vec3::new(0.3, 0.0, 0.1);
        black_box(limbs.reach(Limb::Arm(Side::Left), &near, &mut q));
    });
    Ok(())
}

fn time(name: &str, mut edit: impl FnMut(usize)) {
    (0..1000).for_each(&mut edit);
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        (0..4000).for_each(&mut edit);
        best = best.min(start.elapsed().as_secs_f64() / 4000.0);
    }
    println!("{name:20} {:6.2} µs", best * 1e6);
}
