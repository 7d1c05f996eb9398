//! Seeing a run: the one-file page and the contact sheet.

mod drawing;
mod pack;
mod page;
mod scene;
#[cfg(test)]
mod sample;
