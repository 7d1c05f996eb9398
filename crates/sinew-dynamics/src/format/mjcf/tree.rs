//! The document as one tree of elements, with includes spliced in and every element's file and line kept.
//!
//! An `<include file="…"/>` stands for the children of the root of another file. As in MuJoCo a path is tried from the
//! folder of the main file first and from that of the including file second, and no file may be included twice, which
//! rules out cycles; depth, number and size of files are bounded besides.

use super::Options;
pub(super) use crate::format::nearest::clip;
use crate::format::xml::{self, Lines};
use crate::format::{FormatError, nearest};
use std::collections::HashSet;

/// Deepest nesting of elements.
const MAX_DEPTH: usize = 500;
/// Most elements in all files together.
const MAX_ELEMENTS: usize = 200_000;
/// Deepest nesting of includes, and most files in all.
const MAX_INCLUDE_DEPTH: usize = 16;
const MAX_FILES: usize = 100;
/// Most bytes of all files together.
const MAX_BYTES: usize = 64 << 20;

/// All elements, the root first.
pub(super) struct Tree {
    files: Vec<String>,
    elements: Vec<Element>,
}

struct Element {
    tag: String,
    attributes: Vec<(String, String)>,
    children: Vec<usize>,
    file: usize,
    line: u32,
}

/// An element of the tree.
#[derive(Clone, Copy)]
pub(super) struct Node<'t> {
    tree: &'t Tree,
    index: usize,
}

impl Tree {
    /// Parses the text and all that it includes.
    pub(super) fn new(text: &str, options: &Options<'_>) -> Result<Tree, FormatError> {
        let mut builder = Builder {
            tree: Tree { files: Vec::new(), elements: Vec::new() },
            options,
            seen: HashSet::from([clean(file_name(options.file)).to_owned()]),
            bytes: 0,
        };
        builder.file(options.file.to_owned(), text, "", None, 0, 0)?;
        Ok(builder.tree)
    }

    /// The root element.
    pub(super) fn root(&self) -> Node<'_> {
        Node { tree: self, index: 0 }
    }
}

impl<'t> Node<'t> {
    pub(super) fn tag(self) -> &'t str {
        &self.element().tag
    }

    pub(super) fn file(self) -> &'t str {
        &self.tree.files[self.element().file]
    }

    pub(super) fn line(self) -> u32 {
        self.element().line
    }

    pub(super) fn children(self) -> impl DoubleEndedIterator<Item = Node<'t>> {
        self.element().children.iter().map(move |&index| Node { tree: self.tree, index })
    }

    pub(super) fn attributes(self) -> impl Iterator<Item = (&'t str, &'t str)> {
        self.element().attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(super) fn attribute(self, name: &str) -> Option<&'t str> {
        self.attributes().find(|(n, _)| *n == name).map(|(_, value)| value)
    }

    /// The element's name, or nothing when it has none.
    pub(super) fn name(self) -> &'t str {
        self.attribute("name").unwrap_or("")
    }

    /// An error at this element.
    pub(super) fn error(self, problem: impl Into<String>) -> FormatError {
        let element = match self.name() {
            "" => format!("<{}>", self.tag()),
            name => format!("<{} name=\"{}\">", self.tag(), clip(name)),
        };
        FormatError::new(self.file(), self.line(), element, problem)
    }

    /// Refuses attributes that are not among the known ones, which are separated by white space.
    pub(super) fn check_attributes(self, known: &str) -> Result<(), FormatError> {
        self.check_attributes_in(&[known])
    }

    /// Refuses attributes that are in none of several lists.
    pub(super) fn check_attributes_in(self, known: &[&str]) -> Result<(), FormatError> {
        let words = || known.iter().flat_map(|list| list.split_ascii_whitespace());
        for (name, _) in self.attributes() {
            if !words().any(|word| word == name) {
                let hint = nearest::did_you_mean(name, words());
                return Err(self.error(format!("unknown attribute \"{}\"{hint}", clip(name))));
            }
        }
        Ok(())
    }

    /// Refuses children.
    pub(super) fn check_leaf(self) -> Result<(), FormatError> {
        match self.children().next() {
            None => Ok(()),
            Some(child) => Err(child.error(format!("<{}> has no elements inside it", clip(self.tag())))),
        }
    }

    /// The error for a child that does not belong here.
    pub(super) fn unknown_child(self, known: &str) -> FormatError {
        let hint = nearest::did_you_mean(self.tag(), known.split_whitespace());
        self.error(format!("unknown element \"{}\"{hint}", clip(self.tag())))
    }

    fn element(self) -> &'t Element {
        &self.tree.elements[self.index]
    }
}

struct Builder<'a> {
    tree: Tree,
    options: &'a Options<'a>,
    seen: HashSet<String>,
    bytes: usize,
}

