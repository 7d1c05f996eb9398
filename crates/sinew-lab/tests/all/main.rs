//! Tests of the lab: what is refused and how, that runs stand the audit, and that pushes are measured honestly.
mod push;
mod run;
mod scenario;
