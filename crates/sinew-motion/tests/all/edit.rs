//! Edits: mirror images, clocks, joins, blends, steps and slopes against what they must be.

use crate::common::{clip_of, gap, human, skate, wave};
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_dynamics::{Data, Role, Side, characters, forward_kinematics};
use sinew_motion::edit::*;
use sinew_motion::{Clip, Interpolation, Outside, Sampler, Travel, motions};
use std::sync::Arc;

#[test]
fn a_mirror_image_has_mirrored_bodies_and_velocities() {
    for name in ["human", "human42", "human-mocap", "ostrich", "dinosaur"] {
        let model = Arc::new(characters::load(name).unwrap());
        let mirror = Mirror::new(&model);
        let (q, mut image, mut back) = (wave(&model, 0.7), model.neutral(), model.neutral());
        mirror.configuration(&q, &mut image);
        mirror.configuration(&image, &mut back);
        assert!(gap(&model, &q, &back) < 1e-13, "{name}: twice is once");
        let (mut a, mut b) = (Data::new(&model), Data::new(&model));
        forward_kinematics(&model, &mut a, &q);
        forward_kinematics(&model, &mut b, &image);
        for role in Role::all() {
            let (Some(here), Some(there)) = (model.role(role), model.role(role.mirrored())) else { continue };
            let p = a.body_placement(&model, here).pos;
            let found = b.body_placement(&model, there).pos;
            assert!((found - Vec3::new(p.x, -p.y, p.z)).norm() < 1e-12, "{name}: {role}");
        }
        // the image of a velocity is the velocity of the image
        let v: Vec<f64> = (0..model.nv()).map(|k| (k as f64).sin()).collect();
        let h = 1e-6;
        let step = |s: f64| {
            let (mut moved, mut seen) = (model.neutral(), model.neutral());
            let dv: Vec<f64> = v.iter().map(|x| s * h * x).collect();
            model.integrate(&q, &dv, &mut moved);
            mirror.configuration(&moved, &mut seen);
            seen
        };
        let (mut rate, mut wanted) = (vec![0.0; model.nv()], vec![0.0; model.nv()]);
        model.difference(&step(-1.0), &step(1.0), &mut rate);
        mirror.velocity(&v, &mut wanted);
        assert!((0..model.nv()).all(|k| (rate[k] / (2.0 * h) - wanted[k]).abs() < 1e-8), "{name}");
    }
}

#[test]
fn a_right_turn_is_the_mirror_image_of_a_left_one() {
    let human = human();
    let left = motions::load("turn-left-90", &human).unwrap();
    let right = motions::load("turn-right-90", &human).unwrap();
    let image = Mirror::new(&human).clip(&left);
    assert_eq!(image.contacts, right.contacts);
    assert!((0..left.len()).all(|i| gap(&human, image.frame(i), right.frame(i)) < 1e-9));
}

#[test]
fn a_clock_of_its_own_gives_rates_of_its_own() {
    let human = human();
    let clip = clip_of(&human, 20.0, 60, |t| wave(&human, t));
    let curve = Sampler::new(&clip, Interpolation::Cubic, Outside::Clamp);
    let warp = TimeWarp::new(vec![(0.0, 1.0), (0.5, 1.6), (1.2, 0.7)]);
    let state = |t: f64| {
        let (mut q, mut v, mut a) = (human.neutral(), vec![0.0; 35], vec![0.0; 35]);
        warp.state(&curve, t, &mut q, &mut v, &mut a);
        (q, v, a)
    };
    let h = 1e-5;
    for t in [0.213, 0.777, 1.03, 1.51] {
        let ((q0, v0, _), (q1, v1, _), (_, v, a)) = (state(t - h), state(t + h), state(t));
        let mut d = vec![0.0; 35];
        human.difference(&q0, &q1, &mut d);
        for k in 0..35 {
            assert!(
                (d[k] / (2.0 * h) - v[k]).abs() < 1e-7 && ((v1[k] - v0[k]) / (2.0 * h) - a[k]).abs() < 1e-5
            );
        }
    }
    // modal reference: three quarters of the speed for a second leaves a lag of a quarter
    assert_eq!(TimeWarp::new(vec![(0.0, 0.75), (1.0, 0.75), (1.0, 1.0)]).at(5.0).0, 4.75);
}

#[test]
fn the_warp_is_the_pose_algebra() {
    // equation 6 on configurations against the same on poses of all balls (human42: 13 rotations)
    let model = Arc::new(characters::load("human42").unwrap());
    let pose = |q: &[f64]| sinew_motion::Pose {
        root: Vec3::new(q[0], q[1], q[2]),
        rotations: q[3..]
            .chunks(4)
            .map(|c| {
                sinew_dynamics::spatial::Quat::new_normalize(nalgebra::Quaternion::new(
                    c[0], c[1], c[2], c[3],
                ))
            })
            .collect(),
    };
    let (target, start, now) = (wave(&model, 0.3), wave(&model, 1.1), wave(&model, 1.4));
    let mut warp = Warp::new(&model);
    warp.set(&target, &start);
    for r in [1.0, 0.6, 0.25, 0.0] {
        let mut q = now.clone();
        warp.apply(r, &mut q);
        let wanted = pose(&now).compose(&pose(&target).relative_to(&pose(&start)).power(r));
        let got = pose(&q);
        assert!((got.root - wanted.root).norm() < 1e-13);
        assert!(got.rotations.iter().zip(&wanted.rotations).all(|(a, b)| a.angle_to(b) < 1e-7));
    }
    let mut q = start.clone();
    warp.apply(1.0, &mut q);
    assert!(gap(&model, &q, &target) < 1e-13);
}

