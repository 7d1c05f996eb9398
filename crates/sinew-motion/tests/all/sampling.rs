//! Curves through clips: they pass through the frames, their rates are their derivatives, constant motion is exact.

use crate::common::{clip_of, gap, human, wave};
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_motion::{Interpolation, Outside, Sampler, Travel};

/// Turns and translates with constant rates in every coordinate.
fn steady(model: &sinew_dynamics::Model, t: f64) -> Vec<f64> {
    let step: Vec<f64> = (0..model.nv()).map(|k| (0.9 - 0.05 * k as f64) * t).collect();
    let mut q = model.neutral();
    model.integrate(&model.neutral(), &step, &mut q);
    q
}

#[test]
fn passes_through_all_frames() {
    let human = human();
    let clip = clip_of(&human, 10.0, 40, |t| wave(&human, t));
    let mut q = human.neutral();
    for how in [Interpolation::Linear, Interpolation::Cubic] {
        let curve = Sampler::new(&clip, how, Outside::Clamp);
        for i in 0..clip.len() {
            curve.configuration(i as f64 / 10.0, &mut q);
            assert!(gap(&human, &q, clip.frame(i)) < 2e-13, "{how:?}, frame {i}");
        }
    }
}

#[test]
fn constant_rates_are_exact() {
    let human = human();
    let clip = clip_of(&human, 15.0, 12, |t| steady(&human, t));
    let (mut q, mut v, mut a) = (human.neutral(), vec![0.0; 35], vec![0.0; 35]);
    for how in [Interpolation::Linear, Interpolation::Cubic] {
        let curve = Sampler::new(&clip, how, Outside::Clamp);
        for k in 0..50 {
            let t = 0.7333 * k as f64 / 50.0;
            curve.state(t, &mut q, &mut v, &mut a);
            assert!(gap(&human, &q, &steady(&human, t)) < 1e-13);
            for k in 0..35 {
                assert!((v[k] - (0.9 - 0.05 * k as f64)).abs() < 1e-12 && a[k].abs() < 1e-10);
            }
        }
    }
}

#[test]
fn constant_acceleration_is_exact_to_the_ends() {
    // a ballistic root: the spline's ends are parabolas
    let human = human();
    let fall = |t: f64| {
        let mut q = human.neutral();
        (q[0], q[2]) = (0.3 + 2.0 * t, 1.0 + 3.0 * t - 0.5 * 9.81 * t * t);
        q
    };
    let clip = clip_of(&human, 30.0, 20, fall);
    let curve = Sampler::new(&clip, Interpolation::Cubic, Outside::Clamp);
    let (mut q, mut v, mut a) = (human.neutral(), vec![0.0; 35], vec![0.0; 35]);
    for k in 0..=100 {
        let t = curve.duration() * k as f64 / 100.0;
        curve.state(t, &mut q, &mut v, &mut a);
        assert!((q[2] - fall(t)[2]).abs() < 1e-13 && (v[2] - 3.0 + 9.81 * t).abs() < 1e-11);
        assert!((a[2] + 9.81).abs() < 1e-9 && a[0].abs() < 1e-9, "{k}: {}", a[2]);
    }
}

#[test]
fn rates_are_the_derivatives_of_the_curve() {
    let human = human();
    let clip = clip_of(&human, 8.0, 30, |t| wave(&human, t));
    let h = 1e-5;
    for outside in [Outside::Clamp, Outside::Loop] {
        let curve = Sampler::new(&clip, Interpolation::Cubic, outside);
        let state = |t: f64| {
            let (mut q, mut v, mut a) = (human.neutral(), vec![0.0; 35], vec![0.0; 35]);
            curve.state(t, &mut q, &mut v, &mut a);
            (q, v, a)
        };
        for k in 1..40 {
            let t = 0.08271 * k as f64 + 0.0031; // not at a frame, where the third derivative jumps
            let ((q0, v0, _), (q1, v1, _), (_, v, a)) = (state(t - h), state(t + h), state(t));
            let mut d = vec![0.0; 35];
            human.difference(&q0, &q1, &mut d);
            for k in 0..35 {
                assert!((d[k] / (2.0 * h) - v[k]).abs() < 2e-8, "velocity {k} at {t}");
                assert!(((v1[k] - v0[k]) / (2.0 * h) - a[k]).abs() < 2e-6, "acceleration {k} at {t}");
            }
        }
    }
}

