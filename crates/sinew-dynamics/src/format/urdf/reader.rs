//! Values of attributes, and the notes that make up the report.

use super::UrdfOptions;
use super::source::{Source, label};
use crate::format::nearest::clip;
use crate::format::{FormatError, ImportReport};
use crate::spatial::{Quat, Vec3};
use nalgebra::Quaternion;
use roxmltree::Node;

/// Numbers beyond this are taken for mistakes; products of several stay finite.
const MAX_NUMBER: f64 = 1e30;
/// Most kinds of notes.
const MAX_NOTES: usize = 200;

/// Elements of one kind that share one note: the first of them and how many there are.
struct Note {
    tag: String,
    attribute: String,
    place: String,
    first: String,
    count: usize,
    why: &'static str,
}

impl Note {
    fn text(&self) -> String {
        let more = if self.count > 1 { format!(" and {} more", self.count - 1) } else { String::new() };
        format!("{}: {}{more}: {}", self.place, self.first, self.why)
    }
}

/// The file, the options, and the report so far.
pub(super) struct Reader<'a, 't> {
    pub(super) xml: &'a Source<'t>,
    pub(super) options: &'a UrdfOptions<'a>,
    /// Vertices of all meshes so far.
    pub(super) vertices: usize,
    assumed: Vec<Note>,
    left_out: Vec<Note>,
}

impl<'a, 't> Reader<'a, 't> {
    pub(super) fn new(xml: &'a Source<'t>, options: &'a UrdfOptions<'a>) -> Reader<'a, 't> {
        Reader { xml, options, vertices: 0, assumed: Vec::new(), left_out: Vec::new() }
    }

    /// Notes that something was taken for granted about an element.
    pub(super) fn assume(&mut self, node: Node, why: &'static str) {
        Reader::note(self.xml, &mut self.assumed, node, "", why);
    }

    /// Notes that an element was left out.
    pub(super) fn leave_out(&mut self, node: Node, why: &'static str) {
        Reader::note(self.xml, &mut self.left_out, node, "", why);
    }

    /// Notes that an attribute was left out.
    pub(super) fn leave_out_attribute(&mut self, node: Node, attribute: &str, why: &'static str) {
        Reader::note(self.xml, &mut self.left_out, node, attribute, why);
    }

    // one line for all elements of a kind with the same note: a robot has dozens of visual shapes
    fn note(xml: &Source, notes: &mut Vec<Note>, node: Node, attribute: &str, why: &'static str) {
        let tag = clip(node.tag_name().name());
        let attribute = clip(attribute);
        match notes.iter().position(|n| n.why == why && n.tag == tag && n.attribute == attribute) {
            Some(known) => notes[known].count += 1,
            None if notes.len() < MAX_NOTES => {
                let (place, label) = (xml.place(node), label(node));
                let first = if attribute.is_empty() { label } else { format!("{attribute} of {label}") };
                notes.push(Note { tag, attribute, place, first, count: 1, why });
            }
            // the last line represents all further kinds
            None => {
                let last = &mut notes[MAX_NOTES - 1];
                (last.count, last.why) = (last.count + 1, "not used, like others of many kinds");
            }
        }
    }

    pub(super) fn into_report(self) -> ImportReport {
        ImportReport {
            assumed: self.assumed.iter().map(Note::text).collect(),
            warnings: self.left_out.iter().map(Note::text).collect(),
        }
    }

    /// Text of an attribute that must be there and not be empty.
    pub(super) fn text<'n>(&self, node: Node<'n, 't>, attribute: &str) -> Result<&'n str, FormatError> {
        match node.attribute(attribute).map(str::trim) {
            Some(text) if !text.is_empty() => Ok(text),
            _ => Err(self.xml.error(node, format!("needs the attribute \"{attribute}\""))),
        }
    }

