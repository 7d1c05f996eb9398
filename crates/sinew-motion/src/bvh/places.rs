//! Position channels of joints other than the root.

use super::hierarchy::{Channel, Node};
use crate::import::{Report, WarningKind};
use crate::{Joint, Pose};
use sinew_dynamics::spatial::Vec3;

/// Deviations below this share of the skeleton's size are rounding.
const STILL: f64 = 1e-4;

/// Where the joints with position channels are in their parents, frame by frame.
pub(super) struct Places {
    /// Index of the joint, its OFFSET, its place per frame as the channels have it.
    moving: Vec<(usize, Vec3, Vec<Vec3>)>,
}

impl Places {
    pub(super) fn of(nodes: &[Node], kept: &[usize]) -> Places {
        let has_position = |k: usize| nodes[k].channels.iter().any(|c| matches!(c, Channel::Position(_)));
        let joints = kept.iter().enumerate().skip(1).filter(|&(_, &k)| has_position(k));
        Places { moving: joints.map(|(j, &k)| (j, nodes[k].offset, Vec::new())).collect() }
    }

    pub(super) fn push(&mut self, nodes: &[Node], kept: &[usize], values: &[f64]) {
        for (j, _, places) in &mut self.moving {
            let node = &nodes[kept[*j]];
            let mut place = Vec3::zeros();
            for (channel, &value) in node.channels.iter().zip(&values[node.first..]) {
                if let Channel::Position(axis) = *channel {
                    place[axis] = value;
                }
            }
            places.push(place);
        }
    }

    /// Gives still joints their offsets, makes the joint that travels the root, and warns of the others.
    pub(super) fn settle(mut self, joints: &mut Vec<Joint>, poses: &mut [Pose], report: &mut Report) {
        for (_, offset, places) in &mut self.moving {
            // channels repeat the OFFSET, or come on top of it
            let mean = places.iter().sum::<Vec3>() / places.len() as f64;
            if (mean - *offset).norm() > mean.norm() {
                places.iter_mut().for_each(|p| *p += *offset);
            }
        }
        let size = joints.iter().map(|j| j.offset.norm()).sum::<f64>().max(f64::MIN_POSITIVE);
        self.promote(joints, poses, size, report);
        let (mut worst, mut count) = ((0.0, 0), 0);
        for (j, _, places) in &self.moving {
            let mean = places.iter().sum::<Vec3>() / places.len() as f64;
            let deviation = places.iter().map(|p| (p - mean).norm()).fold(0.0, f64::max);
            joints[*j].offset = mean;
            if deviation > STILL * size {
                count += 1;
                if deviation > worst.0 {
                    worst = (deviation, *j);
                }
            }
        }
        if count > 0 {
            let text = format!(
                "{count} joints change their places in their parents, up to {:.4} units (\"{}\"): held at the mean",
                worst.0, joints[worst.1].name
            );
            report.warn(WarningKind::Translation, text);
        }
    }

    /// While the root has one child, and that travels, the child becomes the root.
    fn promote(&mut self, joints: &mut Vec<Joint>, poses: &mut [Pose], size: f64, report: &mut Report) {
        while let Some((1, _, places)) = self.moving.first() {
            let only_child = joints.iter().filter(|j| j.parent == Some(0)).count() == 1;
            let far = places.iter().map(|p| (p - places[0]).norm()).fold(0.0, f64::max);
            if !only_child || far < 0.01 * size {
                return;
            }
            for (pose, place) in poses.iter_mut().zip(places) {
                let carrier = pose.rotations.remove(0);
                pose.root += carrier * place;
                pose.rotations[0] = carrier * pose.rotations[0];
            }
            let carrier = joints.remove(0);
            joints[0].parent = None;
            joints[0].offset = Vec3::zeros();
            joints.iter_mut().skip(1).for_each(|j| j.parent = j.parent.map(|p| p - 1));
            self.moving.remove(0);
            self.moving.iter_mut().for_each(|m| m.0 -= 1);
            let why = format!("it travels in \"{}\", which has no other child", carrier.name);
            report.assume("root", format!("\"{}\"", joints[0].name), why, 0.9);
        }
    }
}
