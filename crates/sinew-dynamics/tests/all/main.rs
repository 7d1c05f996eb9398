//! Tests of the dynamics: identities, closed forms and numbers of other libraries.

mod reference;
mod support;
