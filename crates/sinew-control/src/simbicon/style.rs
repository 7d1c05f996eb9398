//! Gaits of the paper's table 1 as styles of the planar walk. The styles with high steps and the crouch also change the spatial walk.
//! The runs are planar: in space these styles are the walk.
//!
//! In the crouch and in runs the trunk leans by 0.1 and 0.15 rad more than in the table. With the printed values both stay up for a minute on
//! our planar biped, but drift backward (`simbicon.gaits`).
//!
//! A direct change from the fast run to the crouch makes the body trip in half of all phases of the stride. If each step applies 0.6 of the
//! remaining change, it never trips (`simbicon.transitions`).

use crate::Style;

/// All gaits; the first is the walk.
pub const STYLES: &[Style] = &[
    Style { name: "walk", changes: &[] },
    Style {
        name: "high-step",
        changes: &[
            ("planar.lift_hip", 1.0),
            ("planar.lift_knee", 2.4),
            ("gait.lift_hip", 0.9),
            ("gait.lift_knee", 1.9),
        ],
    },
    Style {
        name: "crouch",
        changes: &[
            ("planar.change", 0.6),
            ("planar.lift_lean", 0.28),
            ("planar.lift_hip", 1.1),
            ("planar.lift_knee", 2.17),
            ("planar.lift_ankle", 0.62),
            ("planar.lift_stance_knee", 0.97),
            ("planar.lift_stance_ankle", 0.44),
            ("planar.land_lean", 0.35),
            ("planar.land_stance_knee", 0.92),
            ("planar.land_stance_ankle", 0.44),
            ("gait.lift_lean", 0.15),
            ("gait.lift_hip", 0.8),
            ("gait.lift_knee", 1.6),
            ("gait.lift_stance_knee", 0.5),
            ("gait.lift_stance_ankle", 0.1),
            ("gait.land_lean", 0.1),
            ("gait.land_stance_knee", 0.6),
            ("gait.land_stance_ankle", 0.15),
        ],
    },
    Style {
        name: "run",
        changes: &[
            ("planar.period", 0.35),
            ("planar.wait", 0.0),
            ("planar.lift_lean", 0.15),
            ("planar.lift_hip", 0.8),
            ("planar.lift_knee", 1.84),
            ("planar.lift_stance_ankle", 0.27),
        ],
    },
    Style {
        name: "fast-run",
        changes: &[
            ("planar.period", 0.21),
            ("planar.wait", 0.0),
            ("planar.lift_lean", 0.2),
            ("planar.lift_hip", 1.08),
            ("planar.lift_knee", 2.18),
            ("planar.lift_stance_ankle", 0.27),
        ],
    },
];