impl Builder<'_> {
    /// Adds a file's elements; those of an included file become children of `into`.
    ///
    /// `folder` is the file's folder, with a final slash, as seen from the main file.
    fn file(
        &mut self,
        label: String,
        text: &str,
        folder: &str,
        into: Option<usize>,
        base_depth: usize,
        include_depth: usize,
    ) -> Result<(), FormatError> {
        self.bytes += text.len();
        if self.bytes > MAX_BYTES {
            let problem = format!("the files of the model have more than {} MB", MAX_BYTES >> 20);
            return Err(FormatError::new(&label, 0, "", problem));
        }
        let document = xml::document(&label, text)?;
        let lines = Lines::of(text);
        let file = self.tree.files.len();
        self.tree.files.push(label);

        // elements still to be added, in reverse; an included file's own root is left out
        let root = document.root_element();
        let mut open = Vec::new();
        match into {
            None => open.push((root, None, base_depth)),
            Some(parent) => open.extend(children(root).rev().map(|c| (c, Some(parent), base_depth))),
        }
        while let Some((xml, parent, depth)) = open.pop() {
            let index = self.add(xml, parent, file, &lines);
            let node = Node { tree: &self.tree, index };
            if depth > MAX_DEPTH {
                return Err(node.error(format!("elements are nested more than {MAX_DEPTH} deep")));
            }
            if index >= MAX_ELEMENTS {
                return Err(node.error(format!("the model has more than {MAX_ELEMENTS} elements")));
            }
            if let Some(a) = xml.attributes().find(|a| a.namespace().is_some()) {
                return Err(node.error(format!("unknown attribute \"{}\" with a name space", clip(a.name()))));
            }
            match parent {
                Some(parent) if node.tag() == "include" => {
                    if children(xml).next().is_some() {
                        return Err(node.error("an include has no children"));
                    }
                    self.tree.elements[parent].children.pop();
                    self.include(index, parent, folder, depth, include_depth + 1)?;
                }
                _ => open.extend(children(xml).rev().map(|c| (c, Some(index), depth + 1))),
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        xml: roxmltree::Node<'_, '_>,
        parent: Option<usize>,
        file: usize,
        lines: &Lines,
    ) -> usize {
        let index = self.tree.elements.len();
        self.tree.elements.push(Element {
            tag: xml.tag_name().name().to_owned(),
            attributes: xml.attributes().map(|a| (a.name().to_owned(), a.value().to_owned())).collect(),
            children: Vec::new(),
            file,
            line: lines.line(xml.range().start),
        });
        if let Some(parent) = parent {
            self.tree.elements[parent].children.push(index);
        }
        index
    }

    /// Fetches a file and adds the children of its root to `parent`.
    fn include(
        &mut self,
        include: usize,
        parent: usize,
        folder: &str,
        depth: usize,
        include_depth: usize,
    ) -> Result<(), FormatError> {
        let node = Node { tree: &self.tree, index: include };
        node.check_attributes("file")?;
        let path = node.attribute("file").unwrap_or("");
        if path.is_empty() {
            return Err(node.error("an include needs the attribute file"));
        }
        if include_depth > MAX_INCLUDE_DEPTH {
            return Err(node.error(format!("includes are nested more than {MAX_INCLUDE_DEPTH} deep")));
        }
        if self.tree.files.len() >= MAX_FILES {
            return Err(node.error(format!("the model has more than {MAX_FILES} files")));
        }
        if !self.seen.insert(clean(path).to_owned()) {
            let path = clip(path);
            return Err(
                node.error(format!("the file \"{path}\" is included already (here, or around this place)"))
            );
        }

        // from the main file's folder first, from the including file's second
        let beside = || match folder {
            "" => None,
            _ => Some(format!("{folder}{}", clean(path))),
        };
        let fetch = |path: String| Some(((self.options.load)(&path).ok()?, path));
        let (bytes, found) = match (self.options.load)(path) {
            Ok(bytes) => (bytes, path.to_owned()),
            Err(why) => beside()
                .and_then(fetch)
                .ok_or_else(|| node.error(format!("cannot include \"{}\": {why}", clip(path))))?,
        };
        let label = format!("{}{}", folder_of(self.options.file), clean(&found));
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(FormatError::new(&label, 0, "", "the file is not UTF-8 text"));
        };
        self.file(label, &text, folder_of(clean(&found)), Some(parent), depth, include_depth)
    }
}

fn children<'a, 'i>(
    node: roxmltree::Node<'a, 'i>,
) -> impl DoubleEndedIterator<Item = roxmltree::Node<'a, 'i>> {
    node.children().filter(|c| c.is_element())
}

/// A path without leading `./`.
fn clean(path: &str) -> &str {
    path.trim_start_matches("./")
}

fn file_name(path: &str) -> &str {
    &path[folder_of(path).len()..]
}

/// The folder of a path with its final slash, or nothing.
fn folder_of(path: &str) -> &str {
    &path[..path.rfind(['/', '\\']).map_or(0, |i| i + 1)]
}
