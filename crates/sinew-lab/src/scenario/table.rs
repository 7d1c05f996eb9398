//! Strict reading of TOML tables: unknown keys are errors, every number has a range, every error has a line.

use sinew_world::range::{self, Range};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// An error in the text of a scenario, and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct ScenarioError {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// The problem and its remedy.
    pub problem: String,
}

/// The text and its name, for the place of errors.
#[derive(Clone, Copy)]
pub(super) struct Source<'t> {
    pub(super) text: &'t str,
    pub(super) file: &'t str,
}

impl Source<'_> {
    pub(super) fn error(&self, span: ops::Range<usize>, problem: String) -> ScenarioError {
        let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
        let line = 1 + before.iter().filter(|b| **b == b'\n').count();
        ScenarioError { file: self.file.to_owned(), line, problem }
    }
}

/// A table, and the keys that were read.
pub(super) struct Table<'t> {
    source: Source<'t>,
    span: ops::Range<usize>,
    entries: &'t DeTable<'t>,
    known: RefCell<Vec<&'static str>>,
}

type Value<'t> = &'t Spanned<DeValue<'t>>;
type Read<T> = Result<T, ScenarioError>;

impl<'t> Table<'t> {
    pub(super) fn new(source: Source<'t>, span: ops::Range<usize>, entries: &'t DeTable<'t>) -> Table<'t> {
        Table { source, span, entries, known: RefCell::default() }
    }

    /// A value, if the key is there.
    pub(super) fn get(&self, key: &'static str) -> Option<Value<'t>> {
        let mut known = self.known.borrow_mut();
        if !known.contains(&key) {
            known.push(key);
        }
        self.entries.get(key)
    }

    /// An error for a key of older files, with its replacement.
    pub(super) fn renamed(&self, key: &str, remedy: &str) -> Read<()> {
        match self.entries.get(key) {
            Some(old) => Err(self.error(Some(old), format!("`{key}` is not a key any more: {remedy}"))),
            None => Ok(()),
        }
    }

    /// An error at this value, or at the table if the value is missing.
    pub(super) fn error(&self, at: Option<Value<'t>>, problem: impl Into<String>) -> ScenarioError {
        self.source.error(at.map_or(self.span.clone(), Spanned::span), problem.into())
    }

    pub(super) fn wrong(&self, key: &str, value: Value<'t>, wanted: &str) -> ScenarioError {
        let found = match value.get_ref() {
            DeValue::Integer(n) => clip(n.as_str()).into_owned(),
            DeValue::Float(x) => clip(x.as_str()).into_owned(),
            DeValue::String(text) => format!("\"{}\"", clip(text)),
            DeValue::Array(list) => format!("a list of {}", list.len()),
            other => format!("a {}", other.type_str()),
        };
        self.error(Some(value), format!("`{key}` must be {wanted}, not {found}"))
    }

    fn float(&self, key: &str, value: Value<'t>, range: &Range) -> Read<f64> {
        number(value).filter(|x| range.holds(*x)).ok_or_else(|| self.wrong(key, value, &range.to_string()))
    }

    /// A number in a range.
    pub(super) fn number(&self, key: &'static str, range: &Range) -> Read<Option<f64>> {
        self.get(key).map(|value| self.float(key, value, range)).transpose()
    }

    /// A whole number from 0 to a greatest one.
    pub(super) fn count(&self, key: &'static str, most: u64) -> Read<Option<u64>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let count = match value.get_ref() {
            DeValue::Integer(n) => u64::from_str_radix(n.as_str(), n.radix()).ok(),
            _ => None,
        };
        let wanted = || self.wrong(key, value, &format!("a whole number from 0 to {most}"));
        count.filter(|count| *count <= most).map(Some).ok_or_else(wanted)
    }

    /// Text.
    pub(super) fn text(&self, key: &'static str) -> Read<Option<String>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let text = value.get_ref().as_str().filter(|text| !text.is_empty());
        text.map(|text| Some(text.to_owned())).ok_or_else(|| self.wrong(key, value, "a text"))
    }

    /// True or false.
    pub(super) fn flag(&self, key: &'static str) -> Read<Option<bool>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        value.get_ref().as_bool().map(Some).ok_or_else(|| self.wrong(key, value, "true or false"))
    }

    /// N numbers in a range.
    pub(super) fn numbers<const N: usize>(&self, key: &'static str, range: &Range) -> Read<Option<[f64; N]>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let list = value.get_ref().as_array().filter(|list| list.len() == N);
        let list = list.ok_or_else(|| self.wrong(key, value, &format!("a list of {N} numbers")))?;
        let mut numbers = [0.0; N];
        for (number, item) in numbers.iter_mut().zip(list.iter()) {
            *number = self.float(key, item, range)?;
        }
        Ok(Some(numbers))
    }

    /// A table within.
    pub(super) fn table(&self, key: &'static str) -> Read<Option<Table<'t>>> {
        self.get(key).map(|value| self.as_table(key, value)).transpose()
    }

    pub(super) fn as_table(&self, key: &str, value: Value<'t>) -> Read<Table<'t>> {
        match value.get_ref() {
            DeValue::Table(entries) => Ok(Table::new(self.source, value.span(), entries)),
            _ => Err(self.wrong(key, value, "a table")),
        }
    }

    /// Tables of one name, `[[key]]`.
    pub(super) fn tables(&self, key: &'static str) -> Read<Vec<Table<'t>>> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        let Some(list) = value.get_ref().as_array() else {
            return Err(self.error(Some(value), format!("write `[[{key}]]`: there may be several")));
        };
        if list.len() > range::MOST_ENTRIES {
            let (count, most) = (list.len(), range::MOST_ENTRIES);
            let problem = format!("there are {count} `[[{key}]]`; {most} are the most");
            return Err(self.error(Some(value), problem));
        }
        list.iter().map(|item| self.as_table(key, item)).collect()
    }

    /// All keys that were not read yet, in the order of the text, for tables whose keys are names of parameters.
    pub(super) fn rest(&self) -> Vec<Item<'t>> {
        let known = self.known.borrow();
        let foreign = self.entries.iter().filter(|(key, _)| !known.contains(&key.get_ref().as_ref()));
        let mut rest: Vec<Item<'t>> = foreign.map(|(key, value)| Item { key, value }).collect();
        rest.sort_by_key(|item| item.key.span().start);
        rest
    }

    /// An error at a key.
    pub(super) fn error_at(&self, item: &Item<'_>, problem: impl Into<String>) -> ScenarioError {
        self.source.error(item.key.span(), problem.into())
    }

    /// A number without a range.
    pub(super) fn item_number(&self, item: &Item<'_>) -> Option<f64> {
        number(item.value)
    }

    /// Numbers without a range.
    pub(super) fn item_list(&self, item: &Item<'_>) -> Option<Vec<f64>> {
        item.value.get_ref().as_array()?.iter().map(number).collect()
    }

    /// Texts.
    pub(super) fn texts(&self, key: &'static str) -> Read<Option<Vec<String>>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let text = |item: &Spanned<DeValue<'_>>| item.get_ref().as_str().map(str::to_owned);
        let list = value.get_ref().as_array().and_then(|list| list.iter().map(text).collect());
        list.map(Some).ok_or_else(|| self.wrong(key, value, "a list of texts"))
    }

    /// One of some names.
    pub(super) fn choice(&self, key: &'static str, known: &[&str]) -> Read<Option<String>> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        if known.contains(&text.as_str()) {
            return Ok(Some(text));
        }
        Err(self.error(self.entries.get(key), unknown(key, &text, known)))
    }

    /// Ends the reading: a key that was not read is an error.
    pub(super) fn finish(&self) -> Read<()> {
        let known = self.known.borrow();
        // the first one in the text, independent of the table's order
        let foreign = self.entries.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        match foreign.min_by_key(|key| key.span().start) {
            Some(key) => Err(self.source.error(key.span(), unknown("key", key.get_ref(), &known))),
            None => Ok(()),
        }
    }
}

/// A key and its value.
pub(super) struct Item<'t> {
    key: &'t Spanned<std::borrow::Cow<'t, str>>,
    value: Value<'t>,
}

