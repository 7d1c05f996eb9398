//! "Did you mean …": the known word that a mistyped one is closest to.

/// A sentence part such as `; did you mean "damping"?`, or nothing when no known word is near.
pub(crate) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(word, known) {
        Some(near) => format!("; did you mean \"{near}\"?"),
        None => String::new(),
    }
}

/// The known word at the least edit distance, when that is at most a third of its length (and at least one letter).
fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // very long words are not compared, because the cost is quadratic
    if word.len() > 100 {
        return None;
    }
    let within = |w: &str| (w.chars().count() / 3).max(1);
    known
        .into_iter()
        .filter(|k| k.len() <= 100)
        .map(|k| (strsim::damerau_levenshtein(word, k), k))
        .filter(|(distance, k)| *distance <= within(k))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, k)| k)
}

/// The start of a text that may be long, for messages.
pub(crate) fn clip(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let known = ["damping", "stiffness", "armature"];
        assert_eq!(nearest("dampign", known), Some("damping"));
        assert_eq!(nearest("stifness", known), Some("stiffness"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(did_you_mean("armatur", known), "; did you mean \"armature\"?");
    }
}
