//! Plots as SVG: lines and points over linear or logarithmic axes, and heat maps.
//!
//! A picture stands alone, black on white; colours of ground, ink and grid are also classes (`ground`, `ink`, `grid`), so that a
//! page that shows it inline can paint them for dark screens. The same plot gives the same text.

mod axis;
mod heat;
mod lines;
mod svg;

pub use axis::Axis;
pub use heat::Heat;
pub use lines::{Lines, Series};
pub(crate) use svg::escape;

use serde::{Deserialize, Serialize};

/// A plot.
///
/// ```
/// use sinew_lab::plot::{Axis, Lines, Plot, Series};
/// let fall = Series::line("fall", (0..5).map(|k| (f64::from(k), f64::from(k * k))));
/// let plot = Plot::Lines(Lines::new("A stone falls", Axis::linear("time, s"), Axis::linear("way, m"), vec![fall]));
/// assert!(plot.svg().starts_with("<svg "));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Plot {
    /// Lines and points.
    Lines(Lines),
    /// A heat map.
    Heat(Heat),
}

impl Plot {
    /// Its title.
    pub fn title(&self) -> &str {
        match self {
            Plot::Lines(lines) => &lines.title,
            Plot::Heat(heat) => &heat.title,
        }
    }

    /// The picture.
    pub fn svg(&self) -> String {
        match self {
            Plot::Lines(lines) => lines.svg(),
            Plot::Heat(heat) => heat.svg(),
        }
    }
}
