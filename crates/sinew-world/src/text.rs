//! Tables of plain text.

/// Lines with columns as wide as their widest cell; columns whose header begins with a space are set to the right.
pub(crate) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let head: Vec<String> = header.iter().map(|h| h.trim_start().to_owned()).collect();
    let lines = || core::iter::once(&head).chain(rows);
    let width = |column: usize| {
        lines().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let mut out = String::new();
    for line in lines() {
        let mut text = String::new();
        for ((cell, width), title) in line.iter().zip(&widths).zip(header) {
            let space = " ".repeat(width - cell.chars().count().min(*width));
            let (before, after) = if title.starts_with(' ') { (&*space, "") } else { ("", &*space) };
            text.extend([before, cell, after, "  "]);
        }
        out.extend([text.trim_end(), "\n"]);
    }
    out
}

/// A number with three significant digits.
pub(crate) fn short(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_owned()
    } else if !x.is_finite() || !(1e-3..1e5).contains(&size) {
        format!("{x:.2e}")
    } else {
        let digits = (2.0 - libm::floor(libm::log10(size))).clamp(0.0, 5.0);
        format!("{x:.*}", digits as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "1.5".to_owned()], vec!["büro".to_owned(), "12".to_owned()]];
        assert_eq!(table(&["name", " value"], &rows), "name  value\na       1.5\nbüro     12\n");
    }

    #[test]
    fn numbers_keep_three_digits() {
        let cases =
            [(0.0, "0"), (1.23456, "1.23"), (-0.0123456, "-0.0123"), (735.4, "735"), (1e-9, "1.00e-9")];
        cases.into_iter().for_each(|(x, text)| assert_eq!(short(x), text));
        assert_eq!(short(f64::NAN), "NaN");
    }
}
