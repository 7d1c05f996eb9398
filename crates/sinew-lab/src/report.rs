//! One page with all results: a scorecard, and every experiment with the paper's figures beside ours.
//!
//! The page is self-contained: pictures are inline, colours follow the reader's choice of light or dark, and it can be printed. It holds
//! no date and no machine name, so that the same results give the same bytes.

use crate::findings::{Figure, Findings, Table, Verdict};
use crate::plot::escape;
use crate::results::Results;
use std::fmt::Write;

const STYLE: &str = include_str!("report.css");

/// The page.
///
/// ```
/// let page = sinew_lab::report::html(&[]);
/// assert!(page.starts_with("<!doctype html>"));
/// ```
pub fn html(results: &[Results]) -> String {
    let mut page = Page(String::with_capacity(1 << 16));
    page.put(format_args!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Sinew: experiments</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>Experiments</h1>"
    ));
    page.overview(results);
    page.scorecard(results);
    results.iter().for_each(|r| page.experiment(r));
    page.put(format_args!("</body>\n</html>"));
    page.0
}

struct Page(String);

impl Page {
    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // writing into a string does not fail
        let _ = self.0.write_fmt(text);
        self.0.push('\n');
    }

    fn paragraph(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.put(format_args!("<p><b>{name}</b> {}</p>", escape(text)));
        }
    }

    fn overview(&mut self, results: &[Results]) {
        let count = |verdict| results.iter().filter(|r| r.verdict == verdict).count();
        let (passed, failed) = (count(Verdict::Passed), count(Verdict::Failed));
        let (reported, skipped) = (count(Verdict::Reported), count(Verdict::Skipped));
        let runs: usize = results.iter().map(|r| r.findings.runs).sum();
        let hours = results.iter().map(|r| r.findings.simulated_s).sum::<f64>() / 3600.0;
        let broken: usize = results.iter().map(|r| r.findings.broken.len()).sum();
        self.put(format_args!(
            "<p>{} experiments: {passed} passed, {failed} failed, {reported} without a bar, {skipped} skipped. {runs} runs, \
             {hours:.2} simulated hours, every step audited, {broken} runs with a failing audit. Figures of papers are beside ours; \
             where a paper prints none, there is a dash. Every line names the command that does it again.</p>",
            results.len()
        ));
        let mut versions: Vec<&str> = results.iter().map(|r| r.version.as_str()).collect();
        versions.dedup();
        self.put(format_args!("<p>Sinew {}.</p>", escape(&versions.join(", "))));
        if results.iter().any(|r| r.quick) {
            let quick = "Results marked <i>quick</i> come from few and short runs. They show that the experiment works; their figures do not count.";
            self.put(format_args!("<p class=\"warning\">{quick}</p>"));
        }
    }

    fn scorecard(&mut self, results: &[Results]) {
        self.put(format_args!(
            "<table class=\"card\">\n<thead><tr><th>experiment</th><th>figure</th><th>paper</th><th>ours</th><th>bar</th>\
             <th>verdict</th></tr></thead>\n<tbody>"
        ));
        for r in results {
            let shown: Vec<&Figure> = r.findings.figures.iter().filter(|f| f.bar.is_some()).collect();
            // an experiment without bars shows its first figure
            let shown = if shown.is_empty() { r.findings.figures.iter().take(1).collect() } else { shown };
            let rows = shown.len().max(1);
            let quick = if r.quick { " <i>quick</i>" } else { "" };
            let name = format!(
                "<td rowspan=\"{rows}\"><a href=\"#{0}\">{0}</a>{quick}<br><small>{1}</small><br><code>{2}</code></td>",
                escape(&r.experiment),
                escape(&r.title),
                escape(&r.command)
            );
            if shown.is_empty() {
                let (word, class) = badge(r.verdict);
                let why =
                    r.findings.skipped.as_deref().or(r.findings.error.as_deref()).unwrap_or("no figures");
                self.put(format_args!(
                    "<tr>{name}<td colspan=\"4\">{}</td><td class=\"{class}\">{word}</td></tr>",
                    escape(why)
                ));
            }
            for (k, figure) in shown.iter().enumerate() {
                let name = if k == 0 { name.as_str() } else { "" };
                self.put(format_args!("<tr>{name}{}</tr>", cells(figure, &r.findings)));
            }
        }
        self.put(format_args!("</tbody>\n</table>"));
    }

    fn experiment(&mut self, r: &Results) {
        let (word, class) = badge(r.verdict);
        let id = escape(&r.experiment);
        self.put(format_args!(
            "<section id=\"{id}\">\n<h2>{} <span class=\"{class}\">{word}</span></h2>\n<p><code>{id}</code>: <code>{}</code></p>",
            escape(&r.title),
            escape(&r.command)
        ));
        self.paragraph("Paper:", &r.paper);
        self.paragraph("Passes when", &r.bar);
        self.paragraph("Source:", &r.source);
        let f = &r.findings;
        self.paragraph("Skipped:", f.skipped.as_deref().unwrap_or(""));
        self.paragraph("Could not be completed:", f.error.as_deref().unwrap_or(""));
        if !f.figures.is_empty() {
            self.put(format_args!(
                "<table>\n<thead><tr><th>figure</th><th>paper</th><th>ours</th><th>bar</th><th>verdict</th></tr></thead>\n<tbody>"
            ));
            f.figures.iter().for_each(|figure| self.put(format_args!("<tr>{}</tr>", cells(figure, f))));
            self.put(format_args!("</tbody>\n</table>"));
        }
        for plot in &f.plots {
            self.put(format_args!("<figure>\n{}</figure>", plot.svg()));
        }
        f.tables.iter().for_each(|table| self.table(table));
        if !f.notes.is_empty() {
            let notes: String = f.notes.iter().map(|n| format!("<li>{}</li>", escape(n))).collect();
            self.put(format_args!("<ul>{notes}</ul>"));
        }
        self.provenance(r);
        self.put(format_args!("</section>"));
    }

    fn table(&mut self, table: &Table) {
        let row = |cells: &Vec<String>, tag: &str| {
            let cells: String = cells.iter().map(|c| format!("<{tag}>{}</{tag}>", escape(c))).collect();
            format!("<tr>{cells}</tr>\n")
        };
        let rows: String = table.rows.iter().map(|cells| row(cells, "td")).collect();
        self.put(format_args!(
            "<details{}><summary>{} ({} rows)</summary>\n<div class=\"wide\"><table>\n<thead>{}</thead>\n<tbody>\n{rows}</tbody>\n</table></div></details>",
            if table.rows.len() <= 12 { " open" } else { "" },
            escape(&table.name),
            table.rows.len(),
            row(&table.columns, "th")
        ));
    }

    /// The measured bodies, and the result of the audits.
    fn provenance(&mut self, r: &Results) {
        let f = &r.findings;
        let bodies: Vec<String> =
            f.bodies.iter().map(|b| format!("{} ({:.1} kg)", b.name, b.mass_kg)).collect();
        let mut text = format!("Runs: {}, {:.0} simulated seconds", f.runs, f.simulated_s);
        if !bodies.is_empty() {
            text += &format!(", of {}", bodies.join(", "));
        }
        if !f.seeds.is_empty() {
            let seeds: Vec<String> = f.seeds.iter().map(u64::to_string).collect();
            text += &format!("; seeds {}", seeds.join(", "));
        }
        text += match f.broken.len() {
            0 if f.runs > 0 => ". The audit of every run holds.",
            _ => ".",
        };
        if !f.recordings.is_empty() {
            text += &format!(" Recordings: {}.", f.recordings.join(", "));
        }
        self.put(format_args!("<p class=\"small\">{}</p>", escape(&text)));
        for broken in &f.broken {
            self.put(format_args!("<p class=\"failed\">The audit fails: {}</p>", escape(broken)));
        }
    }
}

/// The cells of a figure: name, paper, ours, bar, verdict.
fn cells(figure: &Figure, findings: &Findings) -> String {
    let bar = figure.bar.map_or("–".to_owned(), |bar| bar.to_string());
    let aim = figure.aim.map_or(String::new(), |aim| format!(", aim {aim}"));
    // a figure of a run that fails the audit does not count
    let (word, class) = match figure.verdict() {
        Verdict::Passed if !findings.broken.is_empty() => ("FAILED: audit", "failed"),
        verdict => badge(verdict),
    };
    format!(
        "<td>{}</td><td>{}</td><td class=\"number\">{}</td><td>{}{}</td><td class=\"{class}\">{word}</td>",
        escape(&figure.name),
        escape(figure.paper.as_deref().unwrap_or("–")),
        escape(&figure.shown()),
        escape(&bar),
        escape(&aim),
    )
}

fn badge(verdict: Verdict) -> (&'static str, &'static str) {
    let class = match verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "failed",
        Verdict::Reported | Verdict::Skipped => "neutral",
    };
    (verdict.word(), class)
}
