//! The paper's gain table as styles. Gains that a row does not give are those of the authors' program.

use crate::Style;

/// A row: c1 along, across; c2 behind, ahead, across; c3 along, across; lift in mid-swing.
macro_rules! row {
    ($name:literal: $c1s:literal $c1c:literal, $c2p:literal $c2m:literal $c2c:literal, $c3s:literal $c3c:literal, $lift:literal) => {
        row!($name: $c1s $c1c, $c2p $c2m $c2c, $c3s $c3c, $lift; 20.0, 0.01, 1.0)
    };
    ($name:literal: $c1s:literal $c1c:literal, $c2p:literal $c2m:literal $c2c:literal, $c3s:literal $c3c:literal, $lift:literal;
        $kt:literal, $offset:literal, $ankle_time:literal) => {
        Style {
            name: $name,
            changes: &[
                ("stiffness", $kt),
                ("foot_time", 0.2),
                ("hip_speed", $c1s),
                ("hip_speed_across", $c1c),
                ("hip_behind", $c2p),
                ("hip_ahead", $c2m),
                ("hip_across", $c2c),
                ("ankle_speed", $c3s),
                ("ankle_speed_across", $c3c),
                ("ankle_place", 0.1),
                ("ankle_place_across", 0.1),
                ("ankle_time", $ankle_time),
                ("height", 0.5),
                ("height_speed", 0.02),
                ("offset", $offset),
                ("lift", $lift),
            ],
        }
    };
}

/// The default set first, then the paper's rows by the names of its figure 5.
pub const STYLES: &[Style] = &[
    Style { name: "any-walk", changes: &[] },
    row!("lee-normal": 0.05 0.2, 0.2 0.05 0.2, 0.1 0.1, 0.0),
    row!("lee-slow": 0.05 0.25, 0.5 0.05 0.2, 0.1 0.1, 0.0),
    row!("lee-fast": 0.05 0.3, 0.5 0.05 0.2, 0.1 0.1, 0.0),
    row!("lee-gentle": 0.0 0.3, 1.2 0.05 0.2, 0.1 0.1, 0.0),
    row!("lee-wide-swing": 0.05 0.2, 0.3 0.05 0.2, 0.1 0.1, 0.0),
    row!("lee-brisk": 0.0 0.3, 0.2 0.0 0.2, 0.1 0.1, 0.0),
    row!("lee-march": 0.0 0.3, 0.2 0.05 0.2, 0.1 0.1, 0.0),
    row!("lee-backward": 0.1 0.3, 1.0 0.0 0.3, 0.3 0.3, 0.0),
    row!("lee-left-45": 0.1 0.4, 0.7 0.05 0.2, 0.1 0.1, 0.04; 20.0, 0.01, 0.2),
    row!("lee-left-90": 0.0 0.3, 0.0 0.0 0.2, 0.1 0.1, 0.01; 20.0, 0.01, 0.2),
    row!("lee-u-turn": 0.05 0.3, 1.2 0.05 0.2, 0.1 0.1, 0.05; 20.0, 0.01, 0.2),
    row!("lee-spin": 0.2 0.2, 0.7 0.05 0.2, 0.1 0.1, 0.04; 20.0, 0.01, 0.2),
    row!("lee-pushed": 0.05 0.25, 1.7 0.1 0.3, 0.1 0.1, 0.04; 40.0, 0.01, 1.0),
    row!("lee-start": 0.1 0.25, 1.0 0.05 0.3, 0.1 0.1, 0.07; 20.0, -0.025, 1.0),
    row!("lee-steered": 0.0 0.3, 1.8 0.0 0.2, 0.1 0.1, 0.07; 20.0, -0.025, 1.0),
    row!("lee-turn-90": 0.1 0.3, 1.5 0.05 0.4, 0.1 0.1, 0.07; 20.0, -0.025, 1.0),
    row!("lee-turn-135": 0.0 0.3, 2.0 0.05 0.4, 0.1 0.1, 0.07; 20.0, -0.025, 1.0),
    row!("lee-turn-180": 0.1 0.3, 2.0 0.05 0.3, 0.1 0.1, 0.07; 20.0, -0.025, 1.0),
    row!("lee-steered-fast": 0.0 0.25, 1.0 0.0 0.3, 0.1 0.1, 0.07; 20.0, -0.025, 1.0),
    row!("lee-style-1": 0.1 0.4, 0.5 0.05 0.4, 0.1 0.1, 0.07; 20.0, -0.025, 1.0),
    row!("lee-style-2": 0.1 0.3, 0.5 0.1 0.3, 0.1 0.1, 0.07; 20.0, -0.025, 1.0),
];
