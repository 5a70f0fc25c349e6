//! Shared code of the examples' tests: runs a program, compares its published set, and sends requests to a server.

mod http;
mod publish;
mod server;
mod shop;
mod valid;

pub use self::shop::expect_the_shop;
pub use http::{Connection, Response};
pub use publish::{Run, postgres_url, publish};
pub use server::Server;
pub use valid::expect_valid;
