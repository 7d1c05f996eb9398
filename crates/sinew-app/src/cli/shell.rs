//! Options of `sinew completions` and `sinew man`.

use super::examples;
use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

/// Print the completion script of a shell, for `sinew` and the Tab key
///
/// The examples show the usual file of each shell. Start a new shell afterwards.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew completions bash > ~/.local/share/bash-completion/completions/sinew",
    "sinew completions zsh > ~/.zfunc/_sinew        # with fpath+=~/.zfunc before compinit in ~/.zshrc",
    "sinew completions fish > ~/.config/fish/completions/sinew.fish",
    "sinew completions powershell >> $PROFILE",
]))]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// Print the manual page, or write those of all verbs to a folder
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew man | man -l -",
    "sinew man --out ~/.local/share/man/man1    # then: man sinew-simulate",
]))]
pub(crate) struct ManArgs {
    /// Write one page per verb into this folder: sinew.1, sinew-simulate.1, …
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
