//! Role tables as side files: roles of a model's bodies.
//!
//! One line per role, `role = body`. Text after a `#` that begins a line or follows a space is a comment. An unknown role or body
//! is an error with the nearest known one; a role given twice is an error too.
//!
//! ```text
//! # the robot's links
//! foot_left  = left_ankle_link
//! foot_right = right_ankle_link
//! ```

use super::FormatError;
use crate::format::nearest::{clip, did_you_mean};
use crate::{ModelSpec, Role, Roles};

/// Greatest size of a side file, bytes.
const MAX_BYTES: usize = 1 << 20;

/// Reads a table of roles for a model. `file` names the text in errors.
///
/// ```
/// use sinew_dynamics::{BodySpec, ModelSpec, Role, format::role_file, spatial::Inertia};
/// let mut spec = ModelSpec::new("box");
/// spec.bodies.push(BodySpec::new("torso_link", None, Inertia::ZERO));
/// let roles = role_file::parse("trunk = torso_link # where the arms join", "box.roles", &spec)?;
/// assert_eq!(roles.get(Role::Trunk), Some("torso_link"));
///
/// let error = role_file::parse("trunk = torso_lnk", "box.roles", &spec).unwrap_err();
/// assert_eq!(error.to_string(), "box.roles:1: trunk: there is no body \"torso_lnk\"; did you mean \"torso_link\"?");
/// # Ok::<(), sinew_dynamics::format::FormatError>(())
/// ```
pub fn parse(text: &str, file: &str, spec: &ModelSpec) -> Result<Roles, FormatError> {
    if text.len() > MAX_BYTES {
        let problem = format!("{} bytes are more than the {MAX_BYTES} that are read", text.len());
        return Err(FormatError::new(file, 0, "", problem));
    }
    let mut roles = Roles::default();
    for (line, number) in text.lines().zip(1..) {
        let entry = without_comment(line).trim();
        if entry.is_empty() {
            continue;
        }
        let fail = |element: String, problem: String| Err(FormatError::new(file, number, element, problem));
        let Some((word, body)) = entry.split_once('=').map(|(r, b)| (r.trim(), b.trim())) else {
            return fail(clip(entry), "a line is `role = body`, such as `head = skull`".to_owned());
        };
        let Ok(role) = word.parse::<Role>() else {
            let known: Vec<String> = Role::all().map(|r| r.to_string()).collect();
            let near = did_you_mean(word, known.iter().map(String::as_str));
            return fail(clip(word), format!("is not a role{near}; known are {}", known.join(", ")));
        };
        if spec.body_index(body).is_none() || body.is_empty() {
            let near = did_you_mean(body, spec.bodies.iter().map(|b| b.name.as_str()));
            return fail(word.to_owned(), format!("there is no body \"{}\"{near}", clip(body)));
        }
        if roles.get(role).is_some() {
            return fail(word.to_owned(), "the role is given twice; keep one line".to_owned());
        }
        roles.set(role, body);
    }
    Ok(roles)
}

/// Writes a table of roles as a side file.
pub fn write(roles: &Roles) -> String {
    roles.iter().map(|(role, body)| format!("{role} = {body}\n")).collect()
}

fn without_comment(line: &str) -> &str {
    let begins = |&(at, _): &(usize, &str)| at == 0 || line[..at].ends_with(char::is_whitespace);
    match line.match_indices('#').find(begins) {
        Some((at, _)) => &line[..at],
        None => line,
    }
}