impl<'t> Item<'t> {
    pub(super) fn name(&self) -> &'t str {
        self.key.get_ref()
    }

    pub(super) fn value(&self) -> Value<'t> {
        self.value
    }
}

fn number(value: &Spanned<DeValue<'_>>) -> Option<f64> {
    match value.get_ref() {
        DeValue::Float(x) => x.as_str().parse().ok(),
        DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix()).ok().map(|n| n as f64),
        _ => None,
    }
}

/// An error for an unknown name, with the nearest name, or with all names.
pub(super) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let name = clip(name);
    let distance = |known: &&&str| strsim::damerau_levenshtein(&name.to_lowercase(), known);
    let nearest = known.iter().min_by_key(distance).filter(|k| distance(k) <= 1 + name.len() / 3);
    let hint = match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("known: {}", known.join(", ")),
    };
    format!("there is no {what} `{name}` here; {hint}")
}

/// The line of a key, or of the `nth` entry of its list.
pub(super) fn line_of(text: &str, key: &str, nth: usize) -> Option<usize> {
    let parsed = DeTable::parse(text).ok()?;
    let value = parsed.get_ref().get(key)?;
    let start = match value.get_ref() {
        DeValue::Array(list) => list.get(nth)?.span().start,
        _ => value.span().start,
    };
    Some(1 + text.as_bytes()[..start].iter().filter(|b| **b == b'\n').count())
}

/// The start of a possibly long text.
pub(super) fn clip(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(60) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
