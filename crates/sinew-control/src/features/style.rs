//! Ways of walking: sets of parameters that can be changed in the middle of a walk.

use crate::Style;

/// All styles of walking, the usual one first.
pub const STYLES: &[Style] = &[
    Style { name: "normal", changes: &[] },
    Style { name: "fast", changes: &[("step_time", 1.75), ("arm_swing", 1.4), ("lean", 0.08)] },
    Style { name: "slow", changes: &[("step_time", 2.2), ("arm_swing", 0.6)] },
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
    Style { name: "proud", changes: &[("lean", -0.06), ("nod", -0.15), ("arm_swing", 1.3), ("lift", 0.07)] },
    Style {
        name: "sneaky",
        changes: &[
            ("height", 0.92),
            ("lean", 0.25),
            ("lift", 0.09),
            ("arm_swing", 0.3),
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
            ("arm_swing", 0.5),
            ("height", 0.965),
            ("spread", 0.23),
            ("roll", 0.3),
        ],
    },
    Style { name: "drunk", changes: &[("sway", 0.12), ("spread", 0.28), ("arm_swing", 0.6), ("nod", 0.1)] },
];
