//! The audit of a run, row by row.

use super::attachments::Attachments;
use super::contacts::Contacts;
use super::declared::Declared;
use super::joints::Joints;
use super::ledger::{Ledger, moves_freely};
use super::motion::Motion;
use super::report::{AuditReport, Finding, Verdict, Worst};
use super::step::{Step, weight};
use super::{Bounds, Options};
use crate::recording::{Info, Meta, Recording, RecordingError, RecordingReader, Row};
use crate::{ContactForce, OutsideForce, StepFrame};
use sinew_dynamics::{Data, JointKind, Model, momentum, passive_force};
use std::io::{Read, Seek};

/// Audits a recording row by row, with memory for two rows.
///
/// ```no_run
/// use sinew_world::audit::{Options, audit};
/// use sinew_world::recording::RecordingReader;
/// let report = audit(&mut RecordingReader::open("run.npz")?, &Options::default())?;
/// println!("{report}");
/// assert!(report.holds);
/// # Ok::<(), sinew_world::recording::RecordingError>(())
/// ```
pub fn audit<R: Read + Seek>(
    run: &mut RecordingReader<R>,
    options: &Options,
) -> Result<AuditReport, RecordingError> {
    let mut audit = Audit::new(run.info().clone(), options);
    while let Some(row) = run.next_row()? {
        audit.push(&row);
    }
    Ok(audit.finish())
}

impl Recording {
    /// Audits the run. See [`audit`](crate::audit).
    pub fn audit(&self, options: &Options) -> AuditReport {
        let mut audit = Audit::new(self.info().clone(), options);
        self.rows().for_each(|row| audit.push(&row));
        audit.finish()
    }
}

/// An audit in progress, which takes the rows of a run in order.
#[derive(Debug)]
pub struct Audit {
    info: Info,
    options: Options,
    weight: f64,
    held: Option<Held>,
    rows: usize,
    checked: usize,
    duration: f64,
    broken: (usize, Worst, &'static str),
    times: Worst,
    units: Worst,
    root: Worst,
    joint_rows: Worst,
    jump: Worst,
    motion: Motion,
    contacts: Contacts,
    joints: Joints,
    ledger: Option<Ledger>,
    ledger_linear: Worst,
    ledger_angular: Worst,
    changes: Worst,
    outside: (f64, Worst),
    root_held: Worst,
    passive: Vec<f64>,
    declared: Declared,
}

/// A copy of the last row.
#[derive(Debug, Default)]
struct Held {
    step: usize,
    finite: bool,
    time: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    constraint: Vec<f64>,
    contacts: Vec<ContactForce>,
    outside: Vec<OutsideForce>,
    objects: Vec<[f64; 7]>,
    objects_before: Vec<[f64; 7]>,
}

impl Audit {
    /// An audit of a run with this information.
    pub fn new(info: Info, options: &Options) -> Audit {
        let model = &info.model;
        Audit {
            options: *options,
            weight: weight(model),
            held: None,
            rows: 0,
            checked: 0,
            duration: 0.0,
            broken: (0, Worst::default(), ""),
            times: Worst::default(),
            units: Worst::default(),
            root: Worst::default(),
            joint_rows: Worst::default(),
            jump: Worst::default(),
            motion: Motion::new(model),
            contacts: Contacts::new(&info),
            joints: Joints::new(Attachments::new(model, &info.meta)),
            ledger: if options.every <= 1 { Ledger::new(model) } else { None },
            ledger_linear: Worst::default(),
            ledger_angular: Worst::default(),
            changes: Worst::default(),
            outside: (0.0, Worst::default()),
            root_held: Worst::default(),
            passive: vec![0.0; model.nv()],
            declared: Declared::new(&info),
            info,
        }
    }

    /// Takes the next row.
    pub fn push(&mut self, row: &Row<'_>) {
        let held = self.held.take();
        if let Some(held) = &held {
            self.step(held, row);
        }
        let fault = fault(row);
        if let Some((array, count)) = fault {
            if self.broken.0 == 0 {
                self.broken = (0, Worst { value: 0.0, at: Some((row.step, row.frame.time)) }, array);
            }
            self.broken.0 += count;
        } else {
            self.row(row);
        }
        self.rows += 1;
        let mut held = held.unwrap_or_default();
        held.copy(row, fault.is_none());
        self.held = Some(held);
    }

