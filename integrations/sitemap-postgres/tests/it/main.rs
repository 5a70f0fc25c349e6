//! Mirrors tables of a real server. `DATABASE_URL` must point to a server where the role may create databases.
//! `dev/ci/with-postgres` starts one.

mod guide;
mod outbox;
mod poll;
mod setup;
mod slot;
mod support;
