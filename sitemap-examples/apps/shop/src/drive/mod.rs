//! Shared code for the examples' tests: runs a program, compares its published set, and sends requests to a server.

mod publish;
mod requests;
mod server;
mod valid;

pub use publish::{Run, postgres_url, publish};
pub use requests::expect_the_shop;
pub use server::{Client, Response, Server};
pub use valid::expect_valid;
