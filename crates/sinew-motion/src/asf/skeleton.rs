//! The skeleton file.

use crate::Joint;
use crate::import::text::{clip, did_you_mean, finite, lines};
use crate::import::{Limits, ReadError, Report, WarningKind};
use nalgebra::Quaternion;
use sinew_dynamics::spatial::{Quat, Vec3};

/// A degree of freedom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dof {
    Rotation(usize),
    Translation(usize),
    /// Bones do not stretch here: read and left out.
    Length,
}

/// A bone, or the root.
#[derive(Clone, Debug)]
pub(super) struct Bone {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    /// From its start to its end in the rest pose.
    pub(super) span: Vec3,
    /// The axes in which its angles are given.
    pub(super) axes: Quat,
    pub(super) dofs: Vec<Dof>,
}

/// A skeleton, root first, parents before children.
#[derive(Debug)]
pub(super) struct Bones {
    pub(super) bones: Vec<Bone>,
    /// Rad per unit of angle.
    pub(super) angle: f64,
    /// Pre-set position and orientation of the root.
    pub(super) position: Vec3,
    pub(super) orientation: Quat,
}

impl Bones {
    /// One joint per bone, at its start.
    pub(super) fn joints(&self) -> Vec<Joint> {
        let has_child = |i: usize| self.bones.iter().any(|b| b.parent == Some(i));
        let joint = |(i, bone): (usize, &Bone)| Joint {
            name: bone.name.clone(),
            parent: bone.parent,
            offset: bone.parent.map_or_else(Vec3::zeros, |p| self.bones[p].span),
            tips: if has_child(i) || i == 0 { Vec::new() } else { vec![bone.span] },
        };
        self.bones.iter().enumerate().map(joint).collect()
    }
}

/// Rotation by angles about fixed axes, the first first.
pub(super) fn turned(angles: impl Iterator<Item = (usize, f64)>) -> Quaternion<f64> {
    angles.fold(Quaternion::identity(), |sum, (axis, angle)| {
        let (sin, cos) = libm::sincos(0.5 * angle);
        let mut v = Vec3::zeros();
        v[axis] = sin;
        Quaternion::from_parts(cos, v) * sum
    })
}

/// Words of a line without its comment; commas and parentheses are blanks.
pub(super) fn words(line: &str) -> impl Iterator<Item = &str> {
    let line = line.split('#').next().unwrap_or_default();
    line.split(|c: char| c.is_whitespace() || ",()".contains(c)).filter(|w| !w.is_empty())
}

/// A word and its line.
type Word<'a> = (usize, &'a str);

/// The sections of a file.
#[derive(Clone, Copy, PartialEq)]
enum Section {
    None,
    Skip,
    Units,
    Root,
    Bones,
    Hierarchy,
}

struct Parser<'a> {
    file: &'a str,
    words: std::iter::Peekable<std::vec::IntoIter<Word<'a>>>,
    /// Of the word read last, and whether it is the first there.
    line: usize,
    begins_line: bool,
}

const BONE_KEYS: [&str; 9] =
    ["id", "name", "direction", "length", "axis", "dof", "limits", "bodymass", "cofmass"];

