//! Tests of controllers.