#[test]
fn joins_do_not_jump_and_keep_heading() {
    let human = human();
    let a = clip_of(&human, 30.0, 31, |t| wave(&human, t));
    let b = moved(
        &clip_of(&human, 30.0, 31, |t| wave(&human, t + 2.0)),
        &Travel { yaw: 2.0, shift: Vec3::new(4.0, 1.0, 0.0) },
    );
    let both = join(&a, &b, 0.5).unwrap();
    assert_eq!(both.len(), 61);
    assert!(gap(&human, both.frame(30), a.frame(30)) < 1e-13);
    // after the warp it is b, moved over the floor by one and the same travel
    let travel = Travel::between(&human, b.frame(30), both.frame(60));
    for i in 46..=60 {
        let mut there = b.frame(i - 30).to_vec();
        travel.apply_to(&human, &mut there);
        assert!(gap(&human, &there, both.frame(i)) < 1e-12);
    }
    let faded = cross_fade(&a, &b, 0.5).unwrap();
    assert_eq!(faded.len(), 31 + 31 - 16);
    assert!(gap(&human, faded.frame(15), a.frame(15)) < 1e-13);
}

#[test]
fn cycles_close_in_height_and_tilt_too() {
    let human = human();
    let clip = clip_of(&human, 30.0, 61, |t| wave(&human, t));
    let cycle = cyclic(&clip, 0.4);
    let mut first = cycle.frame(0).to_vec();
    Travel::between(&human, cycle.frame(0), cycle.frame(60)).apply_to(&human, &mut first);
    assert!(gap(&human, &first, cycle.frame(60)) < 1e-13);
    assert!((0..=48).all(|i| gap(&human, clip.frame(i), cycle.frame(i)) < 1e-14));
}

#[test]
fn blends_have_the_lengths_and_paces_of_the_source() {
    let human = human();
    let knee = human.joints()[human.joint("knee_l").unwrap().0].q;
    let ramp = |frames: usize, angle: f64| {
        clip_of(&human, 30.0, frames, |t| {
            let mut q = human.neutral();
            (q[0], q[knee]) = (t, angle);
            q
        })
    };
    let (a, b) = (ramp(21, 0.2), ramp(30, 0.6));
    let fixed = fixed_blend(&a, &b, 0.25, Feet::Ignore).unwrap();
    assert_eq!(fixed.len(), 23); // ⌊0.75·21 + 0.25·30⌋
    assert!((fixed.frame(7)[knee] - 0.3).abs() < 1e-13);
    // root: linear in the normalised time of both
    let x = 7.0 / 22.0;
    assert!((fixed.frame(7)[0] - (0.75 * x * 20.0 / 30.0 + 0.25 * x * 29.0 / 30.0)).abs() < 1e-12);
    let smooth = smooth_blend(&a, &b, Feet::Ignore).unwrap();
    assert_eq!(smooth.len(), 25); // ⌊51/2⌋
    let (n, x) = (25.0, 9.0 / 24.0);
    let star: f64 = 3.0 * x * x - 2.0 * x * x * x
        + n / 21.0 * (x * x * x - 2.0 * x * x + x)
        + n / 30.0 * (x * x * x - x * x);
    assert!((smooth.frame(9)[knee] - (0.2 + 0.4 * star)).abs() < 1e-12);
    assert!((smooth.frame(0)[knee] - 0.2).abs() < 1e-14 && (smooth.frame(24)[knee] - 0.6).abs() < 1e-14);
}

#[test]
fn blended_walks_keep_their_feet_on_the_ground() {
    let human = human();
    let load = |name: &str| motions::load(name, &human).unwrap();
    for (a, b) in [("walk-slow", "walk-fast"), ("turn-left-45", "turn-left-90")] {
        let plain = fixed_blend(&load(a), &load(b), 0.5, Feet::Ignore).unwrap();
        let planted = fixed_blend(&load(a), &load(b), 0.5, Feet::Align).unwrap();
        let (plain, planted) = (skate(&plain), skate(&planted));
        assert!(planted < 0.005 && planted < 0.5 * plain, "{a}, {b}: {planted} m of {plain} m");
    }
}

/// A walk on a body whose ankles never reach their limits, so that feet are where they should be to rounding.
fn free_walk() -> Clip {
    motions::load("start", &Arc::new(characters::load("human42").unwrap())).unwrap()
}

