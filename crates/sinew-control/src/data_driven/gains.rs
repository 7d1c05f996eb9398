//! Gains of tracking and balance, and switches for ablations.

use crate::{Choice, parameters};

parameters! {
    /// Gains. The defaults are one set for all walks; the rows of the paper's table are [styles](super::STYLES).
    #[derive(Copy)]
    pub struct Gains {
        /// Stiffness of tracking; the damping is twice its root.
        stiffness: number(36.4, [1.0, 400.0]).unit("1/s²").label("tracking stiffness k_t").main().slider(10.0, 150.0);
        /// Share of the reference's acceleration in the desired one. The authors' differences give one half.
        acceleration: number(0.596, [0.0, 1.0]).label("share of reference acceleration").slider(0.0, 1.0);
        /// Share of a step after which the standing foot has the captured angle to the ground.
        foot_time: number(0.395, [0.05, 1.0]).label("foot angle reached after").slider(0.1, 0.9);
        /// Swing hip by excess speed along the way: c1.
        hip_speed: number(0.085, [0.0, 1.0]).unit("rad s/m").label("swing hip c1, along").main().slider(0.0, 0.3);
        /// Swing hip by excess speed across: c1.
        hip_speed_across: number(0.3, [0.0, 1.0]).unit("rad s/m").label("swing hip c1, across").main().slider(0.0, 0.8);
        /// Swing hip by a pelvis too far behind the standing foot: c2(+).
        hip_behind: number(0.502, [0.0, 3.0]).unit("rad/m").label("swing hip c2, behind").slider(0.0, 2.0);
        /// Swing hip by a pelvis too far before the standing foot: c2(-).
        hip_ahead: number(0.219, [0.0, 3.0]).unit("rad/m").label("swing hip c2, ahead").slider(0.0, 1.0);
        /// Swing hip by a pelvis too far to the side: c2.
        hip_across: number(0.145, [0.0, 3.0]).unit("rad/m").label("swing hip c2, across").slider(0.0, 0.8);
        /// Standing ankle by excess speed along the way: c3.
        ankle_speed: number(0.303, [0.0, 1.0]).unit("rad s/m").label("ankle c3, along").main().slider(0.0, 0.6);
        /// Standing ankle by excess speed across: c3.
        ankle_speed_across: number(0.341, [0.0, 1.0]).unit("rad s/m").label("ankle c3, across").main().slider(0.0, 0.6);
        /// Standing ankle by the pelvis's place along the way: c4.
        ankle_place: number(0.487, [0.0, 2.0]).unit("rad/m").label("ankle c4, along").slider(0.0, 1.0);
        /// Standing ankle by the pelvis's place across: c4.
        ankle_place_across: number(0.22, [0.0, 2.0]).unit("rad/m").label("ankle c4, across").slider(0.0, 0.8);
        /// Correction of the swinging foot's height: c5.
        height: number(0.601, [0.0, 2.0]).label("swing height c5").slider(0.0, 1.2);
        /// Correction of the swinging foot's vertical speed: c6.
        height_speed: number(0.0066, [0.0, 0.2]).unit("s").label("swing height c6").slider(0.0, 0.08);
        /// How much higher than captured the swinging foot is held: it makes up for the sinking of the other one.
        offset: number(0.0157, [-0.05, 0.1]).unit("m").label("swing height offset").slider(-0.02, 0.05);
        /// How much higher the swinging foot is in the middle of its step.
        lift: number(0.0706, [0.0, 0.2]).unit("m").label("lift in mid-swing").main().slider(0.0, 0.12);
    }
}

/// When desired accelerations are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refresh {
    /// Once per frame, and held: the authors' program.
    Frame,
    /// At every step, towards the frame's target: the paper.
    Step,
    /// At every step, towards a target that moves on between frames.
    Moving,
}

impl Choice for Refresh {
    const ALL: &'static [Refresh] = &[Refresh::Frame, Refresh::Step, Refresh::Moving];
    const NAMES: &'static [&'static str] = &["frame", "step", "moving"];
}

/// From which pose the next fragment is warped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarpFrom {
    /// The target pose at the landing.
    Target,
    /// The simulated pose.
    Simulated,
}

impl Choice for WarpFrom {
    const ALL: &'static [WarpFrom] = &[WarpFrom::Target, WarpFrom::Simulated];
    const NAMES: &'static [&'static str] = &["target", "simulated"];
}

parameters! {
    /// Switches for ablations, and readings of the paper that its program settles.
    #[derive(Copy)]
    pub struct Rules {
        /// Whether a step ends when the foot lands, earlier or later than captured.
        sync: flag(true).label("synchronisation");
        /// Whether the pelvis is kept upright over the standing thigh.
        stance_hip_rule: flag(true).label("stance hip");
        /// Share of the turn from captured to simulated standing thigh that the target adopts: c0.
        stance_hip: number(1.0, [0.0, 2.0]).label("stance hip c0");
        /// Share of a step after which the ankle's feedback is whole.
        ankle_time: number(0.2, [0.05, 1.0]).label("ankle feedback whole after");
        /// A touch of the swinging foot before this share of a step does not count as a landing.
        landing: number(0.7, [0.1, 1.0]).label("earliest landing");
        /// Whether the swinging leg is placed by speed and place of the pelvis.
        swing_hip_rule: flag(true).label("swing hip");
        /// Whether the standing ankle brakes and pushes.
        ankle_rule: flag(true).label("stance ankle");
        /// Whether the swinging foot's height is corrected.
        height_rule: flag(true).label("swing height");
        /// Whether the standing foot keeps the captured angle to the ground.
        foot_rule: flag(true).label("foot angle");
        /// When desired accelerations are computed.
        refresh: choice(Refresh, Refresh::Frame, "frame");
        /// From which pose the next fragment is warped.
        warp_from: choice(WarpFrom, WarpFrom::Target, "target");
        /// Whether to use the pelvis's mean speed over the last frame instead of its present speed.
        mean_speed: flag(true);
        /// Whether to use the centre of mass instead of the pelvis.
        mass_centre: flag(false);
    }
}
