//! Generated courses: the same seed, the same bits; harder is harder; anything can be thrown on them.

use crate::collide::random::{KINDS, Random};
use sinew_dynamics::spatial::Vec3;
use sinew_world::terrain::{Course, Terrain, TerrainError};

#[test]
fn the_seed_decides_and_the_start_is_level() {
    for course in Course::ALL {
        let made = |difficulty: f64, seed: u64| Terrain::generate(course, difficulty, seed).unwrap();
        assert_eq!(made(0.6, 3), made(0.6, 3), "{course:?}");
        if course != Course::Flat {
            assert_ne!(made(0.6, 3), made(0.6, 4), "{course:?}");
        }
        for (x, y) in [(0.0, 0.0), (0.9, 0.5), (-1.0, -0.4)] {
            let terrain = made(1.0, 5);
            assert_eq!((terrain.height(x, y), terrain.normal(x, y)), (0.0, Vec3::z()), "{course:?}");
        }
    }
}

#[test]
fn courses_keep_their_bits() {
    // FNV-1a over the heights of each course
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for course in Course::ALL {
        let terrain = Terrain::generate(course, 0.7, 11).unwrap();
        for k in 0..400 {
            let h = terrain.height(f64::from(k) * 0.05, 0.13);
            for byte in h.to_bits().to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    assert_eq!(hash, 0x3e0d_824a_32d2_b0a2, "{hash:#x}");
}

#[test]
fn harder_courses_have_higher_steps() {
    let steepest = |course: Course, difficulty: f64| {
        let terrain = Terrain::generate(course, difficulty, 1).unwrap();
        let height = |k: i32| terrain.height(1.0 + 0.01 * f64::from(k), 0.0);
        (0..1900).map(|k| (height(k + 1) - height(k)).abs()).fold(0.0, f64::max)
    };
    for course in [Course::Ramps, Course::Stairs, Course::Ledges, Course::Blocks, Course::Rough] {
        let (easy, middle, hard) = (steepest(course, 0.0), steepest(course, 0.5), steepest(course, 1.0));
        assert!(easy < middle && middle < hard && hard < 0.4, "{course:?}: {easy} {middle} {hard}");
        assert!(easy < 0.05, "{course:?}: {easy}");
    }
}

#[test]
fn a_difficulty_out_of_range_is_refused() {
    assert_eq!(Terrain::generate(Course::Stairs, 1.5, 0).unwrap_err(), TerrainError::Difficulty(1.5));
    assert!(Terrain::generate(Course::Stairs, f64::NAN, 0).is_err());
}

#[test]
fn anything_thrown_anywhere_gives_numbers_and_allocates_nothing() {
    let mut random = Random::new(9);
    for course in Course::ALL {
        let terrain = Terrain::generate(course, 1.0, 2).unwrap();
        let thrown: Vec<_> = (0..600)
            .map(|k| {
                let (shape, mut at) = (random.shape(k % KINDS), random.placement(1.0));
                at.pos = Vec3::new(random.real(-3.0, 26.0), random.real(-3.0, 3.0), 0.0);
                let ground = terrain.height(at.pos.x, at.pos.y).max(-2.0);
                at.pos.z = ground + random.real(-0.3, 0.5);
                (shape, at)
            })
            .collect();
        let mut out = Vec::with_capacity(64);
        let mut touched = 0;
        let counted = allocation_counter::measure(|| {
            for (shape, at) in &thrown {
                out.clear();
                terrain.touch(shape, at, 0.02, &mut out);
                assert!(out.len() <= 8);
                touched += out.len().min(1);
                for t in &out {
                    let t = &t.touch;
                    assert!(t.point.iter().all(|x| x.is_finite()) && t.distance <= 0.02);
                    assert!((t.normal.norm() - 1.0).abs() < 1e-9);
                }
            }
        });
        assert_eq!(counted.count_total, 0, "{course:?}");
        assert!(touched > 200, "{course:?}: {touched}");
    }
}
