//! One number over time from a few keys, without overshoot.
//!
//! Monotone cubic pieces (Fritsch, Carlson 1980): at a key the slope is zero when the neighbours lie on the same side, else the
//! weighted harmonic mean of the slopes beside it (Fritsch, Butland 1984). Between two keys the value never leaves them, as
//! an animator expects of a pose that is held. The slope is continuous; a periodic track closes smoothly.

/// Keys of one number.
///
/// ```
/// use sinew_motion::edit::Track;
/// let squat = Track::new(vec![(0.0, 0.0), (1.0, 0.4), (2.0, 0.4), (3.0, 0.0)]);
/// assert_eq!([squat.at(-1.0), squat.at(0.5), squat.at(1.5), squat.at(9.0)], [0.0, 0.2, 0.4, 0.0]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// Time and value, in order of time.
    keys: Vec<(f64, f64)>,
    slopes: Vec<f64>,
    period: Option<f64>,
}

impl Track {
    /// A track through keys `(time, value)`; constant beyond the ends. Of keys at the same time the last counts.
    pub fn new(keys: Vec<(f64, f64)>) -> Track {
        Track::build(keys, None)
    }

    /// A track that repeats after `period`; keys lie in `[0, period)`.
    pub fn periodic(keys: Vec<(f64, f64)>, period: f64) -> Track {
        Track::build(keys, Some(period))
    }

    fn build(mut keys: Vec<(f64, f64)>, period: Option<f64>) -> Track {
        if let Some(period) = period {
            keys.iter_mut().for_each(|key| key.0 -= period * libm::floor(key.0 / period));
        }
        keys.sort_by(|a, b| a.0.total_cmp(&b.0));
        keys.reverse();
        keys.dedup_by(|earlier, later| earlier.0 == later.0);
        keys.reverse();
        let mut track = Track { slopes: vec![0.0; keys.len()], keys, period };
        for i in 0..track.keys.len() {
            let (Some(before), Some(after)) = (track.key(i as i64 - 1), track.key(i as i64 + 1)) else {
                continue;
            };
            let key = track.keys[i];
            let (h0, h1) = (key.0 - before.0, after.0 - key.0);
            let (d0, d1) = ((key.1 - before.1) / h0, (after.1 - key.1) / h1);
            if d0 * d1 > 0.0 {
                let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
                track.slopes[i] = (w0 + w1) / (w0 / d0 + w1 / d1);
            }
        }
        track
    }

    /// Key `i`, also beyond the ends of a periodic track.
    fn key(&self, i: i64) -> Option<(f64, f64)> {
        let n = self.keys.len() as i64;
        let key = self.keys[i.rem_euclid(n) as usize];
        match self.period {
            Some(period) if n > 1 => Some((key.0 + period * i.div_euclid(n) as f64, key.1)),
            _ => (0..n).contains(&i).then_some(key),
        }
    }

    /// Whether there are no keys; such a track is zero.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Value at a time.
    pub fn at(&self, time: f64) -> f64 {
        let (Some(first), Some(last)) = (self.keys.first(), self.keys.last()) else { return 0.0 };
        let mut time = time;
        match self.period {
            Some(period) => time -= period * libm::floor((time - first.0) / period),
            None => time = time.max(first.0).min(last.0),
        }
        let after = self.keys.partition_point(|key| key.0 <= time) as i64;
        let n = self.keys.len() as i64;
        let (Some(a), Some(b)) = (self.key(after - 1), self.key(after)) else { return last.1 };
        let h = b.0 - a.0;
        let x = (time - a.0) / h;
        let (sa, sb) =
            (self.slopes[(after - 1).rem_euclid(n) as usize], self.slopes[after.rem_euclid(n) as usize]);
        let (x2, x3) = (x * x, x * x * x);
        let (h00, h01) = (2.0 * x3 - 3.0 * x2 + 1.0, 3.0 * x2 - 2.0 * x3);
        h00 * a.1 + h01 * b.1 + h * ((x3 - 2.0 * x2 + x) * sa + (x3 - x2) * sb)
    }
}
