//! Runs tasks of statements of other machines.

use datafusion::error::Result;

use crate::arguments::Work;

#[cfg(feature = "distributed")]
pub(crate) async fn work(arguments: Work) -> Result<()> {
    use std::io;
    use std::net::TcpListener;

    use crate::run::{cores, memory};

    let memory = memory(arguments.memory, cores());
    let worker = sitemap_datafusion::distributed::Worker::new(memory, arguments.spill)?;
    let address = &arguments.listen;
    let listener = TcpListener::bind(address)
        .map_err(|error| io::Error::new(error.kind(), format!("cannot listen on `{address}`: {error}")))?;
    eprintln!("worker: listens on {}", listener.local_addr()?);
    worker.serve(listener, std::future::pending()).await
}

#[cfg(not(feature = "distributed"))]
#[expect(clippy::unused_async, reason = "the signature is that with the feature `distributed`")]
pub(crate) async fn work(_: Work) -> Result<()> {
    datafusion::common::plan_err!("a worker needs the feature `distributed`; build `sitemap-sql` with it")
}
