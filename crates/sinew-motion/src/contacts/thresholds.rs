//! When a point of a foot counts as standing on the ground.

/// Heights and speeds below which a point stands, and how long a state must last to count.
///
/// ```
/// use sinew_motion::contacts::Thresholds;
/// let walk = Thresholds::lee2010_walk();
/// assert_eq!((walk.height, walk.speed), (Some(0.1), 0.4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Height below which a point may stand, m; `None`: any height, for ground of unknown shape.
    pub height: Option<f64>,
    /// Above what heights are measured.
    pub floor: Floor,
    /// Speed below which a point may stand, m/s.
    pub speed: f64,
    /// A standing point keeps standing up to so many times the height and speed (1: no hysteresis).
    pub release: f64,
    /// Double support shorter than this belongs to the step that follows, s.
    pub stop: f64,
    /// Flight shorter than this belongs to the step before, s.
    pub flight: f64,
    /// Whether that holds for the first and the last state of a clip too.
    pub ends: bool,
}

/// Above what heights are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floor {
    /// The plane z = 0.
    World,
    /// For each point its own level while it stands, from [`ground::level`](super::ground::level).
    Fitted,
}

impl Default for Thresholds {
    /// For any clip of somebody on level ground: each point is compared with its own level, so that neither the floor of
    /// the capture nor the height of an ankle matters.
    fn default() -> Thresholds {
        Thresholds {
            height: Some(0.03),
            floor: Floor::Fitted,
            speed: 0.4,
            release: 1.5,
            stop: 0.5,
            flight: 0.1,
            ends: false,
        }
    }
}

/// The values of Lee, Kim, Lee 2010 (from their program; the paper has none), for heights of ankles.
impl Thresholds {
    /// For their prepared walks.
    pub fn lee2010_walk() -> Thresholds {
        Thresholds {
            height: Some(0.10),
            floor: Floor::World,
            speed: 0.40,
            release: 1.0,
            stop: 0.5,
            flight: 0.5,
            ends: false,
        }
    }

    /// For their raw captures.
    pub fn lee2010_interactive() -> Thresholds {
        let (height, flight) = (Some(0.20), 25.0 / 30.0);
        Thresholds { height, speed: 0.30, flight, ends: true, ..Thresholds::lee2010_walk() }
    }

    /// For their walks on ramps.
    pub fn lee2010_slope() -> Thresholds {
        Thresholds { height: None, speed: 0.20, ends: true, ..Thresholds::lee2010_walk() }
    }

    /// For hopping: shorter flights count.
    pub fn lee2010_hop() -> Thresholds {
        Thresholds { flight: 1.0 / 3.0, ..Thresholds::lee2010_walk() }
    }
}
