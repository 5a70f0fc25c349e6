//! Mirrors tables of a real server. `DATABASE_URL` names a server on which the role may create databases, as
//! `dev/ci/with-postgres` starts it.

mod guide;
mod outbox;
mod poll;
mod setup;
mod slot;
mod support;
