//! Tests of the dynamics: identities, closed forms and numbers of other libraries.

mod identities;
mod reference;
mod support;
mod urdf;
