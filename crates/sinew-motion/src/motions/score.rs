//! The text of a motion: a few lines that say what a person does.
//!
//! ```text
//! about  Walks straight ahead.
//! source Winter 1991
//! cycle                                        one stride, ready to loop
//! style  step_time 0.53  strike 20             numbers that differ from an ordinary walk
//! stand  0.4                                   stays for a while, s
//! steps  2 forward 0.74 left 0 turn 0          two steps; lengths in legs, angles in degrees, per step
//! first  right                                 which foot goes first
//! cut    3 2                                   leaves out the first three and the last two steps
//! jump   crouch 0.3 flight 0.4 forward 0.5     from both feet to both feet
//! bar    0.98                                  hands hold a bar at this part of the reach overhead
//! key    0.5  trunk_flex 20  hips_up -0.1      at 0.5 s; degrees, lengths in legs
//! ```
//! `#` begins a comment. Times are those of a person with legs of 0.9275 m and stretch with the root of the length.

use super::MotionError;
use crate::edit::Track;
use std::collections::BTreeMap;

/// What a person does, in order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Deed {
    Stand { seconds: f64 },
    Steps { count: usize, forward: f64, left: f64, turn: f64 },
    Jump { crouch: f64, flight: f64, forward: f64, turn: f64 },
}

/// Numbers of a style; angles in degrees, lengths in legs, times in s or in parts of a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Style(BTreeMap<String, f64>);

/// Name and value of an ordinary walk, and what it is.
const ORDINARY: [(&str, f64); 29] = [
    ("step_time", 0.54),      // s per step
    ("double_support", 0.22), // part of a step with both feet down; negative: part in flight
    ("width", 0.11),          // between the ankles, legs
    ("strike", 18.0),         // pitch at landing, toes up
    ("toe_off", -50.0),       // pitch at lifting off
    ("tiptoe", 0.0),          // pitch while standing
    ("load", 0.22),           // part of a step until the foot is flat
    ("roll", 0.5),            // part of a step in which the heel rises
    ("clearance", 0.02),      // of the swinging sole, legs
    ("reach", 0.997),         // greatest part of the leg's length that is used
    ("dip", 0.0),             // lowers the hips, legs
    ("sway", 0.42),           // of the hips towards the standing foot, part of its distance
    ("middle", 0.0),          // when the hips are midway between the feet, part of the double support
    ("ahead", 0.06),          // hips before the middle of the ankles, legs
    ("lean", 3.0),            // of the trunk, forward
    ("tilt", 4.0),            // of the pelvis, forward
    ("pelvis_yaw", 7.0),      // turn of the pelvis with a stride, degrees per leg of distance
    ("pelvis_roll", 3.5),     // drop of the swinging side
    ("trunk_yaw", 13.0),      // turn of the shoulders against it
    ("arm", 34.0),            // swing of an arm, degrees per leg of distance between the feet
    ("arm_forward", 2.0),     // middle of the swing
    ("abduct", 7.0),          // arms away from the body
    ("arm_twist", 8.0),       // inwards
    ("elbow", 22.0),          // bend of the elbow
    ("elbow_swing", 18.0),    // more when the arm is in front, degrees per leg
    ("head", -2.0),           // bend of the head, forward
    ("look_ahead", 0.35),     // s by which the head turns first
    ("toe_out", 6.0),         // of the feet
    ("smooth", 0.065),        // s over which paths of the hips are smoothed
];

impl Style {
    fn ordinary() -> Style {
        Style(ORDINARY.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect())
    }

    pub(super) fn get(&self, name: &str) -> f64 {
        debug_assert!(self.0.contains_key(name), "{name}");
        self.0.get(name).copied().unwrap_or(0.0)
    }

    /// An angle in rad.
    pub(super) fn angle(&self, name: &str) -> f64 {
        self.get(name).to_radians()
    }
}

/// Channels that keys may move; a part of a pair has `_left` or `_right`.
pub(super) const CHANNELS: [&str; 23] = [
    "hips_forward",
    "hips_left",
    "hips_up",
    "pelvis_pitch",
    "pelvis_roll",
    "pelvis_yaw",
    "trunk_flex",
    "trunk_side",
    "trunk_twist",
    "head_flex",
    "head_side",
    "head_twist",
    "shoulder_flex_left",
    "shoulder_side_left",
    "shoulder_twist_left",
    "elbow_left",
    "shoulder_flex_right",
    "shoulder_side_right",
    "shoulder_twist_right",
    "elbow_right",
    "hip_flex",
    "knee",
    "ankle",
];