    /// Checks within a row.
    fn row(&mut self, row: &Row<'_>) {
        let Row { step, frame, .. } = *row;
        let (at, model) = ((step, frame.time), self.info.model_at(step));
        for joint in model.joints() {
            let start = match joint.kind {
                JointKind::Free => joint.q + 3,
                JointKind::Ball => joint.q,
                _ => continue,
            };
            let square: f64 = frame.q[start..start + 4].iter().map(|x| x * x).sum();
            self.units.see((libm::sqrt(square) - 1.0).abs(), at);
        }
        self.contacts.row(model, &frame, row.objects, self.info.meta.friction, self.weight, at);
        passive_force(model, frame.q, frame.v, &mut self.passive);
        for joint in model.joints().iter().filter(|j| j.kind == JointKind::Free) {
            let drag = self.passive[joint.v..joint.v + 6].iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            self.root_held.see(drag / self.weight, at);
        }
        self.joints.row(model, &frame, self.weight, at);
        let force = frame.outside.iter().fold(0.0, |sum, o| sum + o.force.norm());
        self.outside.0 += force * self.info.meta.dt;
        self.outside.1.see(force, at);
    }

    /// Checks between the held row and the next one.
    fn step(&mut self, held: &Held, next: &Row<'_>) {
        let dt = self.info.meta.dt;
        let at = (held.step, held.time);
        self.times.see(((next.frame.time - held.time) / dt - 1.0).abs(), at);
        self.duration += dt;
        let change = self.info.meta.body_changes.iter().position(|c| c.step == next.step);
        let model = self.info.model_at(held.step);
        let (q_end, v_end) = match change {
            Some(n) => {
                let change = &self.info.meta.body_changes[n];
                (change.q_before.as_slice(), change.v_before.as_slice())
            }
            None => (next.frame.q, next.frame.v),
        };
        let finite = |x: &[f64]| x.iter().all(|x| x.is_finite());
        if held.finite && finite(q_end) && finite(v_end) {
            let step = Step {
                model,
                at,
                frame: held.frame(),
                q_end,
                v_end,
                objects_before: [&held.objects_before, &held.objects],
                objects_step: [&held.objects, next.objects],
                dt,
                weight: self.weight,
                integrator: self.info.meta.integrator,
                damping: self.info.meta.damping,
                midpoint_above: self.info.meta.midpoint_above,
                soft: soft(&self.info.meta),
            };
            self.jump.see(self.motion.jump(&step), at);
            self.declared.step(&step);
            if held.step.is_multiple_of(self.options.every.max(1)) {
                let residual = self.motion.residual(&step);
                self.root.see(residual.root, at);
                self.joint_rows.see(residual.joints, at);
                self.contacts.motion(&step);
                self.joints.constraint(&step, &self.bounds());
                self.checked += 1;
            }
            if let Some(ledger) = &mut self.ledger {
                ledger.enter(&step);
                self.ledger_linear.see(ledger.mismatch.linear.norm(), at);
                self.ledger_angular.see(ledger.mismatch.angular.norm(), at);
            }
        }
        if let Some(n) = change {
            let jump = body_jump(model, &self.info.changed[n], q_end, v_end, next);
            let models = [model, &self.info.changed[n]];
            let state = (next.frame.q, next.frame.v);
            self.declared.change(
                models,
                &self.info.meta.body_changes[n],
                state,
                (next.step, next.frame.time),
            );
            self.changes.see(jump, (next.step, next.frame.time));
            let model = &self.info.changed[n];
            self.weight = weight(model);
            self.motion = Motion::new(model);
            self.contacts.body_changed(model);
            self.joints.body_changed(model);
            if let Some(ledger) = &mut self.ledger {
                ledger.body_changed(model);
            }
        }
    }

