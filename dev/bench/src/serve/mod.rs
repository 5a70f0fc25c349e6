//! Serves a set over HTTP with this project and with tower-http's `ServeDir`, and measures both under the same load.

pub mod client;
pub mod load;
pub mod run;
pub mod server;
pub mod slowest;
