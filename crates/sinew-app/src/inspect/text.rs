//! The summary as text for people: a tree of bodies, then the totals, roles and remarks.

use super::summary::{Joint, Summary};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::fmt::Write;

/// Draws the summary.
pub(crate) fn render(s: &Summary) -> String {
    let mut out = String::new();
    // writing to a string cannot fail, so results are ignored in this file
    let t = &s.totals;
    let height = t.height.map_or(String::new(), |h| format!(", {} m tall", short(h)));
    let _ = writeln!(
        out,
        "{} ({}): {} degrees of freedom, {} kg{height}\n",
        s.name,
        s.source,
        t.nv,
        short(t.mass)
    );
    let _ = writeln!(out, "{}\n", tree(s).trim_fmt());
    let _ = writeln!(
        out,
        "nq {}, nv {}; {}, {}, {}, {}, {}, {}",
        t.nq,
        t.nv,
        count(t.bodies, "body", "bodies"),
        count(t.joints, "joint", "joints"),
        count(t.actuators, "actuator", "actuators"),
        count(t.geoms, "geom", "geoms"),
        count(t.sites, "site", "sites"),
        count(t.keyframes, "keyframe", "keyframes"),
    );
    if s.gravity != [0.0, 0.0, -9.81] {
        let _ = writeln!(out, "gravity {} {} {} m/s²", s.gravity[0], s.gravity[1], s.gravity[2]);
    }
    roles(&mut out, s);
    // built-in files need no notes
    if !s.built_in {
        list(&mut out, "Assumed", &s.assumed);
        list(&mut out, "Notes of the importer", &s.import_warnings);
    }
    list(&mut out, "Warnings", &s.warnings);
    out
}

/// One row per joint, bodies indented as a tree.
fn tree(s: &Summary) -> Table {
    let mut table = table(&["body", "mass kg", "joint", "type", "axis", "range", "effort", "q", "v"]);
    for column in [1, 7, 8] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let branches = branches(&s.bodies.iter().map(|b| b.parent_index).collect::<Vec<_>>());
    for (body, (first, rest)) in s.bodies.iter().zip(&branches) {
        let name = format!("{first}{}", body.name);
        let mass = short(body.mass);
        let mut rows = body.joints.iter();
        match rows.next() {
            None => table.add_row(vec![name, mass, "–".into(), "weld".into()]),
            Some(joint) => table.add_row(row(name, mass, joint)),
        };
        for joint in rows {
            table.add_row(row(rest.clone(), String::new(), joint));
        }
    }
    table
}

fn row(name: String, mass: String, j: &Joint) -> Vec<String> {
    let turns = j.kind != "slide";
    let axis = j.axis.map_or(String::new(), axis);
    let range = match j.range {
        None => String::new(),
        Some([low, high]) if turns => {
            format!("{}…{}°", short(low.to_degrees()), short(high.to_degrees()))
        }
        Some([low, high]) => format!("{}…{} m", short(low), short(high)),
    };
    let unit = if turns { "N·m" } else { "N" };
    let mut efforts: Vec<_> = j.effort.iter().map(|e| e.map_or("–".to_owned(), short)).collect();
    efforts.dedup();
    let effort = match efforts.as_slice() {
        [] => String::new(),
        [one] if one == "–" => String::new(),
        many => format!("{} {unit}", many.join(", ")),
    };
    let kind = j.kind.to_owned();
    vec![name, mass, j.name.clone(), kind, axis, range, effort, j.q.to_string(), j.v.to_string()]
}

/// `x`, `-y`, … for frame axes, else three numbers.
fn axis(a: [f64; 3]) -> String {
    for (k, letter) in ["x", "y", "z"].into_iter().enumerate() {
        let others = (0..3).all(|i| i == k || a[i] == 0.0);
        if others && a[k] == 1.0 {
            return letter.to_owned();
        }
        if others && a[k] == -1.0 {
            return format!("-{letter}");
        }
    }
    a.map(short).join(" ")
}

/// The drawing before each name of a tree, and before the further rows of the same entry, from the entries' parents.
pub(super) fn branches(parents: &[Option<usize>]) -> Vec<(String, String)> {
    let mut last_child = vec![None; parents.len()];
    for (i, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            last_child[*parent] = Some(i);
        }
    }
    let mut out: Vec<(String, String)> = Vec::with_capacity(parents.len());
    for (i, parent) in parents.iter().enumerate() {
        let Some(parent) = *parent else {
            out.push((String::new(), String::new()));
            continue;
        };
        let (mark, run) = if last_child[parent] == Some(i) { ("└ ", "  ") } else { ("├ ", "│ ") };
        let stem = &out[parent].1;
        out.push((format!("{stem}{mark}"), format!("{stem}{run}")));
    }
    out
}

fn roles(out: &mut String, s: &Summary) {
    if s.roles.is_empty() {
        let _ = writeln!(out, "\nNo body has a role.");
        return;
    }
    let mut table = table(&["role", "body", ""]);
    for part in &s.roles {
        let how = if part.given {
            "given".to_owned()
        } else {
            format!("guessed, confidence {:.0} %", 100.0 * part.confidence)
        };
        table.add_row([&part.role, &part.body, &how]);
    }
    let _ = writeln!(out, "\n{}", table.trim_fmt());
}

pub(super) fn list(out: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}:");
    for item in items {
        let _ = writeln!(out, "  {item}");
    }
}

/// A table without frame, as wide as its content, so that pipes and terminals get the same text.
pub(crate) fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header);
    table
}

pub(super) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Four significant digits without trailing zeros.
pub(crate) fn short(x: f64) -> String {
    let digits = if x == 0.0 { 0.0 } else { (3.0 - x.abs().log10().floor()).clamp(0.0, 9.0) };
    let text = format!("{x:.*}", digits as usize);
    let trimmed = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if trimmed == "-0" { "0".to_owned() } else { trimmed.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{axis, short};

    #[test]
    fn numbers_are_short_and_true() {
        let cases =
            [(0.0, "0"), (75.0, "75"), (1.7549, "1.755"), (-0.0001234, "-0.0001234"), (12345.6, "12346")];
        for (x, expected) in cases {
            assert_eq!(short(x), expected);
        }
        assert_eq!(short(-1e-12), "0");
    }

    #[test]
    fn frame_axes_have_letters() {
        assert_eq!(axis([0.0, -1.0, 0.0]), "-y");
        assert_eq!(axis([0.6, 0.8, 0.0]), "0.6 0.8 0");
    }
}
