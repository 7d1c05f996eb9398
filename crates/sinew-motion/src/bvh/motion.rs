//! The numbers of a BVH file: what follows `MOTION`.
//!
//! ```text
//! MOTION  Frames: n  Frame Time: s  then n frames of one number per channel
//! ```
//! A frame is a line as a rule. Where most lines have the right number of numbers, the others are faults, and can be named;
//! else line breaks mean nothing and numbers are counted off.

use crate::import::text::{Scanner, clip, finite, lines, words};
use crate::import::{FrameTime, ImportOptions, ReadError, Report, WarningKind};

/// Times between frames that a capture can have, s.
const PLAUSIBLE: core::ops::RangeInclusive<f64> = 1e-6..=1e4;

/// Hands all frames over, one by one. Returns the time between them as the header has it.
pub(super) fn read(
    scanner: &mut Scanner<'_>,
    channels: usize,
    options: &ImportOptions,
    report: &mut Report,
    mut name: impl FnMut(usize) -> String,
    mut frame: impl FnMut(&[f64]) -> Result<(), ReadError>,
) -> Result<Option<FrameTime>, ReadError> {
    let announced = frames(scanner)?;
    let time = frame_time(scanner, options)?;
    if channels == 0 {
        return Err(scanner.error("MOTION", "no joint has a channel", "give the root at least one"));
    }
    let (text, first_line) = scanner.rest();
    let by_line = is_by_line(text, channels);
    let mut reader =
        Values { buffer: Vec::with_capacity(channels), channels, held: vec![0.0; channels], faults: 0 };
    let mut found = 0;
    // lines left out, and what is wrong with the first
    let mut left_out: Option<(usize, String)> = None;
    for (number, line) in lines(text, first_line) {
        scanner.line = number;
        if by_line {
            let count = words(line).count();
            if count != 0 && count != channels {
                let problem = short_line(scanner, (found, announced), count, channels, line, options)?;
                left_out = left_out.map_or(Some((1, problem)), |(n, first)| Some((n + 1, first)));
                continue;
            }
        }
        for word in words(line) {
            reader.take(scanner, word, found, options, &mut name)?;
            if reader.buffer.len() == channels {
                frame(&reader.buffer)?;
                found += 1;
                reader.next();
            }
        }
    }
    if let Some((count, first)) = left_out {
        report.warn(WarningKind::Frames, format!("{count} lines are no frames and were left out: {first}"));
    }
    if !reader.buffer.is_empty() {
        let problem = format!(
            "the last frame has {} of {channels} numbers, in a file of {announced} frames",
            reader.buffer.len()
        );
        whole_or_salvaged(scanner, found, &problem, options, report)?;
    }
    if found < announced {
        let problem = format!("{announced} frames are announced, {found} are there");
        whole_or_salvaged(scanner, found, &problem, options, report)?;
    } else if found > announced {
        let text = format!("`Frames:` says {announced}, but there are {found}: all are taken");
        report.warn(WarningKind::Frames, text);
    }
    if reader.faults > 0 {
        let text = format!("{} values are not numbers and were held from the frame before", reader.faults);
        report.warn(WarningKind::Frames, text);
    }
    if found == 0 {
        return Err(scanner.error("MOTION", "there is no frame", "get a file with motion"));
    }
    Ok(time)
}

/// Numbers of the frame that is being read.
struct Values {
    buffer: Vec<f64>,
    channels: usize,
    /// Of the frame before, for salvage.
    held: Vec<f64>,
    faults: usize,
}

impl Values {
    fn take(
        &mut self,
        scanner: &Scanner<'_>,
        word: &str,
        frame: usize,
        options: &ImportOptions,
        name: &mut impl FnMut(usize) -> String,
    ) -> Result<(), ReadError> {
        let value = match finite(word) {
            Some(x) => x,
            None if options.salvage && self.buffer.len() < self.channels => {
                self.faults += 1;
                self.held[self.buffer.len()]
            }
            None => {
                let what = format!("frame {frame}, {}", name(self.buffer.len()));
                return Err(scanner.no_number(&what, word));
            }
        };
        self.buffer.push(value);
        Ok(())
    }

