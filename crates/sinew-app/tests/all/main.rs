//! Tests of the `sinew` command, run through the binary.

mod at;
mod bench;
mod controllers;
mod export;
mod files;
mod inspect;
mod lab;
mod motion;
#[cfg(target_os = "linux")]
mod progress;
mod shell;
mod simulate;
mod studio;
mod support;
mod tutorials;
mod verify;
mod view;
