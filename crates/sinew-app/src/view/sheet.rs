//! `sinew sheet`: frames of a run side by side in one picture.
//!
//! The page itself draws the sheet (the address asks for it) and leaves it as an image in its document; a browser without a
//! window loads the page and prints the document, from which the picture is taken.

use super::{chromium, noted, read};
use crate::cli::SheetArgs;
use crate::{Verdict, output};
use anyhow::{Context, Result, ensure};
use serde_json::json;
use sinew::world::file::WorkFolder;
use sinew_studio::pages;
use sinew_studio::view::pack::Storage;
use sinew_studio::view::page;
use std::path::Path;

/// Markers around the picture in the document.
const BEFORE: [&str; 2] = [r#"src="data:image/png;base64,"#, r#"src="data:image/jpeg;base64,"#];
const AFTER: char = '"';

/// The verb.
pub(crate) fn run(args: &SheetArgs) -> Result<Verdict> {
    let extension = args.out.extension().and_then(|e| e.to_str()).unwrap_or("");
    let jpeg = ["jpg", "jpeg"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    ensure!(
        jpeg || extension.eq_ignore_ascii_case("png"),
        "`{}`: a sheet is a PNG or JPEG picture; name a file that ends in .png or .jpg",
        args.out.display()
    );
    if args.install_browser && chromium::find().is_err() {
        chromium::install()?;
    }
    let (picture, notes) = picture(&args.run, &Look { frames: args.frames, dark: args.dark, jpeg })?;
    output::write_whole(output::target(&args.out, &["png", "jpg", "jpeg"])?, &picture)?;

    let file = args.out.display().to_string();
    if args.json {
        let said = json!({"file": file, "bytes": picture.len(), "frames": args.frames, "notes": notes});
        output::print(&output::json(&said)?)?;
    } else {
        let size = picture.len() as f64 / 1e3;
        let said = format!("{} frames written to {file} ({size:.0} kB)\n", args.frames);
        output::print(&format!("{said}{}", noted(&notes)))?;
    }
    Ok(Verdict::Good)
}

/// Options of a sheet.
pub(crate) struct Look {
    pub(crate) frames: u32,
    pub(crate) dark: bool,
    pub(crate) jpeg: bool,
}

/// A sheet of a recorded run as the bytes of a file, and notes on the run.
pub(crate) fn picture(run: &Path, look: &Look) -> Result<(Vec<u8>, Vec<String>)> {
    pages::viewer()?;
    let browser = chromium::find()?;
    let drawn = read(run)?;
    let html = page::html(&drawn.scene, Storage::Plain)?;
    Ok((draw(&browser, &html, look)?, drawn.notes))
}

/// Lets the browser draw the sheet; returns the file.
fn draw(browser: &Path, html: &str, look: &Look) -> Result<Vec<u8>> {
    let work = WorkFolder::new().context("cannot make a folder for temporary files")?;
    let file = work.path().join("run.html");
    std::fs::write(&file, html).context("cannot write the page for the browser")?;
    let theme = if look.dark { "dark" } else { "light" };
    let kind = if look.jpeg { "&as=jpeg" } else { "" };
    let address = format!("{}#sheet={}&theme={theme}{kind}", address_of(&file), look.frames);
    let document = chromium::document(browser, &address, work.path())?;
    let picture =
        document.split_once(BEFORE[usize::from(look.jpeg)]).and_then(|(_, rest)| rest.split_once(AFTER));
    let (picture, _) = picture.with_context(|| {
        let message = document.split_once("role=\"alert\"").and_then(|(_, rest)| rest.split_once("</p>"));
        let message = message.map_or("", |(text, _)| text.trim_start_matches('>'));
        format!("the browser did not draw the sheet. {message}")
    })?;
    unbase64(picture).context("the picture from the browser is damaged")
}

/// A file's address for a browser.
fn address_of(file: &Path) -> String {
    let path = file.display().to_string().replace('\\', "/");
    let mut address = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        match byte {
            b'/' | b':' | b'-' | b'.' | b'_' | b'~' => address.push(byte as char),
            _ if byte.is_ascii_alphanumeric() => address.push(byte as char),
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

/// The bytes of base64 text; none when it is not that.
fn unbase64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for c in text.trim_end_matches('=').bytes() {
        let digit = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_as_its_standard_says() {
        // RFC 4648, section 10
        for (plain, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foobar", "Zm9vYmFy")] {
            assert_eq!(unbase64(coded).as_deref(), Some(plain.as_bytes()));
        }
        assert_eq!(unbase64("Zm9v!"), None);
    }

    #[test]
    fn addresses_keep_odd_names() {
        assert_eq!(address_of(Path::new("/tmp/a run#1.html")), "file:///tmp/a%20run%231.html");
    }
}
