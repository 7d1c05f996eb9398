//! The skeleton of a BVH file: `HIERARCHY` up to `MOTION`.
//!
//! ```text
//! HIERARCHY              any number of ROOT blocks; a block is
//! ROOT Hips              ROOT | JOINT name { OFFSET x y z  CHANNELS n names  (JOINT … | End Site { OFFSET x y z })* }
//! { … }
//! ```
//! Keywords and channels in any case, in any layout. A loop with a stack of open blocks reads it, so that no depth of nesting
//! can exhaust the program's own stack.

use crate::import::text::{Scanner, clip, did_you_mean};
use crate::import::{Limits, ReadError, Report, WarningKind};
use sinew_dynamics::spatial::Vec3;

/// What a column of numbers drives, about or along which axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    Position(usize),
    Rotation(usize),
    /// Bones do not stretch here: read and left out.
    Scale,
}

/// A joint as the file has it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) offset: Vec3,
    pub(super) channels: Vec<Channel>,
    /// Place of its first channel in a frame.
    pub(super) first: usize,
    pub(super) tips: Vec<Vec3>,
}

/// A block that is not closed yet.
struct Open {
    /// The joint, or for an end site its joint.
    node: usize,
    end_site: bool,
    offset: bool,
    channels: bool,
}

/// Reads up to and with the word `MOTION`. Returns the joints, parents before children, and the number of channels.
pub(super) fn read(
    scanner: &mut Scanner<'_>,
    limits: &Limits,
    report: &mut Report,
) -> Result<(Vec<Node>, usize), ReadError> {
    match scanner.word() {
        Some(word) if word.eq_ignore_ascii_case("HIERARCHY") => {}
        Some(word) => {
            let problem = format!("the file begins with \"{}\", not with HIERARCHY", clip(word));
            return Err(scanner.error("header", problem, "check that it is a BVH file"));
        }
        None => return Err(scanner.error("header", "the file is empty", "get the whole file")),
    }
    let mut nodes: Vec<Node> = Vec::new();
    let mut channels = 0;
    let mut open: Vec<Open> = Vec::new();
    loop {
        let Some(word) = scanner.word() else {
            let what = open.last().map_or("HIERARCHY".into(), |o| block_name(o, &nodes));
            return Err(scanner.error(what, "the file ends before MOTION", "get the whole file"));
        };
        let keyword = word.to_ascii_uppercase();
        match (keyword.as_str(), open.last_mut()) {
            ("ROOT", None) | ("JOINT", Some(Open { end_site: false, .. })) => {
                let parent = open.last().map(|o| o.node);
                if nodes.len() == limits.joints {
                    return Err(scanner.too_many("joints", limits.joints));
                }
                if open.len() == limits.depth {
                    return Err(scanner.too_many("joints in a chain", limits.depth));
                }
                let name = scanner.name_and_brace(&keyword)?;
                if name.is_empty() {
                    return Err(scanner.error(keyword, "the name is missing", "name every joint"));
                }
                open.push(Open { node: nodes.len(), end_site: false, offset: false, channels: false });
                let (channels, tips) = (Vec::new(), Vec::new());
                nodes.push(Node { name, parent, offset: Vec3::zeros(), channels, first: 0, tips });
            }
            ("END" | "ENDSITE", Some(o @ Open { end_site: false, .. })) => {
                let node = o.node;
                scanner.name_and_brace("End Site")?;
                if nodes[node].tips.len() == limits.joints {
                    return Err(scanner.too_many("end sites", limits.joints));
                }
                open.push(Open { node, end_site: true, offset: false, channels: true });
            }
            ("OFFSET", Some(o)) => {
                let what = format!("OFFSET of {}", block_name(o, &nodes));
                if core::mem::replace(&mut o.offset, true) {
                    return Err(scanner.error(what, "there are two", "keep one"));
                }
                let mut offset = Vec3::zeros();
                for x in offset.iter_mut() {
                    *x = scanner.number(&what)?;
                }
                let node = &mut nodes[o.node];
                if o.end_site { node.tips.push(offset) } else { node.offset = offset }
            }
            ("CHANNELS", Some(o @ Open { end_site: false, .. })) => {
                let what = format!("CHANNELS of {}", block_name(o, &nodes));
                if core::mem::replace(&mut o.channels, true) {
                    return Err(scanner.error(what, "there are two lists", "keep one"));
                }
                let node = &mut nodes[o.node];
                node.first = channels;
                node.channels = channel_list(scanner, &what)?;
                channels += node.channels.len();
            }
            ("}", Some(o)) => {
                if !o.offset {
                    let what = block_name(o, &nodes);
                    return Err(scanner.error(what, "it has no OFFSET", "give it one: OFFSET x y z"));
                }
                open.pop();
            }
            ("MOTION", None) => break,
            ("MOTION", Some(o)) => {
                let what = block_name(o, &nodes);
                return Err(scanner.error(what, "it is not closed before MOTION", "add the missing `}`"));
            }
            (_, o) => {
                let known: &[&str] = match &o {
                    None => &["ROOT", "MOTION"],
                    Some(Open { end_site: true, .. }) => &["OFFSET", "}"],
                    Some(_) => &["OFFSET", "CHANNELS", "JOINT", "End", "}"],
                };
                let what = o.map_or("HIERARCHY".into(), |o| block_name(o, &nodes));
                let problem = format!("\"{}\" does not belong here{}", clip(word), did_you_mean(word, known));
                return Err(scanner.error(what, problem, format!("use one of: {}", known.join(", "))));
            }
        }
    }
    if nodes.is_empty() {
        return Err(scanner.error("HIERARCHY", "there is no ROOT", "check that the file is whole"));
    }
    if nodes.iter().any(|n| n.channels.contains(&Channel::Scale)) {
        report.warn(WarningKind::Text, "scale channels are left out: bones keep their lengths");
    }
    Ok((nodes, channels))
}

