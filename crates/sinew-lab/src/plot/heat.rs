//! Heat maps: a figure over two lists of cases.

use super::svg::{Svg, WIDTH, number};
use serde::{Deserialize, Serialize};

/// A heat map with figures in the cells. Light colours are small values.
///
/// ```
/// use sinew_lab::plot::Heat;
/// let heat = Heat {
///     title: "Thresholds, N·s/kg".into(),
///     x: ("phase".into(), vec!["0".into(), "½".into()]),
///     y: ("direction".into(), vec!["left".into()]),
///     values: vec![vec![Some(0.5), None]],
/// };
/// assert_eq!(heat.svg().matches("class=\"cell\"").count(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heat {
    /// What it shows.
    pub title: String,
    /// What the columns are, and their names.
    pub x: (String, Vec<String>),
    /// What the rows are, and their names.
    pub y: (String, Vec<String>),
    /// By row and column.
    pub values: Vec<Vec<Option<f64>>>,
}

const LEFT: f64 = 130.0;
const TOP: f64 = 56.0;
const ROW: f64 = 30.0;

impl Heat {
    /// The picture.
    pub fn svg(&self) -> String {
        let (columns, rows) = (self.x.1.len().max(1), self.y.1.len());
        let width = (WIDTH - 16.0 - LEFT) / columns as f64;
        let bottom = TOP + ROW * rows as f64;
        let known = || self.values.iter().flatten().flatten().copied().filter(|v| v.is_finite());
        let low = known().fold(f64::INFINITY, f64::min).min(0.0);
        let high = known().fold(f64::NEG_INFINITY, f64::max);
        let mut out = Svg::new(bottom + 48.0, &self.title);
        out.text((LEFT - 8.0, TOP - 8.0), "end", "", &self.y.0);
        out.text((0.5 * (LEFT + WIDTH - 16.0), bottom + 38.0), "middle", "", &self.x.0);
        for (k, name) in self.x.1.iter().enumerate() {
            out.text((LEFT + width * (k as f64 + 0.5), bottom + 18.0), "middle", "", name);
        }
        for (r, name) in self.y.1.iter().enumerate() {
            let y = TOP + ROW * r as f64;
            out.text((LEFT - 8.0, y + 0.65 * ROW), "end", "", name);
            for c in 0..columns {
                let value = self.values.get(r).and_then(|row| row.get(c)).copied().flatten();
                let share = value.map_or(0.0, |v| ((v - low) / (high - low).max(1e-12)).clamp(0.0, 1.0));
                let x = LEFT + width * c as f64;
                out.put(format_args!(
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{ROW}\" fill=\"{}\" stroke=\"#fff\" class=\"cell\"/>",
                    if value.is_some() { shade(share) } else { "#f1f3f5".to_owned() }
                ));
                let ink = if share > 0.55 { "fill=\"#fff\"" } else { "fill=\"#1c2530\" class=\"on-cell\"" };
                let text = value.map_or("–".to_owned(), number);
                out.text((x + 0.5 * width, y + 0.65 * ROW), "middle", ink, &text);
            }
        }
        out.finish()
    }
}

/// From a pale to a deep blue.
fn shade(share: f64) -> String {
    let mix = |from: f64, to: f64| libm::round(from + (to - from) * share) as u8;
    format!("#{:02x}{:02x}{:02x}", mix(231.0, 24.0), mix(241.0, 84.0), mix(251.0, 144.0))
}
