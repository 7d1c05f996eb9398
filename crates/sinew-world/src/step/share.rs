//! How the points of one touching part share its load.
//!
//! A rigid sole that sticks to the ground at its four corners is held by a wrench `w` of six numbers, and twelve numbers make it: what the corners
//! press against each other cancels out, and nothing that moves depends on it. The solver may leave it anywhere, at the edge of the cone of friction too.
//! What is told of a step are the forces of least norm that make the same wrench, each weighted by the load it bears:
//! ```text
//! min Σ |f_i|²/n_i   with   Σ (f_i, r_i × f_i) = w         f_i = n_i (a + b × r_i)
//! ```
//! First with equal `n_i`, and then with the normal parts of what that gives, where they press. On level ground all points then use the same share of the friction, but for the
//! moment about the vertical. Where a force would leave its cone, it goes only as far from the solver's as the cone allows. Points that slide or bear nothing
//! keep what the solver found.

use crate::actor::Actor;
use crate::contacts::{Candidate, Other};
use crate::solver::Problem;
use crate::world::World;
use sinew_dynamics::BodyId;
use sinew_dynamics::spatial::Vec3;

/// Speed along the ground under which a point sticks, m/s.
const STICKS: f64 = 1e-5;
/// Most points that share.
const MOST: usize = 16;
/// Rounds in which loads become weights; the middle of the pressure may lie near the rim, where a corner has to let go.
const ROUNDS: usize = 4;
/// Added to the diagonal: points in a line hold no moment about it.
const REGULAR: f64 = 1e-9;
/// Corrections of what that leaves over.
const CORRECTIONS: usize = 3;
/// Tries at going towards the forces of least norm, each half as far as the one before.
const TRIES: usize = 5;
/// Share of the cone that is not used: the forces stay inside in spite of rounding.
const INSIDE: f64 = 1e-9;

type Six = nalgebra::Vector6<f64>;
type SixBySix = nalgebra::Matrix6<f64>;

/// A point of a touching part.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    /// Its place among the candidates.
    nth: usize,
    at: Vec3,
    normal: Vec3,
    friction: f64,
    force: Vec3,
}

impl World {
    /// Shares the loads of touching parts evenly among their points, in what is told of the step.
    pub(super) fn share_loads(&mut self) {
        let World { actors, candidates, problem, .. } = self;
        if problem.sides.iter().any(|side| side.law.exists()) {
            // torques hang on every single force
            return;
        }
        let list = &candidates.list;
        let mut from = 0;
        while from < list.len().min(problem.contacts.len()) {
            let part = part_of(&list[from], actors);
            let many = list[from..].iter().take_while(|c| part_of(c, actors) == part).count();
            let mut points = [Point::default(); MOST];
            let mut count = 0;
            for nth in from..from + many {
                let force = candidates.forces[nth];
                if count < MOST && bears(problem, nth) {
                    let Candidate { touch, friction, .. } = &list[nth];
                    points[count] =
                        Point { nth, at: touch.point, normal: touch.normal, friction: *friction, force };
                    count += 1;
                }
            }
            let points = &mut points[..count];
            if count > 1 {
                share(points);
                points.iter().for_each(|p| candidates.forces[p.nth] = p.force);
            }
            from += many;
        }
    }
}

/// The body of a candidate and what it touches.
fn part_of(c: &Candidate, actors: &[Actor]) -> (usize, BodyId, Option<(usize, BodyId)>, Option<usize>) {
    let body = |actor: usize, shape: usize| actors[actor].shapes[shape].body;
    let (other, platform) = match c.other {
        Other::Terrain => (None, None),
        Other::Platform(k) => (None, Some(k)),
        Other::Actor(actor, shape) => (Some((actor, body(actor, shape))), None),
    };
    (c.actor, body(c.actor, c.shape), other, platform)
}

/// Whether a contact bears a load and sticks.
fn bears(problem: &Problem, nth: usize) -> bool {
    let c = &problem.contacts[nth];
    let slip = problem.velocity(c.own.chain) - c.own.wanted;
    c.impulse.x > 0.0 && slip.y.hypot(slip.z) < STICKS
}

/// The forces of least norm, or as near to them as the cones allow.
fn share(points: &mut [Point]) {
    let even = 1.0 / points.len() as f64;
    let middle = points.iter().map(|p| p.at).sum::<Vec3>() * even;
    let most = points.iter().map(|p| p.force.dot(&p.normal)).fold(1e-9, f64::max);
    let size = points.iter().map(|p| (p.at - middle).norm()).fold(1e-9, f64::max);
    let (mut loads, mut found) = ([1.0; MOST], [Vec3::zeros(); MOST]);
    for _ in 0..ROUNDS {
        if !least(points, &loads, (&middle, size), &mut found) {
            return;
        }
        // what would have to pull bears nothing
        for (load, (p, f)) in loads.iter_mut().zip(points.iter().zip(&found)) {
            *load = (f.dot(&p.normal) / most).max(0.0);
        }
    }
    let holds = |p: &Point, f: &Vec3| {
        let pressed = f.dot(&p.normal);
        pressed >= 0.0 && (f - p.normal * pressed).norm() <= (1.0 - INSIDE) * p.friction * pressed
    };
    let mut way = 1.0;
    for _ in 0..TRIES {
        let at = |p: &Point, f: &Vec3| p.force + (f - p.force) * way;
        if points.iter().zip(&found).all(|(p, f)| holds(p, &at(p, f))) {
            points.iter_mut().zip(&found).for_each(|(p, f)| p.force = at(p, f));
            return;
        }
        way *= 0.5;
    }
}

