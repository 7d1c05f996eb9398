//! Two links between two points: the triangle of hip, knee and ankle.
//!
//! With lengths `a` (hip to knee), `b` (knee to ankle) and the distance `d` of hip and ankle, the law of cosines gives the inner
//! angles at the knee and at the hip:
//! ```text
//! cos φ = (a² + b² − d²) / 2ab        cos β = (a² + d² − b²) / 2ad
//! ```
//! A distance that the links cannot span is cut to `|a − b| ≤ d ≤ a + b` first. Source: Lee, Kim, Lee 2010; da Silva 2008.

/// Two links joined at a middle joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoLink {
    /// Length of the upper link, m.
    pub upper: f64,
    /// Length of the lower link, m.
    pub lower: f64,
}

/// The triangle that two links make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Inner angle at the middle joint, rad: π when the links are stretched out.
    pub middle: f64,
    /// Inner angle at the root, rad: between the upper link and the line to the end.
    pub root: f64,
    /// Distance that is spanned, m.
    pub distance: f64,
}

impl TwoLink {
    /// The triangle whose third side is nearest to `distance`.
    ///
    /// ```
    /// use sinew_motion::ik::TwoLink;
    /// let leg = TwoLink { upper: 0.444439, lower: 0.421185 };
    /// let bent = leg.triangle(0.8);
    /// assert!((bent.middle.to_degrees() - 135.076).abs() < 1e-3);
    /// assert!((bent.root.to_degrees() - 21.826).abs() < 1e-3);
    /// assert_eq!(leg.triangle(2.0).distance, leg.upper + leg.lower); // out of reach
    /// ```
    pub fn triangle(&self, distance: f64) -> Triangle {
        let (a, b) = (self.upper, self.lower);
        let d = distance.clamp((a - b).abs(), a + b);
        let angle = |x: f64, y: f64, opposite: f64| {
            let cosine = (x * x + y * y - opposite * opposite) / (2.0 * x * y);
            if cosine.is_nan() { 0.0 } else { libm::acos(cosine.clamp(-1.0, 1.0)) }
        };
        Triangle { middle: angle(a, b, d), root: angle(a, d, b), distance: d }
    }
}