    /// The report, after the last row.
    pub fn finish(self) -> AuditReport {
        let bounds = self.bounds();
        let mut findings = Vec::new();
        if self.info.meta.kinematic {
            return self.refused();
        }
        let missing = Worst { value: 2_usize.saturating_sub(self.rows) as f64, at: Some((0, 0.0)) };
        findings.push(missing.judged("rows", "missing", 0.0));
        let (count, first, array) = self.broken;
        let nothing = Worst { value: count as f64, at: first.at.or(Some((0, 0.0))) };
        let mut finite = nothing.judged("finite numbers", "not finite", 0.0);
        if count > 0 {
            finite = finite.note(format!("first in `{array}`"));
        }
        findings.push(finite);
        findings.push(self.times.judged("regular times", "steps", bounds.time));
        findings.push(match self.units.at {
            Some(_) => self.units.judged("unit quaternions", "", bounds.unit),
            None => Finding::skipped("unit quaternions", "there are none"),
        });
        findings.push(self.root.judged("equation of motion, root", "of weight", bounds.equation));
        findings.push(self.joint_rows.judged("equation of motion, joints", "of weight·m", bounds.equation));
        findings.push(self.jump.judged("positions follow velocities", "m, rad", bounds.position));
        findings.extend(self.contacts.findings(&bounds));
        findings.extend(self.joints.findings(&bounds));
        findings.push(match self.root_held.at {
            Some(_) => self.root_held.judged("nothing holds the root", "of weight", bounds.force),
            None => Finding::skipped("nothing holds the root", "no joint is free"),
        });
        findings.extend(self.ledger_findings(&bounds));
        if !self.info.meta.body_changes.is_empty() {
            let changed = self.changes.judged("body changes keep momentum", "m/s, m²/s", bounds.change);
            findings.push(match moves_freely(&self.info.model) {
                true => changed,
                false => Finding { bound: None, verdict: Verdict::Measured, ..changed }.note(HELD),
            });
        }
        let step = Worst { value: self.info.meta.dt, at: Some((0, 0.0)) };
        findings.push(step.judged("time step", "s", bounds.step));
        let (impulse, peak) = self.outside;
        let outside = Worst { value: impulse, ..peak }.measured("outside impulse", "N·s");
        findings.push(outside.note(format!("at most {:.3} N at once", peak.value)));
        findings.extend(self.declared.findings(&self.info));
        AuditReport {
            character: self.info.model.name().to_owned(),
            mass: self.info.model.mass(),
            rows: self.rows,
            steps_checked: self.checked,
            seconds: self.duration,
            holds: findings.iter().all(|f| f.verdict != Verdict::Fails),
            findings,
        }
    }

    /// The report on a recording in which nothing was simulated.
    fn refused(self) -> AuditReport {
        let rows = Worst { value: self.rows as f64, at: Some((0, 0.0)) };
        let why = "the recording declares itself kinematic: it holds a motion without forces, so its physics cannot be verified";
        AuditReport {
            character: self.info.model.name().to_owned(),
            mass: self.info.model.mass(),
            rows: self.rows,
            steps_checked: 0,
            seconds: self.duration,
            holds: false,
            findings: vec![rows.judged("simulated", "rows are not", 0.0).note(why)],
        }
    }

    /// The bounds, with the declared speed of joints, wider for integrators whose steps have no simple equation and for soft limits.
    fn bounds(&self) -> Bounds {
        let mut bounds = self.options.bounds;
        // a declared brake on slow joints could hold any pose
        bounds.joint_speed = self.info.meta.joint_speed.unwrap_or(bounds.joint_speed).max(LEAST_BRAKED);
        if self.info.meta.integrator.is_runge_kutta() {
            bounds.equation = bounds.second_order;
            bounds.constraint = bounds.second_order;
            bounds.position = 2.0 * bounds.second_order * self.duration.max(1.0);
            bounds.ledger = bounds.mean_ledger;
        }
        if soft(&self.info.meta) {
            bounds.turning *= bounds.soft_limits;
            bounds.sliding *= bounds.soft_limits;
            bounds.penetration = bounds.penetration.max(bounds.soft_ground);
        }
        bounds
    }

