//! Attributes as numbers, words and names, looked up through the default classes.
//!
//! MuJoCo lets a class set an attribute and an element override it. [`Layers`] holds the nodes that speak for one
//! element, the root class first and the element itself last; the last one that has an attribute decides. Attributes of
//! varying length are the exception: a shorter list overrides only the first numbers of a longer one.

use super::tree::{Node, clip};
use crate::format::{FormatError, nearest};
use crate::spatial::Vec3;

/// Numbers beyond this are taken for mistakes; products of several stay finite.
pub(super) const MAX_NUMBER: f64 = 1e30;

/// The nodes that speak for an element, most general first.
#[derive(Clone)]
pub(super) struct Layers<'t>(Vec<Node<'t>>);

impl<'t> Layers<'t> {
    /// An element without defaults.
    pub(super) fn of(node: Node<'t>) -> Layers<'t> {
        Layers(vec![node])
    }

    /// An element over the nodes of its class.
    pub(super) fn over(class: &[Node<'t>], node: Node<'t>) -> Layers<'t> {
        Layers(class.iter().copied().chain([node]).collect())
    }

    /// The nodes, most general first.
    pub(super) fn nodes(&self) -> &[Node<'t>] {
        &self.0
    }

    /// The element itself.
    pub(super) fn element(&self) -> Node<'t> {
        self.0[self.0.len() - 1]
    }

    /// The deciding node and the text of an attribute.
    pub(super) fn find(&self, name: &str) -> Option<(Node<'t>, &'t str)> {
        self.0.iter().rev().find_map(|node| Some((*node, node.attribute(name)?)))
    }

    /// The text of an attribute.
    pub(super) fn text(&self, name: &str) -> Option<&'t str> {
        self.find(name).map(|(_, text)| text)
    }

    /// One number.
    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, FormatError> {
        Ok(self.numbers::<1>(name)?.map(|[x]| x))
    }

    /// One number that must not be negative, 0 when absent.
    pub(super) fn magnitude(&self, name: &str) -> Result<f64, FormatError> {
        match (self.number(name)?, self.find(name)) {
            (Some(x), Some((node, _))) if x < 0.0 => {
                Err(node.error(format!("attribute {name}=\"{x}\" is negative")))
            }
            (x, _) => Ok(x.unwrap_or(0.0)),
        }
    }

    /// Exactly `N` numbers.
    pub(super) fn numbers<const N: usize>(&self, name: &str) -> Result<Option<[f64; N]>, FormatError> {
        let Some((node, text)) = self.find(name) else { return Ok(None) };
        let mut out = [0.0; N];
        fill(node, name, text, &mut out, N)?;
        Ok(Some(out))
    }

    /// A vector.
    pub(super) fn vector(&self, name: &str) -> Result<Option<Vec3>, FormatError> {
        Ok(self.numbers::<3>(name)?.map(Vec3::from))
    }

    /// At least one and at most `out.len()` numbers, each layer overriding the first ones of those before it. Returns
    /// how many numbers were ever given.
    pub(super) fn overlay(&self, name: &str, out: &mut [f64]) -> Result<usize, FormatError> {
        let mut given = 0;
        for &node in &self.0 {
            if let Some(text) = node.attribute(name) {
                given = fill(node, name, text, out, 1)?.max(given);
            }
        }
        Ok(given)
    }

    /// A whole number of 32 bits.
    pub(super) fn integer(&self, name: &str) -> Result<Option<i32>, FormatError> {
        let Some((node, text)) = self.find(name) else { return Ok(None) };
        let whole = text.trim().parse::<i32>();
        whole
            .map(Some)
            .map_err(|_| node.error(format!("attribute {name}=\"{}\" is not a whole number", clip(text))))
    }

    /// One of several words.
    pub(super) fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<Option<T>, FormatError> {
        let Some((node, text)) = self.find(name) else { return Ok(None) };
        if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == text) {
            return Ok(Some(*meaning));
        }
        let known = words.iter().map(|(word, _)| *word);
        let hint = nearest::did_you_mean(text, known.clone());
        let list = known.collect::<Vec<_>>().join(", ");
        Err(node.error(format!("attribute {name}=\"{}\" is not one of {list}{hint}", clip(text))))
    }

    /// `true` or `false`.
    pub(super) fn truth(&self, name: &str) -> Result<Option<bool>, FormatError> {
        self.word(name, &[("true", true), ("false", false)])
    }

    /// Refuses a switch that is on, saying why.
    pub(super) fn refuse_truth(&self, name: &str, problem: &str) -> Result<(), FormatError> {
        match (self.truth(name)?, self.find(name)) {
            (Some(true), Some((node, _))) => Err(node.error(format!("{name}=\"true\" {problem}"))),
            _ => Ok(()),
        }
    }

    /// Refuses numbers other than 0, saying why.
    pub(super) fn refuse_nonzero(&self, name: &str, problem: &str) -> Result<(), FormatError> {
        let Some((node, text)) = self.find(name) else { return Ok(()) };
        if list(node, name, text, 100)?.iter().any(|x| *x != 0.0) {
            return Err(node.error(format!("{name}=\"{}\" {problem}", clip(text))));
        }
        Ok(())
    }
}

/// All numbers of an attribute, at most `most`.
pub(super) fn list(node: Node<'_>, name: &str, text: &str, most: usize) -> Result<Vec<f64>, FormatError> {
    let mut out = Vec::new();
    for word in text.split_ascii_whitespace() {
        if out.len() == most {
            return Err(node.error(format!("attribute {name} has more than {most} numbers")));
        }
        out.push(number(node, name, word)?);
    }
    if out.is_empty() {
        return Err(node.error(format!("attribute {name} is empty; it needs numbers")));
    }
    Ok(out)
}

/// Checks the numbers of an attribute, if the node has it.
pub(super) fn check(node: Node<'_>, name: &str, counts: [usize; 2]) -> Result<(), FormatError> {
    let Some(text) = node.attribute(name) else { return Ok(()) };
    let mut out = [0.0; 6];
    let [least, most] = counts;
    fill(node, name, text, &mut out[..most], least).map(|_| ())
}

/// Writes an attribute's numbers over the first ones of `out`; there must be at least `least`.
fn fill(node: Node<'_>, name: &str, text: &str, out: &mut [f64], least: usize) -> Result<usize, FormatError> {
    let most = out.len();
    let found = text.split_ascii_whitespace().count();
    if found < least || found > most {
        let needs = match (least, most) {
            (1, 1) => "one number".to_owned(),
            (l, m) if l == m => format!("{m} numbers"),
            (l, m) => format!("{l} to {m} numbers"),
        };
        return Err(node.error(format!("attribute {name}=\"{}\" needs {needs}, has {found}", clip(text))));
    }
    for (x, word) in out.iter_mut().zip(text.split_ascii_whitespace()) {
        *x = number(node, name, word)?;
    }
    Ok(found)
}

fn number(node: Node<'_>, name: &str, word: &str) -> Result<f64, FormatError> {
    let x: f64 = word
        .parse()
        .map_err(|_| node.error(format!("attribute {name}: \"{}\" is not a number", clip(word))))?;
    if !(x.abs() <= MAX_NUMBER) {
        return Err(node.error(format!("attribute {name}: {} is not a finite number", clip(word))));
    }
    Ok(x)
}
