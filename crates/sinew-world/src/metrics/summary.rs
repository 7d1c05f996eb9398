//! The figures of a run.

use crate::text::{short, table};
use core::fmt;
use serde::{Deserialize, Serialize};

/// Median and 99th percentile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantiles {
    /// Half of the samples are not greater.
    pub median: f64,
    /// 99 of 100 samples are not greater.
    pub p99: f64,
}

impl Quantiles {
    /// Of samples, which are sorted; `None` when there are none.
    ///
    /// ```
    /// use sinew_world::metrics::Quantiles;
    /// let mut samples: Vec<f64> = (1..=200).rev().map(f64::from).collect();
    /// assert_eq!(Quantiles::of(&mut samples), Some(Quantiles { median: 100.0, p99: 198.0 }));
    /// ```
    pub fn of(samples: &mut [f64]) -> Option<Quantiles> {
        samples.sort_unstable_by(f64::total_cmp);
        // nearest rank: the least sample that is not less than the share asked for
        let rank = |percent: usize| (samples.len() * percent).div_ceil(100).saturating_sub(1);
        Some(Quantiles { median: *samples.get(rank(50))?, p99: *samples.get(rank(99))? })
    }
}

/// The figures of a run. Figures that were not measured are `None` (`null` in JSON).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Name of the character.
    pub character: String,
    /// Its mass, kg.
    pub mass_kg: f64,
    /// Whether it fell; `None` for a body without feet.
    pub fell: Option<bool>,
    /// When, s.
    pub fall_time: Option<f64>,
    /// Why, in words.
    pub fall_reason: Option<String>,
    /// Duration, s.
    pub seconds: f64,
    /// Length of the way, m.
    pub distance_m: f64,
    /// Distance over duration, m/s.
    pub mean_speed_mps: f64,
    /// Turn about the vertical, left positive, degrees.
    pub heading_change_deg: f64,
    /// Footsteps.
    pub steps: usize,
    /// Simulated over real time.
    pub realtime_factor: Option<f64>,
    /// Time of a controller's decision, µs.
    pub control_us: Option<Quantiles>,
    /// Time of a step, µs.
    pub step_us: Option<Quantiles>,
    /// Greatest overlap, mm.
    pub penetration_mm: f64,
    /// Mean slip of a foot per stance, mm.
    pub skate_mm: f64,
    /// The same of the worst stance.
    pub skate_worst_mm: f64,
    /// Mean distance of the centre of pressure from the edge of the support, mm.
    pub cop_margin_mm: Option<f64>,
    /// Its least value.
    pub cop_margin_least_mm: Option<f64>,
    /// Greatest share of the friction cone used.
    pub friction_used: f64,
    /// Contacts that come and go, 1/s.
    pub chatter_hz: f64,
    /// Greatest torque over its limit.
    pub peak_torque_ratio: f64,
    /// Mechanical energy of the actuators, J.
    pub energy_j: f64,
    /// Seed.
    pub seed: u64,
    /// Version of the program.
    pub version: String,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let optional = |x: Option<f64>| x.map_or("–".to_owned(), short);
        let times = |x: Option<Quantiles>| {
            x.map_or("–".into(), |q| format!("{}, p99 {}", short(q.median), short(q.p99)))
        };
        let fell = match (self.fell, self.fall_time, &self.fall_reason) {
            (None, ..) => "no feet".to_owned(),
            (Some(false), ..) => "no".to_owned(),
            (_, Some(time), Some(reason)) => format!("at {time:.3} s: {reason}"),
            _ => "yes".to_owned(),
        };
        let margin = match (self.cop_margin_mm, self.cop_margin_least_mm) {
            (Some(mean), Some(least)) => format!("{}, least {}", short(mean), short(least)),
            _ => "–".to_owned(),
        };
        let rows = [
            ("fell", fell, ""),
            ("duration", short(self.seconds), "s"),
            ("distance", short(self.distance_m), "m"),
            ("mean speed", short(self.mean_speed_mps), "m/s"),
            ("heading change", short(self.heading_change_deg), "°"),
            ("footsteps", self.steps.to_string(), ""),
            ("penetration", short(self.penetration_mm), "mm"),
            (
                "skate per stance",
                format!("{}, worst {}", short(self.skate_mm), short(self.skate_worst_mm)),
                "mm",
            ),
            ("COP margin", margin, "mm"),
            ("friction used", short(100.0 * self.friction_used), "%"),
            ("chatter", short(self.chatter_hz), "1/s"),
            ("peak torque", short(100.0 * self.peak_torque_ratio), "% of limit"),
            ("energy", short(self.energy_j), "J"),
            ("real-time factor", optional(self.realtime_factor), ""),
            ("control", times(self.control_us), "µs"),
            ("step", times(self.step_us), "µs"),
            ("seed", self.seed.to_string(), ""),
        ];
        let Summary { character, mass_kg, version, .. } = self;
        writeln!(f, "{character}, {} kg, sinew {version}\n", short(*mass_kg))?;
        let cells = |(name, value, unit): &(&str, String, &str)| {
            let unit = if value == "–" { "" } else { unit };
            vec![(*name).to_owned(), value.clone(), unit.to_owned()]
        };
        let lines: Vec<_> = rows.iter().map(cells).collect();
        f.write_str(&table(&["", "value", "unit"], &lines))
    }
}
