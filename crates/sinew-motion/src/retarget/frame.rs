//! One frame after the other: wanted orientations, joints, root.

use super::anatomy::{HingeBelow, Segment};
use super::{AngleError, RetargetError, Retargeted, Retargeter};
use crate::cleanup::smooth::bridge;
use crate::ik::chain::quat_at;
use crate::{Clip, Pose, Skeleton, Take};
use sinew_dynamics::spatial::{Quat, Vec3, rotation};
use sinew_dynamics::{Data, Role, Side, forward_kinematics};

/// A bend of this sine gives half of the say about the limb's plane to the lower link, half to the upper link's own twist.
const PLANE: f64 = 0.1;
/// Mean bend (sine) from which a hinge's plane is calibrated.
const BENT: f64 = 0.05;
/// At most this many frames are looked at for calibration.
const SAMPLES: usize = 2000;
/// A foot turned farther than this from its rest in the shin is a mistake of the capture, rad; it is bridged over this time, s.
const IMPOSSIBLE: f64 = 1.6;
const BRIDGE: f64 = 0.5;
/// Greatest speed with which a foot goes into the bridge, rad/s.
const FASTEST: f64 = 20.0;
/// Joint values that a limit moved by more than this count as limited, rad.
const MOVED: f64 = 1e-6;

/// Orientations and places of a skeleton's joints in a frame.
#[derive(Default)]
struct Globals {
    turns: Vec<Quat>,
    places: Vec<Vec3>,
}

impl Globals {
    fn set(&mut self, skeleton: &Skeleton, pose: &Pose) {
        self.turns.clear();
        self.places.clear();
        for (joint, turn) in skeleton.joints().iter().zip(&pose.rotations) {
            let (global, place) = match joint.parent {
                None => (*turn, pose.root),
                Some(p) => (self.turns[p] * turn, self.places[p] + self.turns[p] * joint.offset),
            };
            self.turns.push(global);
            self.places.push(place);
        }
    }
}

/// Orientations of a foot in its shin, and where they are the capture's own.
struct FootRepair {
    foot: usize,
    shin: usize,
    turns: Vec<Vec3>,
    good: Vec<bool>,
    count: usize,
}

impl FootRepair {
    fn apply(&self, frame: usize, wanted: &mut [Quat]) {
        if !self.good[frame] {
            wanted[self.foot] = wanted[self.shin] * rotation::exp(&self.turns[frame]);
        }
    }
}

