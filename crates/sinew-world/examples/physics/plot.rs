//! Line plots with logarithmic axes, as SVG.

use std::fmt::Write;

/// A line with marks; the labels stand beside the marks.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64, String)>,
}

/// A plot of several lines.
pub(crate) struct Plot<'a> {
    pub(crate) title: &'a str,
    pub(crate) x: &'a str,
    pub(crate) y: &'a str,
    pub(crate) series: &'a [Series],
}

const WIDTH: f64 = 640.0;
/// Height of the field in which lines are drawn.
const FIELD: f64 = 300.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 16.0;
const TITLE: f64 = 34.0;
const LEGEND: f64 = 16.0;
const BOTTOM: f64 = 52.0;
const COLORS: [&str; 7] = ["#2563a8", "#d9480f", "#2b8a3e", "#862e9c", "#5f6b7a", "#b08900", "#0b7285"];

/// A logarithmic axis: the decades that it spans, and where they are drawn.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn of(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Axis {
        let logs: Vec<f64> = values.filter(|v| *v > 0.0).map(f64::log10).collect();
        let low = logs.iter().copied().fold(f64::INFINITY, f64::min);
        let high = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let pad = 0.06 * (high - low) + 0.1;
        Axis { low: low - pad, high: high + pad, from, to }
    }

    fn at(&self, value: f64) -> f64 {
        let t = (value.max(1e-300).log10() - self.low) / (self.high - self.low);
        self.from + t.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Powers of ten, every few when there are many; 1, 2, 5 between them when there are few.
    fn ticks(&self) -> Vec<f64> {
        let (first, last) = (self.low.ceil() as i32, self.high.floor() as i32);
        let every = (last - first) / 7 + 1;
        let mut ticks: Vec<f64> = (first..=last).filter(|d| d % every == 0).map(|d| 10f64.powi(d)).collect();
        if ticks.len() < 3 {
            let fine = (first - 1..=last).flat_map(|d| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(d)));
            ticks = fine.filter(|t| (self.low..=self.high).contains(&t.log10())).collect();
        }
        ticks
    }
}

impl Plot<'_> {
    /// The picture.
    pub(crate) fn svg(&self) -> String {
        let all = || self.series.iter().flat_map(|s| &s.points);
        // names of several lines stand between title and field
        let named = if self.series.len() > 1 { self.series.len() as f64 } else { 0.0 };
        let top = TITLE + LEGEND * named;
        let (bottom, height) = (top + FIELD, top + FIELD + BOTTOM);
        let x = Axis::of(all().map(|p| p.0), LEFT, WIDTH - RIGHT);
        let y = Axis::of(all().map(|p| p.1), bottom, top);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"system-ui, sans-serif\" \
             font-size=\"12\" fill=\"#1c2530\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        text(&mut out, (LEFT, 22.0), "start", "font-weight=\"600\" font-size=\"14\"", self.title);
        for t in x.ticks() {
            line(&mut out, (x.at(t), top), (x.at(t), bottom));
            text(&mut out, (x.at(t), bottom + 17.0), "middle", "", &number(t));
        }
        for t in y.ticks() {
            line(&mut out, (LEFT, y.at(t)), (WIDTH - RIGHT, y.at(t)));
            text(&mut out, (LEFT - 6.0, y.at(t) + 4.0), "end", "", &number(t));
        }
        let middle = 0.5 * (top + bottom);
        text(&mut out, (0.5 * (LEFT + WIDTH - RIGHT), height - 12.0), "middle", "", self.x);
        text(&mut out, (16.0, middle), "middle", &format!("transform=\"rotate(-90 16 {middle})\""), self.y);
        for (k, series) in self.series.iter().enumerate() {
            let color = COLORS[k % COLORS.len()];
            let places: Vec<(f64, f64)> = series.points.iter().map(|p| (x.at(p.0), y.at(p.1))).collect();
            let path: Vec<String> = places.iter().map(|p| format!("{:.1},{:.1}", p.0, p.1)).collect();
            let _ = writeln!(
                out,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
                path.join(" ")
            );
            for ((px, py), (_, _, label)) in places.iter().zip(&series.points) {
                let _ = writeln!(out, "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"3.5\" fill=\"{color}\"/>");
                let style = format!("fill=\"{color}\" font-size=\"10\"");
                text(&mut out, (px + 5.0, py - 5.0), "start", &style, label);
            }
            if named > 0.0 {
                let at = (LEFT, TITLE + 6.0 + LEGEND * k as f64);
                text(&mut out, at, "start", &format!("fill=\"{color}\""), &format!("● {}", series.name));
            }
        }
        out + "</svg>\n"
    }
}

fn text(out: &mut String, at: (f64, f64), anchor: &str, style: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" {style}>{text}</text>",
        at.0, at.1
    );
}

fn line(out: &mut String, a: (f64, f64), b: (f64, f64)) {
    let _ = writeln!(
        out,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#dde3ea\"/>",
        a.0, a.1, b.0, b.1
    );
}

/// A tick: plain when short, else a power of ten.
fn number(value: f64) -> String {
    let exponent = value.log10().floor() as i32;
    if (-3..=4).contains(&exponent) { format!("{value}") } else { format!("{value:.0e}") }
}
