//! Tests of the dynamics: identities, closed forms and numbers of other libraries.

mod allocation;
mod identities;
mod laws;
mod reference;
mod support;
mod urdf;