impl Retargeter {
    /// Puts a take on the character.
    pub fn retarget(&self, take: &Take) -> Result<Retargeted, RetargetError> {
        let model = &self.model;
        let nq = model.nq();
        let mut data = Data::new(model);
        let mut globals = Globals::default();
        let mut wanted = vec![Quat::identity(); self.segments.len()];
        let mut reached = wanted.clone();
        let mut q = model.neutral();
        let mut frames = Vec::with_capacity(nq * take.poses.len());
        let mut errors = vec![AngleError::default(); self.segments.len()];
        let mut limited = 0;

        let repairs = self.repairs(take);
        let sole = |side| self.segments.iter().position(|s| s.role == Some(Role::Foot(side)));
        let soles = sole(Side::Left).zip(sole(Side::Right)).map(|(left, right)| [left, right]);
        let mut feet = [Vec::new(), Vec::new()];
        for (i, pose) in take.poses.iter().enumerate() {
            globals.set(&take.skeleton, pose);
            self.wanted(&globals, &mut wanted);
            self.plane_of_hinges(&mut wanted);
            repairs.iter().for_each(|repair| repair.apply(i, &mut wanted));
            for (s, segment) in self.segments.iter().enumerate() {
                let error = match segment.carrier {
                    None => {
                        write_root(&mut q, &wanted[s]);
                        reached[s] = wanted[s];
                        0.0
                    }
                    Some(carrier) => {
                        let relative = reached[carrier].inverse() * wanted[s];
                        let error = segment.chain.fit(&mut q, &relative, true);
                        limited += usize::from(error > MOVED && segment.chain.is_ball());
                        reached[s] = reached[carrier] * segment.chain.rotation(&q);
                        match segment.bone {
                            _ if segment.chain.is_rigid() => 0.0,
                            None => error,
                            Some(bone) => angle(&(reached[s] * bone), &(wanted[s] * bone)),
                        }
                    }
                };
                errors[s].mean += error / take.poses.len() as f64;
                errors[s].worst = errors[s].worst.max(error);
            }
            if let Some(soles) = soles {
                (0..2).for_each(|side| feet[side].push(wanted[soles[side]]));
            }
            self.place_root(&mut data, &globals, &mut q);
            frames.extend_from_slice(&q);
        }
        let mut clip = Clip::new(take.name.clone(), model.clone(), take.rate, frames)?;
        clip.provenance = take.provenance.clone();
        clip.provenance.add(format!("retargeted to {}, scale {:.4}", model.name(), self.scale));
        clip.provenance.add(format!("bone map: {}", self.map));
        let moves =
            |(segment, _): &(&Segment, &AngleError)| segment.carrier.is_some() && !segment.chain.is_rigid();
        let moving: Vec<_> = self.segments.iter().zip(&errors).filter(moves).collect();
        let error = AngleError {
            mean: moving.iter().map(|(_, e)| e.mean).sum::<f64>() / moving.len().max(1) as f64,
            worst: moving.iter().map(|(_, e)| e.worst).fold(0.0, f64::max),
        };
        for repair in repairs.iter().filter(|r| r.count > 0) {
            let name = &model.bodies()[self.segments[repair.foot].body.0].name;
            clip.provenance.add(format!("{name}: {} frames of impossible orientation bridged", repair.count));
        }
        let repaired = repairs.iter().map(|r| r.count).sum();
        let parts = moving.iter().filter_map(|(s, e)| Some((s.role?, **e))).collect();
        let feet = soles.map(|_| feet);
        Ok(Retargeted { clip, error, parts, limited, repaired, scale: self.scale, feet })
    }

    /// Orientations of all segments in the world as the source has them.
    fn wanted(&self, globals: &Globals, out: &mut [Quat]) {
        for (segment, out) in self.segments.iter().zip(out) {
            let [a, b] = segment.joints.map(|j| globals.turns[j] * self.undo_rest[j]);
            let turn = match segment.weight {
                0.0 => a,
                w => a * rotation::exp(&(rotation::log(&(a.inverse() * b)) * w)),
            };
            *out = turn * segment.align;
        }
    }

    /// Feet that the capture turned farther than any ankle does: frames to bridge.
    fn repairs(&self, take: &Take) -> Vec<FootRepair> {
        let feet = |s: &usize| matches!(self.segments[*s].role, Some(Role::Foot(_)));
        let mut repairs: Vec<FootRepair> = (0..self.segments.len())
            .filter(feet)
            .filter_map(|foot| Some((foot, self.segments[foot].carrier?)))
            .map(|(foot, shin)| FootRepair { foot, shin, turns: Vec::new(), good: Vec::new(), count: 0 })
            .collect();
        let mut globals = Globals::default();
        let mut wanted = vec![Quat::identity(); self.segments.len()];
        let rest = self.model.spec().reference_placements();
        let at_rest = |s: usize| rotation::from_matrix(&rest[self.segments[s].body.0].rot);
        for pose in &take.poses {
            globals.set(&take.skeleton, pose);
            self.wanted(&globals, &mut wanted);
            for r in &mut repairs {
                let neutral = at_rest(r.shin).inverse() * at_rest(r.foot);
                let turn = rotation::log(&(neutral.inverse() * wanted[r.shin].inverse() * wanted[r.foot]));
                r.good.push(turn.norm() < IMPOSSIBLE);
                r.turns.push(turn);
            }
        }
        for r in &mut repairs {
            r.count = r.good.iter().filter(|g| !**g).count();
            bridge(&mut r.turns, &r.good, take.rate, BRIDGE, FASTEST);
            // as rotations from shin to foot
            let neutral = rotation::log(&(at_rest(r.shin).inverse() * at_rest(r.foot)));
            r.turns
                .iter_mut()
                .for_each(|t| *t = rotation::log(&(rotation::exp(&neutral) * rotation::exp(t))));
        }
        repairs
    }