/// Forces `n_i (a + b × r_i)` with the same wrench as those of the points; whether there are any.
fn least(
    points: &[Point],
    loads: &[f64; MOST],
    (middle, size): (&Vec3, f64),
    found: &mut [Vec3; MOST],
) -> bool {
    let arm = |p: &Point| (p.at - middle) / size;
    let wrench = |f: &Vec3, r: &Vec3| {
        let m = r.cross(f);
        Six::new(f.x, f.y, f.z, m.x, m.y, m.z)
    };
    let mut system = SixBySix::zeros();
    for (p, load) in points.iter().zip(loads) {
        let r = arm(p);
        for (k, mut column) in system.column_iter_mut().enumerate() {
            let unit = Vec3::ith(k % 3, 1.0);
            let force = if k < 3 { unit } else { unit.cross(&r) };
            column += wrench(&(force * *load), &r);
        }
    }
    let regular = REGULAR * system.trace();
    let Some(factor) = (system + SixBySix::identity() * regular).cholesky() else { return false };
    let wanted: Six = points.iter().map(|p| wrench(&p.force, &arm(p))).sum();
    let mut y = Six::zeros();
    for _ in 0..=CORRECTIONS {
        y += factor.solve(&(wanted - system * y));
    }
    let (a, b) = (Vec3::new(y[0], y[1], y[2]), Vec3::new(y[3], y[4], y[5]));
    for ((p, load), f) in points.iter().zip(loads).zip(found.iter_mut()) {
        *f = (a + b.cross(&arm(p))) * *load;
    }
    // nothing may be lost: the equation of motion holds to rounding
    let left = points.iter().zip(&*found).map(|(p, f)| wrench(f, &arm(p))).sum::<Six>() - wanted;
    left.norm() <= 1e-11 * (wanted.norm() + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square sole whose corners press against each other at the edge of the cone: the wrench stays, and every corner uses as much friction as the
    /// whole sole does.
    #[test]
    fn corners_share_a_load() {
        let at = [[0.1, 0.05], [0.1, -0.05], [-0.1, 0.05], [-0.1, -0.05]];
        // 10 N ahead and 5 N aside each, and outwards along the diagonals, which cancels out
        let force = [[70.0, 35.0], [70.0, -25.0], [-50.0, 35.0], [-50.0, -25.0]];
        let mut points = [0, 1, 2, 3].map(|k| Point {
            nth: k,
            at: Vec3::new(at[k][0] + 3.0, at[k][1] + 2.0, 0.0),
            normal: Vec3::z(),
            friction: 1.0,
            force: Vec3::new(force[k][0], force[k][1], 150.0 + 40.0 * at[k][0]),
        });
        let total = |points: &[Point]| {
            points
                .iter()
                .map(|p| (p.force, p.at.cross(&p.force)))
                .fold((Vec3::zeros(), Vec3::zeros()), |(f, m), (df, dm)| (f + df, m + dm))
        };
        let before = total(&points);
        share(&mut points);
        let after = total(&points);
        assert!((before.0 - after.0).norm() < 1e-9 && (before.1 - after.1).norm() < 1e-9);
        let used = |p: &Point| p.force.xy().norm() / p.force.z;
        let whole = before.0.xy().norm() / before.0.z;
        assert!(points.iter().all(|p| (used(p) - whole).abs() < 0.005), "{points:?}");
    }

    /// A moment about the vertical alone, on corners of equal load: each gives the same force across its arm.
    #[test]
    fn corners_share_a_moment() {
        let at = [[0.1, 0.05], [0.1, -0.05], [-0.1, 0.05], [-0.1, -0.05]];
        let mut points = [0, 1, 2, 3].map(|k| Point {
            nth: k,
            at: Vec3::new(at[k][0], at[k][1], 0.0),
            normal: Vec3::z(),
            friction: 1.0,
            // all of it by the two in front
            force: Vec3::new(
                if k == 0 {
                    -100.0
                } else if k == 1 {
                    100.0
                } else {
                    0.0
                },
                0.0,
                150.0,
            ),
        });
        share(&mut points);
        // 10 N·m over four arms of √(0.1² + 0.05²) m
        let each = 10.0 / (4.0 * 0.0125f64.sqrt());
        for p in points {
            let across = Vec3::new(-p.at.y, p.at.x, 0.0).normalize() * each;
            assert!((p.force - across - Vec3::z() * 150.0).norm() < 1e-6, "{p:?}");
        }
    }
}
