//! Tests of controllers: exact answers first, then that it stands, walks, jumps.
mod features;
mod whole_body;
