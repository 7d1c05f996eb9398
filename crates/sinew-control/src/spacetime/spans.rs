//! Which frames of a reference have neighbours, what touches the ground, what is given, how high feet swing.

use super::points::POINTS;
use super::{Ends, Reference};
use sinew_motion::Travel;

impl Reference {
    /// The travel of a cycle.
    pub(super) fn travel(&self) -> Option<Travel> {
        match self.ends {
            Ends::Cycle(travel) => Some(travel),
            Ends::Open { .. } => None,
        }
    }

    pub(super) fn has_before(&self, k: usize) -> bool {
        k > 0 || self.travel().is_some()
    }

    pub(super) fn has_both(&self, k: usize) -> bool {
        self.travel().is_some() || (k > 0 && k + 1 < self.len())
    }

    /// Number of points that are down.
    pub(super) fn active(&self, k: usize) -> usize {
        self.down[k].iter().filter(|d| **d).count()
    }

    /// Whether a point lies on the ground in a frame: it bears force there, or did in the frame before and is held until here.
    pub(super) fn touches(&self, k: usize, p: usize) -> bool {
        let before = match self.ends {
            Ends::Cycle(_) => (k + self.len() - 1) % self.len(),
            Ends::Open { .. } => k.saturating_sub(1),
        };
        self.down[k][p] || self.down[before][p]
    }

    /// Whether a frame is given.
    pub(super) fn held(&self, frame: usize) -> bool {
        match self.ends {
            Ends::Cycle(_) => {
                let n = self.len();
                let frame = if frame == usize::MAX { n - 1 } else { frame % n };
                self.hub && (frame == 0 || frame == n - 1)
            }
            Ends::Open { first, last } => {
                (first && frame < 2) || (last && frame < self.len() && frame + 2 >= self.len())
            }
        }
    }

    /// Height over its ground that each point keeps in each frame: a bell over each swing.
    pub(super) fn clearances(&self, height: f64, power: f64) -> Vec<[f64; POINTS]> {
        let n = self.len();
        let mut out = vec![[0.0; POINTS]; n];
        let cyclic = self.travel().is_some();
        for p in 0..POINTS {
            let touches: Vec<bool> = (0..n).map(|k| self.touches(k, p)).collect();
            let Some(first) = touches.iter().position(|t| *t) else { continue };
            // runs in the air between two frames on the ground
            let mut last = first;
            let end = if cyclic { first + n } else { n - 1 };
            for at in first + 1..=end {
                if !touches[at % n] {
                    continue;
                }
                let length = at - last;
                for k in last + 1..at {
                    let phase = (k - last) as f64 / length as f64;
                    out[k % n][p] = height * libm::pow(libm::sin(core::f64::consts::PI * phase), power);
                }
                last = at;
            }
        }
        out
    }
}
