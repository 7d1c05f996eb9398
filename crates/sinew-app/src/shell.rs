//! `sinew completions` and `sinew man`, generated from the definition of the command line.

use crate::cli::{Cli, CompletionsArgs, ManArgs};
use crate::{Verdict, output};
use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use clap_mangen::Man;

/// Completions for a shell.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<Verdict> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sinew", &mut script);
    output::print(&String::from_utf8(script)?)?;
    Ok(Verdict::Good)
}

/// The manual.
pub(crate) fn man(args: &ManArgs) -> Result<Verdict> {
    let mut command = Cli::command();
    // gives verbs their full names and inherited options
    command.build();
    let Some(folder) = &args.out else {
        output::print(&page(command)?)?;
        return Ok(Verdict::Good);
    };
    std::fs::create_dir_all(folder)
        .with_context(|| format!("the folder `{}` cannot be made", folder.display()))?;
    let mut pages = Vec::new();
    gather(command, &mut pages);
    for page_of in &pages {
        let file = folder.join(format!("{}.1", name(page_of)));
        output::write_whole(&file, page(page_of.clone())?.as_bytes())?;
    }
    output::print(&format!("{} pages written to {}\n", pages.len(), folder.display()))?;
    Ok(Verdict::Good)
}

/// A command and all its verbs, but for `help`.
fn gather(command: Command, into: &mut Vec<Command>) {
    let verbs: Vec<Command> = command.get_subcommands().filter(|c| c.get_name() != "help").cloned().collect();
    into.push(command);
    verbs.into_iter().for_each(|verb| gather(verb, into));
}

/// `sinew-lab-run`.
fn name(command: &Command) -> String {
    command.get_display_name().unwrap_or(command.get_name()).to_owned()
}

fn page(command: Command) -> Result<String> {
    let title = name(&command);
    let mut text = Vec::new();
    Man::new(command).title(title).render(&mut text)?;
    Ok(String::from_utf8(text)?)
}