pub(super) fn read(text: &str, file: &str, limits: &Limits, report: &mut Report) -> Result<Bones, ReadError> {
    let words: Vec<Word<'_>> =
        lines(text, 1).flat_map(|(n, line)| words(line).map(move |w| (n, w))).collect();
    let mut parser = Parser { file, words: words.into_iter().peekable(), line: 0, begins_line: true };
    let mut section = Section::None;
    let mut found = Bones {
        bones: vec![],
        angle: 1.0_f64.to_radians(),
        position: Vec3::zeros(),
        orientation: Quat::identity(),
    };
    let mut root =
        Bone { name: "root".into(), parent: None, span: Vec3::zeros(), axes: Quat::identity(), dofs: vec![] };
    let (mut order, mut orientation) = ([0, 1, 2], Vec3::zeros());
    let mut loose: Vec<Bone> = Vec::new();
    let mut links: Vec<(usize, String, String)> = Vec::new();
    while let Some(word) = parser.word() {
        if let Some(name) = word.strip_prefix(':').filter(|_| parser.begins_line) {
            section = match name.to_ascii_lowercase().as_str() {
                "units" => Section::Units,
                "root" => Section::Root,
                "bonedata" => Section::Bones,
                "hierarchy" => Section::Hierarchy,
                _ => Section::Skip,
            };
            continue;
        }
        let key = word.to_ascii_lowercase();
        match (section, key.as_str()) {
            (Section::None, _) => {
                let problem = format!("\"{}\" stands before any section", clip(word));
                return Err(parser.error(
                    "header",
                    problem,
                    "check that it is an ASF file: sections begin with a colon",
                ));
            }
            (Section::Skip, _) => {}
            (Section::Units, "angle") => {
                let unit = parser.word().unwrap_or_default();
                found.angle = match unit.to_ascii_lowercase().as_str() {
                    "deg" => 1.0_f64.to_radians(),
                    "rad" => 1.0,
                    _ => {
                        return Err(parser.error(
                            "angle",
                            format!("\"{}\" is no unit", clip(unit)),
                            "use deg or rad",
                        ));
                    }
                };
            }
            // masses do not matter; the unit of length follows from the figure, since files do not agree on its meaning
            (Section::Units, _) => {}
            (Section::Root, "order") => root.dofs = parser.dofs("order of the root")?,
            (Section::Root, "axis") => order = parser.order("axis of the root")?,
            (Section::Root, "position") => found.position = parser.triple("position of the root")?,
            (Section::Root, "orientation") => orientation = parser.triple("orientation of the root")?,
            (Section::Bones, "begin") => {
                if loose.len() + 1 >= limits.joints {
                    return Err(ReadError::Limit {
                        file: file.into(),
                        line: parser.line,
                        what: "bones",
                        limit: limits.joints,
                    });
                }
                loose.push(parser.bone(found.angle, report)?);
            }
            (Section::Hierarchy, "begin" | "end") => {}
            (Section::Hierarchy, _) => {
                let (line, parent) = (parser.line, word.to_owned());
                while let Some(child) = parser.word_on(line) {
                    links.push((line, parent.clone(), child.to_owned()));
                }
            }
            (Section::Root | Section::Bones, _) => {
                let known: &[&str] = if section == Section::Root {
                    &["order", "axis", "position", "orientation"]
                } else {
                    &["begin"]
                };
                let problem = format!("\"{}\" does not belong here{}", clip(word), did_you_mean(word, known));
                return Err(parser.error("section", problem, format!("use one of: {}", known.join(", "))));
            }
        }
    }
    let angles = order.map(|axis| (axis, orientation[axis] * found.angle));
    found.orientation = Quat::new_normalize(turned(angles.into_iter()));
    if found.position != Vec3::zeros() || orientation != Vec3::zeros() {
        let text = "the root has a pre-set place or orientation, on which programs do not agree: taken as before the motion";
        report.warn(WarningKind::Text, text);
    }
    found.bones = connect(root, loose, &links, &parser, limits, report)?;
    Ok(found)
}

/// Puts the bones in order under the root.
fn connect(
    root: Bone,
    mut loose: Vec<Bone>,
    links: &[(usize, String, String)],
    parser: &Parser<'_>,
    limits: &Limits,
    report: &mut Report,
) -> Result<Vec<Bone>, ReadError> {
    let mut bones = vec![root];
    let mut depth = vec![0];
    let place = |bones: &[Bone], name: &str| bones.iter().position(|b| b.name.eq_ignore_ascii_case(name));
    let at = |line: usize, problem: String, remedy: &str| {
        let (file, element) = (parser.file.to_owned(), "hierarchy".to_owned());
        ReadError::Format { file, line, element, problem, remedy: remedy.into() }
    };
    for (line, parent, child) in links {
        let Some(p) = place(&bones, parent) else {
            let problem = format!("\"{}\" is the parent of another before it has one itself", clip(parent));
            return Err(at(*line, problem, "list parents before their children, the root first"));
        };
        let Some(i) = place(&loose, child) else {
            let problem = match place(&bones, child) {
                Some(_) => format!("\"{}\" has two parents", clip(child)),
                None => format!("there are no bone data of \"{}\"", clip(child)),
            };
            return Err(at(*line, problem, "a bone has one block in :bonedata and one place in :hierarchy"));
        };
        if depth[p] + 1 > limits.depth {
            let file = parser.file.to_owned();
            return Err(ReadError::Limit {
                file,
                line: *line,
                what: "bones in a chain",
                limit: limits.depth,
            });
        }
        depth.push(depth[p] + 1);
        bones.push(Bone { parent: Some(p), ..loose.remove(i) });
    }
    if bones[0].dofs.is_empty() {
        return Err(parser.error(":root", "it has no order", "give one, such as: order TX TY TZ RX RY RZ"));
    }
    if let Some(first) = loose.first() {
        let text = format!(
            "{} bone(s) have no place in the hierarchy and are left out, first \"{}\"",
            loose.len(),
            first.name
        );
        report.warn(WarningKind::Names, text);
    }
    if bones.iter().any(|b| b.dofs.contains(&Dof::Length)) {
        report.warn(
            WarningKind::Translation,
            "bones that change their lengths keep those of the skeleton file",
        );
    }
    Ok(bones)
}

