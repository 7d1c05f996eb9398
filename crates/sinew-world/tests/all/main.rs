//! Tests of the world: closed forms, conservation laws, honesty.

mod physics;
mod support;