#[test]
fn velocity_and_acceleration_are_continuous_also_over_the_seam_of_a_loop() {
    // walks a circle: each cycle turns left by 0.5 rad; the joints return, the root goes on
    let human = human();
    let (rate, frames) = (20.0, 25);
    let period = 24.0 / rate;
    let around = |t: f64| {
        let phase = std::f64::consts::TAU * t / period;
        let yaw = 0.5 * t / period;
        let mut step: Vec<f64> = (0..35).map(|k| 0.3 * (phase + k as f64).sin()).collect();
        step[..6].fill(0.0);
        let mut q = human.neutral();
        human.integrate(&human.neutral(), &step, &mut q);
        let turn =
            rotation::exp(&Vec3::new(0.0, 0.0, yaw)) * rotation::exp(&Vec3::new(0.1 * phase.sin(), 0.0, 0.0));
        q[..3].copy_from_slice(&[3.0 * yaw.sin(), 3.0 - 3.0 * yaw.cos(), 0.9 + 0.02 * phase.cos()]);
        q[3..7].copy_from_slice(&[turn.w, turn.i, turn.j, turn.k]);
        q
    };
    let clip = clip_of(&human, rate, frames, around);
    let curve = Sampler::new(&clip, Interpolation::Cubic, Outside::Loop);
    assert!((curve.cycle().yaw - 0.5).abs() < 1e-12);
    let state = |t: f64| {
        let (mut q, mut v, mut a) = (human.neutral(), vec![0.0; 35], vec![0.0; 35]);
        curve.state(t, &mut q, &mut v, &mut a);
        (q, v, a)
    };
    for k in [-3.0, 1.0, 2.0, 7.0] {
        let (seam, e) = (k * period, 1e-9);
        let ((q0, v0, a0), (q1, v1, a1)) = (state(seam - e), state(seam + e));
        assert!(gap(&human, &q0, &q1) < 1e-7);
        for k in 0..35 {
            assert!((v0[k] - v1[k]).abs() < 1e-6 && (a0[k] - a1[k]).abs() < 1e-4, "{k}");
        }
        // many cycles later the loop is still on the circle
        let t = seam + 0.37 * period;
        assert!(gap(&human, &state(t).0, &around(t)) < 2e-4);
        assert!(gap(&human, &state(seam + 3.0 / rate).0, &around(seam + 3.0 / rate)) < 1e-11);
    }
}

#[test]
fn clamped_ends_rest() {
    let human = human();
    let clip = clip_of(&human, 8.0, 9, |t| wave(&human, t));
    let curve = Sampler::new(&clip, Interpolation::Cubic, Outside::Clamp);
    let (mut q, mut v, mut a) = (human.neutral(), vec![1.0; 35], vec![1.0; 35]);
    for (t, frame) in [(-1.0, 0), (2.0, 8), (f64::NAN, 0)] {
        curve.state(t, &mut q, &mut v, &mut a);
        assert!(gap(&human, &q, clip.frame(frame)) < 1e-12 && v.iter().chain(&a).all(|x| *x == 0.0));
    }
}

#[test]
fn smoothing_has_the_stated_gain() {
    // amplitude against the formula, of a hinge and of a ball, at several frequencies
    let human = human();
    let (rate, cut) = (100.0, 8.0);
    let (knee, hip) = (human.joint("knee_l").unwrap(), human.joint("hip_r").unwrap());
    let (knee, hip) = (human.joints()[knee.0].q, human.joints()[hip.0].q);
    for f in [2.0, 8.0, 16.0] {
        let shake = |t: f64| {
            let x = 0.05 * (std::f64::consts::TAU * f * t).cos();
            let mut q = human.neutral();
            q[knee] = 0.5 + x;
            let turn = rotation::exp(&Vec3::new(0.0, x, 0.0));
            q[hip..hip + 4].copy_from_slice(&[turn.w, turn.i, turn.j, turn.k]);
            q
        };
        let smooth = clip_of(&human, rate, 401, shake).smoothed(cut);
        let sine = |f: f64| (2.0 * (std::f64::consts::PI * f / rate).sin()).powi(6);
        let gain = 1.0 / (1.0 + (2f64.sqrt() - 1.0) * sine(f) / sine(cut));
        let got = (smooth.frame(200)[knee] - 0.5) / 0.05;
        let ball = 2.0 * smooth.frame(200)[hip + 2].asin() / 0.05;
        assert!((got - gain).abs() < 1e-6 && (ball - gain).abs() < 1e-6, "{f} Hz: {got} {ball} {gain}");
        if f == cut {
            assert!((20.0 * got.log10() + 3.0103).abs() < 1e-4);
        }
    }
}

#[test]
fn smoothing_keeps_steady_motion() {
    let human = human();
    let clip = clip_of(&human, 60.0, 40, |t| steady(&human, t));
    let smooth = clip.smoothed(5.0);
    assert!((0..40).all(|i| gap(&human, clip.frame(i), smooth.frame(i)) < 1e-10));
}

#[test]
fn resampling_to_a_multiple_and_back_changes_nothing() {
    let human = human();
    let clip = clip_of(&human, 30.0, 31, |t| wave(&human, t));
    let back = clip.resampled(120.0).resampled(30.0);
    assert_eq!(back.len(), 31);
    assert!((0..31).all(|i| gap(&human, clip.frame(i), back.frame(i)) < 1e-12));
}

#[test]
fn sampling_takes_no_memory() {
    let human = human();
    let clip = clip_of(&human, 30.0, 31, |t| wave(&human, t));
    let curve = Sampler::new(&clip, Interpolation::Cubic, Outside::Loop);
    let (mut q, mut v, mut a) = (human.neutral(), vec![0.0; 35], vec![0.0; 35]);
    let used = allocation_counter::measure(|| {
        (0..100).for_each(|k| curve.state(0.1 * k as f64, &mut q, &mut v, &mut a))
    });
    assert_eq!(used.count_total, 0);
}

#[test]
fn travels_compose() {
    let a = Travel { yaw: 0.4, shift: Vec3::new(1.0, -2.0, 0.3) };
    let three = a.then(&a).then(&a);
    assert!((a.power(3).shift - three.shift).norm() < 1e-14 && (a.power(3).yaw - three.yaw).abs() < 1e-15);
    assert!(a.power(-2).then(&a.power(2)).shift.norm() < 1e-14);
}
