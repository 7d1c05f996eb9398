//! Tests of the lab: what is refused and how, that runs stand the audit, that pushes are measured honestly, and that results are kept.
mod bodies;
mod changes;
mod gallery;
mod others;
mod own_controller;
mod prepared;
mod push;
mod random;
mod registry;
mod results;
mod run;
mod scenario;
mod tune;
mod walking;
mod written;