#[test]
fn strides_change_with_feet_planted() {
    let walk = free_walk();
    let root = |q: &[f64]| Vec3::new(q[0], q[1], 0.0);
    let origin = root(walk.frame(0));
    let along = (root(walk.frame(walk.len() - 1)) - origin).normalize();
    for factor in [0.8, 0.9, 1.03] {
        let mut footing = Footing::new(&walk).unwrap();
        footing.scale_stride(factor);
        let edited = footing.clip(&walk);
        assert!(skate(&edited) < 1e-9, "{factor}: {}", skate(&edited));
        // plants are where they were asked to be: scaled along the way, as wide as before
        let (old, new) = (Footing::new(&walk).unwrap(), Footing::new(&edited).unwrap());
        for side in Side::BOTH {
            for (a, b) in old.plants(side).iter().zip(new.plants(side)) {
                let wanted = along * ((factor - 1.0) * along.dot(&(a.at - origin)));
                assert!((b.at - a.at - wanted).norm() < 1e-9, "{factor}");
            }
        }
        // and the root goes as far as its feet
        let gone = (root(edited.frame(walk.len() - 1)) - origin).dot(&along);
        let wanted = factor * (root(walk.frame(walk.len() - 1)) - origin).dot(&along);
        assert!((gone - wanted).abs() < 0.1 * (1.0 - factor).abs(), "{factor}: {gone} m, {wanted} m");
    }
}

#[test]
fn on_a_slope_feet_stand_on_the_slope() {
    let walk = free_walk();
    let model = walk.model().clone();
    for degrees in [-5.0f64, 3.0] {
        let slope = degrees.to_radians();
        let mut footing = Footing::new(&walk).unwrap();
        footing.ramp(slope);
        let tilted = footing.clip(&walk);
        let contacts = tilted.contacts.as_ref().unwrap();
        let root = |q: &[f64]| Vec3::new(q[0], q[1], 0.0);
        let origin = root(walk.frame(0));
        let along = (root(walk.frame(walk.len() - 1)) - origin).normalize();
        let mut data = Data::new(&model);
        for side in Side::BOTH {
            let sole = sinew_motion::Sole::of(&model, side).unwrap();
            for (i, q) in tilted.frames().enumerate() {
                forward_kinematics(&model, &mut data, q);
                for (points, down) in [(sole.heel, &contacts.heel), (sole.toe, &contacts.toe)] {
                    for point in points.iter().filter(|_| down[side as usize][i]) {
                        let p = point.in_world(&model, &data);
                        let height = p.z - slope.tan() * along.dot(&(p - origin));
                        assert!(height.abs() < 1e-9, "{degrees}°, frame {i}, {side:?}: {height}");
                    }
                }
            }
        }
        let climbed = tilted.frame(walk.len() - 1)[2] - walk.frame(walk.len() - 1)[2];
        assert!(climbed * degrees > 0.0 && climbed.abs() > 0.1);
    }
}

#[test]
fn live_edits_take_no_memory() {
    let human = human();
    let walk = motions::load("start", &human).unwrap();
    let mut footing = Footing::new(&walk).unwrap();
    footing.scale_stride(0.9);
    let mut limbs = Limbs::new(&human);
    let (mirror, mut warp, offsets) = (Mirror::new(&human), Warp::new(&human), Offsets::new(&human));
    let (mut q, mut out) = (walk.frame(100).to_vec(), human.neutral());
    let place = Vec3::new(0.4, 0.2, 1.2);
    let used = allocation_counter::measure(|| {
        footing.apply(100.0 / 120.0, &mut q);
        limbs.look_at(&q);
        limbs.reach(Limb::Arm(Side::Left), &place, &mut q);
        limbs.reach(Limb::Leg(Side::Left), &Vec3::new(0.3, 0.1, 0.1), &mut q);
        mirror.configuration(&q, &mut out);
        warp.set(&q, &out);
        warp.apply(0.5, &mut q);
        offsets.apply(0.5, &mut q);
        blend(&human, &out, walk.frame(3), 0.5, &mut q);
    });
    assert_eq!(used.count_total, 0);
}

#[test]
fn keys_of_a_ball_are_rotation_vectors() {
    let human = human();
    let hip = human.joints()[human.joint("hip_l").unwrap().0].q;
    let mut keys = KeyFrames::new(&human, human.neutral());
    keys.key(0.0, "hip_l", &[0.0; 3]).unwrap().key(2.0, "hip_l", &[0.2, -0.8, 0.1]).unwrap();
    let clip = keys.clip("lift", 10.0).unwrap();
    let wanted = rotation::exp(&(Vec3::new(0.2, -0.8, 0.1) * 0.5));
    assert!(
        (clip.frame(10)[hip] - wanted.w).abs() < 1e-14 && (clip.frame(10)[hip + 2] - wanted.j).abs() < 1e-14
    );
    assert!(matches!(keys.key(0.0, "hip_l", &[0.0]), Err(KeyError::Values { wanted: 3, got: 1, .. })));
}
