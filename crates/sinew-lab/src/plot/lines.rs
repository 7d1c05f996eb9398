//! Lines and points.

use super::axis::{Axis, Scale};
use super::svg::{Svg, WIDTH, number};
use serde::{Deserialize, Serialize};

/// Points of one colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// What they are.
    pub name: String,
    /// Where they are.
    pub points: Vec<(f64, f64)>,
    /// What is written beside the points; may be shorter than the list of points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Whether they are joined.
    pub joined: bool,
    /// Whether each has a dot.
    pub dotted: bool,
}

impl Series {
    /// A line, with dots when there are few points.
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        let points: Vec<(f64, f64)> = points.into_iter().collect();
        let dotted = points.len() <= 60;
        Series { name: name.into(), points, labels: Vec::new(), joined: true, dotted }
    }

    /// Points alone.
    pub fn points(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        Series { joined: false, dotted: true, ..Series::line(name, points) }
    }
}

/// A plot of several series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lines {
    /// What it shows.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series.
    pub series: Vec<Series>,
    /// Levels to compare with: name and height.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<(String, f64)>,
}

/// Height of the field in which lines are drawn.
const FIELD: f64 = 300.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 16.0;
const TITLE: f64 = 34.0;
const LEGEND: f64 = 16.0;
const BOTTOM: f64 = 52.0;
const COLORS: [&str; 7] = ["#2563a8", "#d9480f", "#2b8a3e", "#862e9c", "#5f6b7a", "#b08900", "#0b7285"];

impl Lines {
    /// Without levels.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis, series: Vec<Series>) -> Lines {
        Lines { title: title.into(), x, y, series, levels: Vec::new() }
    }

    /// With a level to compare with.
    pub fn level(mut self, name: impl Into<String>, height: f64) -> Lines {
        self.levels.push((name.into(), height));
        self
    }

    /// The picture.
    pub fn svg(&self) -> String {
        let all = || self.series.iter().flat_map(|s| &s.points);
        // names of several lines stand between title and field
        let named = if self.series.len() > 1 { self.series.len() as f64 } else { 0.0 };
        let top = TITLE + LEGEND * named;
        let (bottom, height) = (top + FIELD, top + FIELD + BOTTOM);
        let levels = self.levels.iter().map(|(_, height)| *height);
        let x = Scale::of(&self.x, all().map(|p| p.0), (LEFT, WIDTH - RIGHT));
        let y = Scale::of(&self.y, all().map(|p| p.1).chain(levels), (bottom, top));
        let mut out = Svg::new(height, &self.title);
        for (tick, at) in x.ticks().into_iter().filter_map(|t| Some((t, x.at(t)?))) {
            out.grid((at, top), (at, bottom));
            out.text((at, bottom + 17.0), "middle", "", &number(tick));
        }
        for (tick, at) in y.ticks().into_iter().filter_map(|t| Some((t, y.at(t)?))) {
            out.grid((LEFT, at), (WIDTH - RIGHT, at));
            out.text((LEFT - 6.0, at + 4.0), "end", "", &number(tick));
        }
        let middle = 0.5 * (top + bottom);
        out.text((0.5 * (LEFT + WIDTH - RIGHT), height - 12.0), "middle", "", &self.x.label);
        out.text((16.0, middle), "middle", &format!("transform=\"rotate(-90 16 {middle})\""), &self.y.label);
        for (name, height) in &self.levels {
            let Some(at) = y.at(*height) else { continue };
            let right = WIDTH - RIGHT;
            out.put(format_args!(
                "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#868e96\" stroke-dasharray=\"6 4\"/>"
            ));
            out.text((right - 4.0, at - 4.0), "end", "fill=\"#868e96\" font-size=\"10\"", name);
        }
        for (k, series) in self.series.iter().enumerate() {
            let color = COLORS[k % COLORS.len()];
            draw(&mut out, series, color, (&x, &y));
            if named > 0.0 {
                let at = (LEFT, TITLE + 6.0 + LEGEND * k as f64);
                out.text(at, "start", &format!("fill=\"{color}\""), &format!("● {}", series.name));
            }
        }
        out.finish()
    }
}

fn draw(out: &mut Svg, series: &Series, color: &str, (x, y): (&Scale, &Scale)) {
    let places: Vec<Option<(f64, f64)>> = series.points.iter().map(|p| x.at(p.0).zip(y.at(p.1))).collect();
    // values that cannot be drawn interrupt the line
    for run in places.split(Option::is_none).filter(|run| series.joined && run.len() > 1) {
        let path: Vec<String> = run.iter().flatten().map(|p| format!("{:.1},{:.1}", p.0, p.1)).collect();
        out.put(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            path.join(" ")
        ));
    }
    for (k, place) in places.iter().enumerate() {
        let Some((px, py)) = place else { continue };
        if series.dotted {
            out.put(format_args!("<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"3.5\" fill=\"{color}\"/>"));
        }
        if let Some(label) = series.labels.get(k) {
            out.text((px + 5.0, py - 5.0), "start", &format!("fill=\"{color}\" font-size=\"10\""), label);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Lines, Series};

    #[test]
    fn a_gap_interrupts_the_line_and_levels_are_drawn() {
        let points = [(0.0, 1.0), (1.0, 2.0), (2.0, f64::NAN), (3.0, 1.0), (4.0, 2.0)];
        let lines =
            Lines::new("a & b", Axis::linear("x"), Axis::linear("y"), vec![Series::line("s", points)]);
        let svg = lines.level("bar", 5.0).svg();
        assert_eq!((svg.matches("<polyline").count(), svg.matches("<circle").count()), (2, 4));
        assert!(
            svg.contains("a &amp; b") && svg.contains("stroke-dasharray") && !svg.contains("NaN"),
            "{svg}"
        );
    }
}
