//! What the examples' tests share: running a program, comparing the set it published, asking a server.

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