    fn ledger_findings(&self, bounds: &Bounds) -> [Finding; 2] {
        let names = ["linear momentum ledger", "angular momentum ledger"];
        let Some(ledger) = &self.ledger else {
            let why = if moves_freely(&self.info.model) { "every step is needed" } else { HELD };
            return names.map(|name| Finding::skipped(name, why));
        };
        let scale = self.weight * self.duration;
        let (linear, angular) = ledger.drift();
        let of = |worst: &Worst, name, unit, drift: f64, drift_unit: &str| {
            let share = Worst { value: worst.value / scale, ..*worst };
            let note = format!("the integrator adds {drift:.1e} {drift_unit}");
            share.judged(name, unit, bounds.ledger).note(note)
        };
        [
            of(&self.ledger_linear, names[0], "of weight·s", linear, "N·s"),
            of(&self.ledger_angular, names[1], "of weight·m·s", angular, "N·m·s"),
        ]
    }
}

/// Why there is no ledger.
const HELD: &str = "all of the character is held by the world";
/// Speed of a joint, rad/s or m/s, below which no declared brake counts.
const LEAST_BRAKED: f64 = 50.0;

/// Whether contacts and limits are springs.
fn soft(meta: &Meta) -> bool {
    meta.contact_model.starts_with("penalty")
}

/// Jump of momentum, over the mass, when a body changes; a joint that moves of itself counts as well.
fn body_jump(old: &Model, new: &Model, q: &[f64], v: &[f64], next: &Row<'_>) -> f64 {
    let before = momentum(old, &mut Data::new(old), q, v);
    let after = momentum(new, &mut Data::new(new), next.frame.q, next.frame.v);
    let of_momentum = (after.linear - before.linear).norm().max((after.angular - before.angular).norm());
    let mut of_joints: f64 = 0.0;
    for joint in old.joints().iter().filter(|j| j.kind != JointKind::Free) {
        for k in joint.q..joint.q + joint.kind.nq() {
            of_joints = of_joints.max((next.frame.q[k] - q[k]).abs());
        }
    }
    (of_momentum / old.mass().min(new.mass())).max(of_joints)
}

/// The array with numbers that are not finite, and how many there are in the row.
fn fault(row: &Row<'_>) -> Option<(&'static str, usize)> {
    let f = &row.frame;
    let contact = |c: &ContactForce| {
        let vectors = [c.point, c.force, c.normal];
        let numbers = vectors.iter().flat_map(|v| v.iter()).chain([&c.distance, &c.friction]);
        numbers.filter(|x| !x.is_finite()).count()
    };
    let outside = |o: &OutsideForce| o.point.iter().chain(o.force.iter()).filter(|x| !x.is_finite()).count();
    let bad = |x: &[f64]| x.iter().filter(|x| !x.is_finite()).count();
    let counts = [
        ("time", bad(&[f.time])),
        ("q", bad(f.q)),
        ("v", bad(f.v)),
        ("tau", bad(f.tau)),
        ("constraint", bad(f.constraint)),
        ("contact_…", f.contacts.iter().map(contact).sum()),
        ("external_…", f.outside.iter().map(outside).sum()),
        ("object_pose", bad(row.objects.as_flattened())),
    ];
    let first = counts.iter().find(|(_, n)| *n > 0)?.0;
    Some((first, counts.iter().map(|(_, n)| n).sum()))
}

impl Held {
    fn copy(&mut self, row: &Row<'_>, finite: bool) {
        fn put<T: Copy>(to: &mut Vec<T>, from: &[T]) {
            to.clear();
            to.extend_from_slice(from);
        }
        let f = &row.frame;
        (self.step, self.finite, self.time) = (row.step, finite, f.time);
        for (to, from) in [
            (&mut self.q, f.q),
            (&mut self.v, f.v),
            (&mut self.tau, f.tau),
            (&mut self.constraint, f.constraint),
        ] {
            put(to, from);
        }
        put(&mut self.contacts, f.contacts);
        put(&mut self.outside, f.outside);
        core::mem::swap(&mut self.objects_before, &mut self.objects);
        put(&mut self.objects, row.objects);
    }

    fn frame(&self) -> StepFrame<'_> {
        StepFrame {
            time: self.time,
            q: &self.q,
            v: &self.v,
            tau: &self.tau,
            constraint: &self.constraint,
            contacts: &self.contacts,
            outside: &self.outside,
        }
    }
}
