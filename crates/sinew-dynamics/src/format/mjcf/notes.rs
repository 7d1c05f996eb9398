//! Collects assumptions and omissions of the reader in a readable report.
//!
//! One line per kind of omission, with the place of the first and the lines of some others.

use super::tree::Node;
use crate::format::ImportReport;
use std::collections::HashMap;

/// How many further lines a warning names.
const NAMED: usize = 4;

/// The report in the making.
#[derive(Default)]
pub(super) struct Notes {
    assumed: Vec<String>,
    groups: Vec<Group>,
    by_text: HashMap<(String, &'static str), usize>,
}

struct Group {
    what: String,
    why: &'static str,
    /// Attributes of the element that were left out; none: the whole element was.
    attributes: Vec<String>,
    file: String,
    line: u32,
    others: Vec<u32>,
    count: usize,
}

impl Notes {
    /// States a default that mattered.
    pub(super) fn assume(&mut self, what: impl Into<String>) {
        self.assumed.push(what.into());
    }

    /// Lists something that was left out.
    pub(super) fn left_out(&mut self, node: Node<'_>, what: impl Into<String>, why: &'static str) {
        let group = self.group(node, what.into(), why);
        let group = &mut self.groups[group];
        let here = group.file == node.file();
        if here && (group.line == node.line() || group.others.last() == Some(&node.line())) && group.count > 0
        {
            return;
        }
        if group.count > 0 && here && group.others.len() < NAMED {
            group.others.push(node.line());
        }
        group.count += 1;
    }

    /// Lists those attributes of a node that are among the given ones.
    pub(super) fn left_out_attributes(&mut self, node: Node<'_>, idle: &str, why: &'static str) {
        for (name, _) in node.attributes().filter(|(n, _)| idle.split_whitespace().any(|i| i == *n)) {
            let what = format!("<{}>", node.tag());
            let group = self.group(node, format!("{what} attributes"), why);
            let attributes = &mut self.groups[group].attributes;
            if !attributes.iter().any(|a| a == name) {
                attributes.push(name.to_owned());
            }
            self.left_out(node, format!("{what} attributes"), why);
        }
    }

    /// The finished report.
    pub(super) fn report(self) -> ImportReport {
        let warnings = self.groups.iter().map(Group::text).collect();
        ImportReport { assumed: self.assumed, warnings }
    }

    /// Index of the group of a text, made when it is new.
    fn group(&mut self, node: Node<'_>, what: String, why: &'static str) -> usize {
        let next = self.groups.len();
        let index = *self.by_text.entry((what.clone(), why)).or_insert(next);
        if index == next {
            let (file, line) = (node.file().to_owned(), node.line());
            let (attributes, others) = (Vec::new(), Vec::new());
            self.groups.push(Group { what, why, attributes, file, line, others, count: 0 });
        }
        index
    }
}

impl Group {
    fn text(&self) -> String {
        let lines = self.others.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        let more = if self.count > 1 + self.others.len() { ", …" } else { "" };
        let times = match (self.count, lines.is_empty()) {
            (1, _) => String::new(),
            (n, true) => format!(" ({n} times)"),
            (n, false) => format!(" ({n} times, also on line {lines}{more})"),
        };
        let what = match self.attributes.as_slice() {
            [] => self.what.clone(),
            [one] => format!("{} {one}", self.what.trim_end_matches('s')),
            several => format!("{} {}", self.what, several.join(", ")),
        };
        format!("{}:{}: {what} left out{times}: {}", self.file, self.line, self.why)
    }
}