    /// An inner element that must be there.
    pub(super) fn inner<'n>(&self, node: Node<'n, 't>, tag: &str) -> Result<Node<'n, 't>, FormatError> {
        child(node, tag).ok_or_else(|| self.xml.error(node, format!("needs an element <{tag}>")))
    }

    /// Exactly `N` finite numbers, when the attribute is there.
    pub(super) fn numbers<const N: usize>(
        &self,
        node: Node,
        attribute: &str,
    ) -> Result<Option<[f64; N]>, FormatError> {
        let Some(text) = node.attribute(attribute) else { return Ok(None) };
        let mut words = text.split_whitespace();
        let mut values = [0.0; N];
        for value in &mut values {
            *value = match words.next().map(|w| (w, w.parse::<f64>())) {
                Some((_, Ok(x))) if x.abs() <= MAX_NUMBER => x,
                Some((word, _)) => {
                    let problem =
                        format!("\"{}\" in {attribute} is not a number that a model can hold", clip(word));
                    return Err(self.xml.error(node, problem));
                }
                None => {
                    return Err(self
                        .xml
                        .error(node, format!("{attribute}=\"{}\" needs {N} numbers", clip(text))));
                }
            };
        }
        match words.next() {
            None => Ok(Some(values)),
            Some(_) => {
                let problem = format!("{attribute}=\"{}\" has more numbers than {N}", clip(text));
                Err(self.xml.error(node, problem))
            }
        }
    }

    /// One finite number, when the attribute is there.
    pub(super) fn number(&self, node: Node, attribute: &str) -> Result<Option<f64>, FormatError> {
        Ok(self.numbers::<1>(node, attribute)?.map(|[x]| x))
    }

    /// One number, which may be infinite, when the attribute is there.
    pub(super) fn bound(&self, node: Node, attribute: &str) -> Result<Option<f64>, FormatError> {
        let Some(text) = node.attribute(attribute) else { return Ok(None) };
        match text.trim().parse::<f64>() {
            Ok(x) if !x.is_nan() => Ok(Some(x)),
            _ => Err(self.xml.error(node, format!("{attribute}=\"{}\" is not a number", clip(text)))),
        }
    }

    /// A positive number that must be there.
    pub(super) fn positive(&self, node: Node, attribute: &str) -> Result<f64, FormatError> {
        self.text(node, attribute)?;
        match self.number(node, attribute)? {
            Some(x) if x > 0.0 => Ok(x),
            _ => Err(self.xml.error(node, format!("{attribute} must be greater than 0"))),
        }
    }

    /// The `<origin>` inside an element: orientation and position; the identity when there is none.
    pub(super) fn origin(&self, node: Node) -> Result<(Quat, Vec3), FormatError> {
        let Some(origin) = child(node, "origin") else { return Ok((Quat::identity(), Vec3::zeros())) };
        let pos = Vec3::from(self.numbers::<3>(origin, "xyz")?.unwrap_or_default());
        let rpy = self.numbers::<3>(origin, "rpy")?;
        let quat = match (rpy, self.numbers::<4>(origin, "quat_xyzw")?) {
            (Some(_), Some(_)) => {
                return Err(self.xml.error(origin, "has both rpy and quat_xyzw; keep one of them"));
            }
            (Some(rpy), None) => from_rpy(rpy),
            (None, Some([x, y, z, w])) => {
                let q = Quaternion::new(w, x, y, z);
                let norm = q.norm();
                if !(norm > 1e-6 && norm.is_finite()) {
                    return Err(self.xml.error(origin, "quat_xyzw has no direction"));
                }
                Quat::new_normalize(q)
            }
            (None, None) => Quat::identity(),
        };
        Ok((quat, pos))
    }
}

/// The first inner element of this tag.
pub(super) fn child<'n, 't>(node: Node<'n, 't>, tag: &str) -> Option<Node<'n, 't>> {
    node.children().find(|c| c.is_element() && c.tag_name().name() == tag)
}

/// `R_z(yaw) R_y(pitch) R_x(roll)`.
fn from_rpy([roll, pitch, yaw]: [f64; 3]) -> Quat {
    let about = |angle: f64, axis: Vec3| {
        let (s, c) = libm::sincos(0.5 * angle);
        Quaternion::from_parts(c, axis * s)
    };
    Quat::new_normalize(about(yaw, Vec3::z()) * about(pitch, Vec3::y()) * about(roll, Vec3::x()))
}