    fn next(&mut self) {
        self.held.copy_from_slice(&self.buffer);
        self.buffer.clear();
    }
}

/// Whether most lines hold one frame each.
fn is_by_line(text: &str, channels: usize) -> bool {
    let (mut right, mut wrong) = (0_usize, 0_usize);
    for (_, line) in lines(text, 0) {
        match words(line).count() {
            0 => {}
            n if n == channels => right += 1,
            _ => wrong += 1,
        }
    }
    right > wrong
}

/// A line of the wrong length: an error, or left out.
fn short_line(
    scanner: &Scanner<'_>,
    (frame, announced): (usize, usize),
    count: usize,
    channels: usize,
    line: &str,
    options: &ImportOptions,
) -> Result<String, ReadError> {
    let mut problem = format!("the line has {count} numbers, but the joints have {channels} channels");
    if words(line).next().is_some_and(|w| finite(w).is_none()) {
        problem = format!("\"{}\" is no frame", clip(line.trim()));
    }
    let commas = if count > channels && line.contains(',') {
        "write decimal points instead of commas, or "
    } else {
        ""
    };
    if options.salvage {
        return Ok(format!("line {}, frame {frame}: {problem}", scanner.line));
    }
    let remedy = format!("{commas}mend it, or salvage the whole frames (of {announced})");
    Err(scanner.error(format!("frame {frame}"), problem, remedy))
}

fn whole_or_salvaged(
    scanner: &Scanner<'_>,
    found: usize,
    problem: &str,
    options: &ImportOptions,
    report: &mut Report,
) -> Result<(), ReadError> {
    if !options.salvage || found == 0 {
        let remedy = format!("get the whole file, or salvage its {found} whole frames");
        return Err(scanner.error("MOTION", problem, remedy));
    }
    report.warn(WarningKind::Frames, format!("{problem}; {found} whole frames are taken"));
    Ok(())
}

/// `Frames: n`.
fn frames(scanner: &mut Scanner<'_>) -> Result<usize, ReadError> {
    expect(scanner, "Frames")?;
    let word = scanner.label().unwrap_or_default();
    word.parse().map_err(|_| {
        let problem = format!("\"{}\" is not a number of frames", clip(word));
        scanner.error("Frames", problem, "a whole number belongs after `Frames:`")
    })
}

/// `Frame Time: s`. A time that is none is an error unless the rate is given.
fn frame_time(scanner: &mut Scanner<'_>, options: &ImportOptions) -> Result<Option<FrameTime>, ReadError> {
    expect(scanner, "Frame")?;
    expect(scanner, "Time")?;
    let word = scanner.label().unwrap_or_default();
    match finite(word).filter(|t| PLAUSIBLE.contains(t)) {
        Some(seconds) => {
            let exact = word.contains(['e', 'E']);
            let decimals = word.split_once('.').map_or(0, |(_, d)| d.len());
            Ok(Some(FrameTime { seconds, decimals: if exact { 20 } else { decimals } }))
        }
        None if options.rate.is_some() => Ok(None),
        None => {
            let problem = format!("\"{}\" is no time between frames", clip(word));
            Err(scanner.error("Frame Time", problem, "write seconds above 0, or give the rate"))
        }
    }
}

fn expect(scanner: &mut Scanner<'_>, label: &str) -> Result<(), ReadError> {
    match scanner.label() {
        Some(word) if word.eq_ignore_ascii_case(label) => Ok(()),
        Some(word) => {
            let problem = format!("\"{}\" stands where `{label}` belongs", clip(word));
            Err(scanner.error("MOTION", problem, "MOTION is followed by `Frames:` and `Frame Time:`"))
        }
        None => Err(scanner.error("MOTION", format!("the file ends before `{label}`"), "get the whole file")),
    }
}