impl<'a> Parser<'a> {
    fn word(&mut self) -> Option<&'a str> {
        let (line, word) = self.words.next()?;
        self.begins_line = line != self.line;
        self.line = line;
        Some(word)
    }

    /// The next word if it stands on this line.
    fn word_on(&mut self, line: usize) -> Option<&'a str> {
        self.words.next_if(|w| w.0 == line).map(|w| w.1)
    }

    fn error(&self, element: &str, problem: impl Into<String>, remedy: impl Into<String>) -> ReadError {
        let (file, line, element) = (self.file.to_owned(), self.line, element.to_owned());
        ReadError::Format { file, line, element, problem: problem.into(), remedy: remedy.into() }
    }

    fn number(&mut self, of: &str) -> Result<f64, ReadError> {
        let word = self.word().unwrap_or_default();
        finite(word).ok_or_else(|| {
            self.error(of, format!("\"{}\" is not a number", clip(word)), "mend the file, or get it again")
        })
    }

    fn triple(&mut self, of: &str) -> Result<Vec3, ReadError> {
        Ok(Vec3::new(self.number(of)?, self.number(of)?, self.number(of)?))
    }

    /// `XYZ` and the like.
    fn order(&mut self, of: &str) -> Result<[usize; 3], ReadError> {
        let word = self.word().unwrap_or_default();
        let axes: Vec<usize> = word.to_ascii_lowercase().chars().filter_map(|c| "xyz".find(c)).collect();
        match axes.as_slice() {
            &[i, j, k] if i != j && j != k && i != k && word.len() == 3 => Ok([i, j, k]),
            _ => {
                Err(self.error(of, format!("\"{}\" is no order of axes", clip(word)), "use one such as XYZ"))
            }
        }
    }

    /// The rest of the line as degrees of freedom.
    fn dofs(&mut self, of: &str) -> Result<Vec<Dof>, ReadError> {
        let mut dofs = Vec::new();
        let line = self.line;
        // a bone's next key may stand on the same line
        while let Some(word) = self.words.next_if(|w| w.0 == line && (dofs.is_empty() || !is_key(w.1))) {
            let word = word.1;
            let dof = match word.to_ascii_lowercase().as_str() {
                "rx" => Dof::Rotation(0),
                "ry" => Dof::Rotation(1),
                "rz" => Dof::Rotation(2),
                "tx" => Dof::Translation(0),
                "ty" => Dof::Translation(1),
                "tz" => Dof::Translation(2),
                "l" => Dof::Length,
                _ => {
                    let problem = format!("\"{}\" is no degree of freedom", clip(word));
                    return Err(self.error(of, problem, "use rx, ry, rz, tx, ty, tz or l"));
                }
            };
            if dofs.contains(&dof) {
                return Err(self.error(of, format!("\"{word}\" comes twice"), "keep one"));
            }
            dofs.push(dof);
        }
        Ok(dofs)
    }

    /// What stands between `begin` and `end`.
    fn bone(&mut self, unit: f64, report: &mut Report) -> Result<Bone, ReadError> {
        let (mut name, mut direction, mut length) = (String::new(), None, None);
        let (mut axis, mut order, mut dofs) = (Vec3::zeros(), [0, 1, 2], Vec::new());
        loop {
            let of = format!("bone \"{}\"", clip(&name));
            let Some(word) = self.word() else {
                return Err(self.error(&of, "the file ends inside it", "get the whole file"));
            };
            match word.to_ascii_lowercase().as_str() {
                "end" => break,
                "name" => name = self.word().unwrap_or_default().to_owned(),
                "direction" => direction = Some(self.triple(&format!("direction of {of}"))?),
                "length" => length = Some(self.number(&format!("length of {of}"))?),
                "axis" => {
                    axis = self.triple(&format!("axis of {of}"))?;
                    order = self.order(&format!("axis of {of}"))?;
                }
                "dof" => dofs = self.dofs(&format!("dof of {of}"))?,
                "id" | "bodymass" => {
                    self.word();
                }
                // pairs of numbers, or infinities, up to the next key
                "limits" | "cofmass" => {
                    while self.words.next_if(|w| !w.1.starts_with(':') && !is_key(w.1)).is_some() {}
                }
                _ => {
                    let near = did_you_mean(word, &BONE_KEYS);
                    let problem = format!("\"{}\" is not known here{near}", clip(word));
                    return Err(self.error(&of, problem, format!("use one of: {}", BONE_KEYS.join(", "))));
                }
            }
        }
        let of = format!("bone \"{}\"", clip(&name));
        let (Some(direction), Some(length)) = (direction, length) else {
            return Err(self.error(&of, "its direction or length is missing", "a bone has both"));
        };
        if name.is_empty() || name.eq_ignore_ascii_case("root") || name.len() > 300 {
            return Err(self.error(
                &of,
                "it has no name of its own",
                "name every bone; `root` is the root's",
            ));
        }
        // directions are of unit length but for rounding
        let norm = direction.norm();
        if (norm - 1.0).abs() > 0.01 && length != 0.0 {
            let text = format!("{of}: its direction has length {norm:.4} and is taken as of length 1");
            report.warn(WarningKind::Text, text);
        }
        let span = direction.try_normalize(1e-9).unwrap_or_default() * length;
        let axes = Quat::new_normalize(turned(order.map(|k| (k, axis[k] * unit)).into_iter()));
        Ok(Bone { name, parent: None, span, axes, dofs })
    }
}

fn is_key(word: &str) -> bool {
    word.eq_ignore_ascii_case("end") || BONE_KEYS.iter().any(|k| word.eq_ignore_ascii_case(k))
}