    /// Turns upper links about themselves so that hinges below them can reach the lower links.
    fn plane_of_hinges(&self, wanted: &mut [Quat]) {
        for s in 0..self.segments.len() {
            let Some(hinge) = &self.segments[s].hinge else { continue };
            let (swing, aside) = bend(hinge, &wanted[s], &wanted[hinge.lower]);
            let turn = libm::atan2(aside, swing.max(0.0) + PLANE);
            wanted[s] *= rotation::exp(&(hinge.bone * turn));
        }
    }

    /// Turns the constant alignment of limbs on hinges so that on average the source bends in the hinge's plane.
    pub(super) fn calibrate_hinges(&mut self, take: &Take) {
        let mut globals = Globals::default();
        let mut wanted = vec![Quat::identity(); self.segments.len()];
        let mut sums = vec![(0.0, 0.0); self.segments.len()];
        let stride = take.poses.len().div_ceil(SAMPLES);
        let mut count = 0.0;
        for pose in take.poses.iter().step_by(stride) {
            globals.set(&take.skeleton, pose);
            self.wanted(&globals, &mut wanted);
            count += 1.0;
            for (segment, (s, sum)) in self.segments.iter().zip(sums.iter_mut().enumerate()) {
                let Some(hinge) = &segment.hinge else { continue };
                let (swing, aside) = bend(hinge, &wanted[s], &wanted[hinge.lower]);
                sum.0 += swing;
                sum.1 += aside;
            }
        }
        for s in 0..self.segments.len() {
            let (swing, aside) = sums[s];
            let Some(hinge) = self.segments[s].hinge else { continue };
            if libm::hypot(swing, aside) < BENT * count {
                continue;
            }
            let turn = libm::atan2(aside, swing);
            self.segments[s].align *= rotation::exp(&(hinge.bone * turn));
            self.segments[hinge.lower].align *= rotation::exp(&(hinge.lower_bone * turn));
        }
    }

    /// Moves the root so that the middle of the hips is where the source's is, scaled.
    fn place_root(&self, data: &mut Data, globals: &Globals, q: &mut [f64]) {
        q[..3].fill(0.0);
        forward_kinematics(&self.model, data, q);
        let [l, r] = self.hip_points.map(|(body, point)| data.body_placement(&self.model, body).act(&point));
        let goal = (globals.places[self.hips[0]] + globals.places[self.hips[1]]) * (0.5 * self.scale);
        q[..3].copy_from_slice((goal - (l + r) * 0.5).as_slice());
    }
}

/// How far the lower link is bent in the plane of a hinge and out of it: components square to the upper link.
fn bend(hinge: &HingeBelow, upper: &Quat, lower: &Quat) -> (f64, f64) {
    let direction = upper.inverse() * (lower * hinge.lower_bone);
    (direction.dot(&hinge.swing), direction.dot(&hinge.axis))
}

fn angle(a: &Vec3, b: &Vec3) -> f64 {
    libm::atan2(a.cross(b).norm(), a.dot(b))
}

/// Writes the orientation of a free root, on the same side of the sphere as the one that is there.
fn write_root(q: &mut [f64], turn: &Quat) {
    let sign = if quat_at(q, 3).coords.dot(&turn.coords) < 0.0 { -1.0 } else { 1.0 };
    for (k, x) in [turn.w, turn.i, turn.j, turn.k].into_iter().enumerate() {
        q[3 + k] = sign * x;
    }
}