/// A parsed motion.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Score {
    pub(super) about: String,
    pub(super) source: String,
    pub(super) cycle: bool,
    pub(super) first_left: bool,
    pub(super) bar: Option<f64>,
    /// Steps left out at the beginning and at the end.
    pub(super) cut: [usize; 2],
    pub(super) style: Style,
    pub(super) deeds: Vec<Deed>,
    tracks: BTreeMap<String, Vec<(f64, f64)>>,
}

impl Score {
    /// Reads a text.
    pub(super) fn parse(name: &str, text: &str) -> Result<Score, MotionError> {
        let mut score = Score {
            about: String::new(),
            source: String::new(),
            cycle: false,
            first_left: true,
            bar: None,
            cut: [0; 2],
            style: Style::ordinary(),
            deeds: Vec::new(),
            tracks: BTreeMap::new(),
        };
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let error = |problem: String| MotionError::Text { name: name.into(), line: index + 1, problem };
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let rest = rest.trim();
            match word {
                "" => {}
                "about" => score.about = rest.into(),
                "source" => score.source = rest.into(),
                "cycle" => score.cycle = true,
                "first" if rest == "left" || rest == "right" => score.first_left = rest == "left",
                "cut" => {
                    let counts: Vec<usize> = rest.split_whitespace().filter_map(|c| c.parse().ok()).collect();
                    score.cut = counts
                        .try_into()
                        .map_err(|_| error(format!("`{rest}`: two numbers of steps are wanted")))?;
                }
                "bar" => score.bar = Some(number(rest).map_err(error)?),
                "style" => {
                    for (key, value) in pairs(rest).map_err(error)? {
                        match score.style.0.get_mut(key) {
                            Some(old) => *old = value,
                            None => {
                                return Err(error(unknown(key, score.style.0.keys().map(String::as_str))));
                            }
                        }
                    }
                }
                "key" => {
                    let (time, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                    let time = number(time).map_err(error)?;
                    for (key, value) in pairs(rest).map_err(error)? {
                        if !CHANNELS.contains(&key) {
                            return Err(error(unknown(key, CHANNELS.into_iter())));
                        }
                        score.tracks.entry(key.into()).or_default().push((time, value));
                    }
                }
                _ => score.deeds.push(deed(word, rest).map_err(error)?),
            }
        }
        Ok(score)
    }

    /// Keys of a channel, times stretched by `tempo`, repeating after `period` when there is one.
    pub(super) fn track(&self, channel: &str, tempo: f64, period: Option<f64>) -> Track {
        debug_assert!(CHANNELS.contains(&channel), "{channel}");
        let keys = self
            .tracks
            .get(channel)
            .map_or(Vec::new(), |keys| keys.iter().map(|k| (k.0 * tempo, k.1)).collect());
        match period {
            Some(period) if !keys.is_empty() => Track::periodic(keys, period),
            _ => Track::new(keys),
        }
    }
}

fn deed(word: &str, rest: &str) -> Result<Deed, String> {
    if word == "stand" {
        return Ok(Deed::Stand { seconds: number(rest)? });
    }
    let (count, rest) = match word {
        "steps" => {
            let (count, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            (count.parse().map_err(|_| format!("`{count}` is not a number of steps"))?, rest)
        }
        "jump" => (1, rest),
        _ => {
            let known =
                ["about", "source", "cycle", "style", "stand", "steps", "first", "cut", "jump", "bar", "key"];
            return Err(unknown(word, known.into_iter()));
        }
    };
    let (mut forward, mut left, mut turn, mut crouch, mut flight) = (0.0, 0.0, 0.0, 0.2, 0.4);
    for (key, value) in pairs(rest)? {
        match (word, key) {
            (_, "forward") => forward = value,
            (_, "turn") => turn = f64::to_radians(value),
            ("steps", "left") => left = value,
            ("jump", "crouch") => crouch = value,
            ("jump", "flight") => flight = value,
            _ => return Err(unknown(key, ["forward", "left", "turn", "crouch", "flight"].into_iter())),
        }
    }
    Ok(match word {
        "jump" => Deed::Jump { crouch, flight, forward, turn },
        _ => Deed::Steps { count, forward, left, turn },
    })
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| format!("`{text}` is not a number"))
}

/// `name value name value …`
fn pairs(text: &str) -> Result<Vec<(&str, f64)>, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .chunks(2)
        .map(|pair| match pair {
            [name, value] => Ok((*name, number(value)?)),
            _ => Err(format!("`{}` has no value", pair[0])),
        })
        .collect()
}

fn unknown<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    match known.min_by_key(|k| strsim::damerau_levenshtein(word, k)) {
        Some(nearest) => format!("`{word}` is unknown; did you mean `{nearest}`?"),
        None => format!("`{word}` is unknown"),
    }
}