fn channel_list(scanner: &mut Scanner<'_>, what: &str) -> Result<Vec<Channel>, ReadError> {
    let count = scanner.number(what)?;
    if !(0.0..=9.0).contains(&count) || count.fract() != 0.0 {
        return Err(scanner.error(
            what,
            format!("{count} is not a possible number of channels"),
            "0 to 9 are possible",
        ));
    }
    let mut list: Vec<Channel> = Vec::new();
    for k in 0..count as usize {
        let word = scanner.word().unwrap_or_default();
        let Some(channel) = channel(word) else {
            let known = ["Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"];
            let near = did_you_mean(word, &known);
            let problem = format!("channel {} of {count} is \"{}\"{near}", k + 1, clip(word));
            return Err(scanner.error(what, problem, format!("use {}", known.join(", "))));
        };
        if matches!(channel, Channel::Position(_)) && list.contains(&channel) {
            let problem = format!("\"{word}\" comes twice");
            return Err(scanner.error(what, problem, "a position has one channel per axis"));
        }
        list.push(channel);
    }
    // one name too many would be read as a keyword: say what it is
    if let Some(next) = scanner.peek().filter(|w| channel(w).is_some()) {
        let problem = format!("\"{next}\" is one channel more than the {count} announced");
        return Err(scanner.error(what, problem, "correct the number after CHANNELS"));
    }
    Ok(list)
}

fn channel(word: &str) -> Option<Channel> {
    let word = word.to_ascii_lowercase();
    let axis = "xyz".find(word.chars().next()?)?;
    match &word[1..] {
        "position" | "translation" => Some(Channel::Position(axis)),
        "rotation" => Some(Channel::Rotation(axis)),
        "scale" | "scaling" => Some(Channel::Scale),
        _ => None,
    }
}

fn block_name(open: &Open, nodes: &[Node]) -> String {
    let name = &nodes[open.node].name;
    if open.end_site { format!("End Site of \"{name}\"") } else { format!("\"{name}\"") }
}
