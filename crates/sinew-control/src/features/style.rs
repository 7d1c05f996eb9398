//! Ways of walking: sets of parameters that can be changed in the middle of a walk.

use crate::Style;

/// All styles of walking, the usual one first.
pub const STYLES: &[Style] = &[
    Style { name: "normal", changes: &[] },
    Style { name: "fast", changes: &[("step_time", 1.65), ("arm_swing", 0.95), ("lean", 0.08)] },
    Style { name: "slow", changes: &[("step_time", 2.15), ("arm_swing", 0.4)] },
    Style {
        name: "sad",
        changes: &[
            ("lean", 0.2),
            ("nod", 0.45),
            ("arm_swing_weight", 0.0),
            ("pockets", 5.0),
            ("height", 0.965),
            ("step_time", 2.0),
        ],
    },
    Style { name: "proud", changes: &[("lean", -0.06), ("nod", -0.15), ("arm_swing", 0.9), ("lift", 0.12)] },
    Style {
        name: "sneaky",
        changes: &[
            ("height", 0.92),
            ("lean", 0.25),
            ("lift", 0.14),
            ("arm_swing", 0.2),
            ("drop", 0.3),
            ("step_time", 2.1),
            ("roll", 0.3),
            ("heel_weight", 3.0),
        ],
    },
    Style {
        name: "tired",
        changes: &[
            ("lean", 0.15),
            ("nod", 0.25),
            ("arm_swing", 0.3),
            ("height", 0.965),
            ("spread", 0.23),
            ("roll", 0.3),
        ],
    },
    Style { name: "drunk", changes: &[("sway", 0.12), ("spread", 0.28), ("arm_swing", 0.4), ("nod", 0.1)] },
];
