//! Elements of a picture.

use std::fmt::Write;

pub(super) const WIDTH: f64 = 640.0;

/// A picture that is being drawn.
pub(super) struct Svg(String);

impl Svg {
    pub(super) fn new(height: f64, title: &str) -> Svg {
        let mut svg = Svg(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
             font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#1c2530\" class=\"ink\">\n<title>{}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\" class=\"ground\"/>\n",
            escape(title)
        ));
        svg.text((78.0, 22.0), "start", "font-weight=\"600\" font-size=\"14\"", title);
        svg
    }

    pub(super) fn text(&mut self, at: (f64, f64), anchor: &str, style: &str, text: &str) {
        self.put(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" {style}>{}</text>",
            at.0,
            at.1,
            escape(text)
        ));
    }

    pub(super) fn grid(&mut self, a: (f64, f64), b: (f64, f64)) {
        self.put(format_args!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#dde3ea\" class=\"grid\"/>",
            a.0, a.1, b.0, b.1
        ));
    }

    pub(super) fn put(&mut self, element: std::fmt::Arguments<'_>) {
        // writing into a string does not fail
        let _ = self.0.write_fmt(element);
        self.0.push('\n');
    }

    pub(super) fn finish(self) -> String {
        self.0 + "</svg>\n"
    }
}

/// Text in an element or attribute.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A number as short as it can be said: plain, or a power of ten.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let exponent = libm::floor(libm::log10(value.abs())) as i32;
    if !(-3..=4).contains(&exponent) {
        return format!("{value:.0e}");
    }
    let digits = usize::try_from(3 - exponent).unwrap_or(0);
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{escape, number};

    #[test]
    fn numbers_are_short() {
        let said = [0.0, 1.0, -0.25, 1500.0, 0.001, 2e-7, 123_456.0, 0.1 + 0.2].map(number);
        assert_eq!(said, ["0", "1", "-0.25", "1500", "0.001", "2e-7", "1e5", "0.3"]);
    }

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escape("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
    }
}
