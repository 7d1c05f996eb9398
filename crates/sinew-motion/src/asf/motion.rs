//! The motion file: a number alone on a line begins a frame, then one line per bone that moves.

use super::skeleton::{Bones, Dof, turned, words};
use crate::Pose;
use crate::import::text::{clip, finite, lines};
use crate::import::{ImportOptions, ReadError, Report, WarningKind};
use sinew_dynamics::spatial::{Quat, Vec3};
use std::collections::BTreeMap;

/// Reads all frames.
pub(super) fn read(
    text: &str,
    file: &str,
    skeleton: &Bones,
    options: &ImportOptions,
    report: &mut Report,
) -> Result<Vec<Pose>, ReadError> {
    let bones = &skeleton.bones;
    let mut reader = Frames {
        file,
        skeleton,
        places: bones.iter().enumerate().map(|(i, b)| (b.name.to_lowercase(), i)).collect(),
        angle: skeleton.angle,
        values: bones.iter().map(|b| vec![0.0; b.dofs.len()]).collect(),
        seen: vec![false; bones.len()],
        frame: None,
        held: 0,
        poses: Vec::new(),
    };
    let mut gaps = 0;
    for (line, content) in lines(text, 1) {
        let mut row = words(content);
        let Some(first) = row.next() else { continue };
        if let Some(keyword) = first.strip_prefix(':') {
            match keyword.to_ascii_uppercase().as_str() {
                "DEGREES" => reader.angle = 1.0_f64.to_radians(),
                "RADIANS" => reader.angle = 1.0,
                _ => {}
            }
        } else if let Ok(number) = first.parse::<usize>() {
            let before = reader.frame;
            reader.finish(line, options)?;
            gaps += usize::from(before.is_some_and(|b| b.checked_add(1) != Some(number)));
            reader.frame = Some(number);
        } else {
            reader.bone(line, first, row, options)?;
        }
    }
    reader.finish(lines(text, 1).count(), options)?;
    if gaps > 0 {
        report.warn(
            WarningKind::Frames,
            format!("the numbers of the frames jump {gaps} time(s): taken as evenly spaced"),
        );
    }
    if reader.held > 0 {
        let text =
            format!("{} line(s) were missing or no numbers and were held from the frame before", reader.held);
        report.warn(WarningKind::Frames, text);
    }
    if reader.poses.is_empty() {
        return Err(reader.error(1, "motion", "there is no frame", "get a file with motion"));
    }
    Ok(reader.poses)
}

/// Frames so far, and the one being read.
struct Frames<'a> {
    file: &'a str,
    skeleton: &'a Bones,
    /// Indices of the bones by their names in small letters.
    places: BTreeMap<String, usize>,
    angle: f64,
    /// Per bone, of the frame being read; bones that are missing keep those of the frame before.
    values: Vec<Vec<f64>>,
    seen: Vec<bool>,
    frame: Option<usize>,
    held: usize,
    poses: Vec<Pose>,
}

impl Frames<'_> {
    fn error(&self, line: usize, element: &str, problem: impl Into<String>, remedy: &str) -> ReadError {
        let (file, element) = (self.file.to_owned(), element.to_owned());
        ReadError::Format { file, line, element, problem: problem.into(), remedy: remedy.into() }
    }

    /// A line of a bone.
    fn bone<'w>(
        &mut self,
        line: usize,
        name: &str,
        row: impl Iterator<Item = &'w str>,
        options: &ImportOptions,
    ) -> Result<(), ReadError> {
        let Some(frame) = self.frame else {
            let problem = format!("\"{}\" stands before the first frame", clip(name));
            return Err(self.error(
                line,
                "motion",
                problem,
                "check that it is an AMC file: frames begin with their numbers",
            ));
        };
        let of = format!("frame {frame}, bone \"{}\"", clip(name));
        let bones = &self.skeleton.bones;
        let Some(&i) = self.places.get(&name.to_lowercase()) else {
            return Err(self.error(
                line,
                &of,
                "the skeleton has no such bone",
                "read it with the skeleton it was made for",
            ));
        };
        if self.seen[i] {
            return Err(self.error(
                line,
                &of,
                "it comes twice in the frame",
                "mend the file, or get it again",
            ));
        }
        // one number more than needed is enough to know that there are too many
        let wanted = bones[i].dofs.len();
        let numbers: Option<Vec<f64>> = row.take(wanted + 1).map(finite).collect();
        match numbers {
            Some(numbers) if numbers.len() == wanted => {
                self.values[i] = numbers;
                self.seen[i] = true;
            }
            _ if options.salvage => {}
            None => {
                return Err(self.error(
                    line,
                    &of,
                    "not all values are numbers",
                    "mend it, or salvage the file",
                ));
            }
            Some(numbers) => {
                let more = if numbers.len() > wanted { "more than" } else { "not" };
                let problem = format!("it has {more} the {wanted} numbers of its degrees of freedom");
                return Err(self.error(line, &of, problem, "mend it, or read it with its own skeleton"));
            }
        }
        Ok(())
    }

    /// Ends the frame being read, if there is one.
    fn finish(&mut self, line: usize, options: &ImportOptions) -> Result<(), ReadError> {
        let Some(frame) = self.frame else { return Ok(()) };
        let bones = &self.skeleton.bones;
        let missing = (0..bones.len()).filter(|&i| !self.seen[i] && !bones[i].dofs.is_empty());
        let (count, first) = missing.fold((0, None), |(n, first), i| (n + 1, first.or(Some(i))));
        if let Some(first) = first {
            if !options.salvage {
                let of = format!("frame {frame}");
                let problem = format!("bone \"{}\" has no line", bones[first].name);
                return Err(self.error(line, &of, problem, "get the whole file, or salvage it"));
            }
            self.held += count;
        }
        if (self.poses.len() + 1) * bones.len() > options.limits.rotations {
            let (what, limit) = ("rotations (bones times frames)", options.limits.rotations);
            return Err(ReadError::Limit { file: self.file.into(), line, what, limit });
        }
        self.seen.fill(false);
        self.poses.push(self.pose());
        Ok(())
    }

    fn pose(&self) -> Pose {
        let Bones { bones, position, orientation, .. } = self.skeleton;
        let mut root = *position;
        let mut rotations: Vec<Quat> = Vec::with_capacity(bones.len());
        for (i, (bone, values)) in bones.iter().zip(&self.values).enumerate() {
            let angles = bone.dofs.iter().zip(values).filter_map(|(dof, x)| match dof {
                Dof::Rotation(axis) => Some((*axis, x * self.angle)),
                _ => None,
            });
            let turn = Quat::new_normalize(turned(angles));
            let mut local = if i == 0 { turn * orientation } else { bone.axes * turn * bone.axes.inverse() };
            if self.poses.last().is_some_and(|p| p.rotations[i].dot(&local) < 0.0) {
                local = Quat::new_unchecked(-local.into_inner());
            }
            rotations.push(local);
            if i == 0 {
                let shift = bone.dofs.iter().zip(values).filter_map(|(dof, x)| match dof {
                    Dof::Translation(axis) => Some((*axis, *x)),
                    _ => None,
                });
                let mut moved = Vec3::zeros();
                shift.for_each(|(axis, x)| moved[axis] = x);
                root += moved;
            }
        }
        Pose { root, rotations }
    }
}
