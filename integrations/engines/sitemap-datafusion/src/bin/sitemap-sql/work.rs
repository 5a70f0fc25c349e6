//! Runs tasks of statements from other machines.

use datafusion::error::Result;

use crate::arguments::Work;
use crate::signal::Ended;

#[cfg(feature = "distributed")]
pub(crate) fn work(arguments: Work) -> Result<(), Ended> {
    let worker = Worker::new(arguments)?;
    // Dropping the worker deletes its spilled rows. By then, the runtime has ended all tasks.
    crate::signal::until_signal(worker.run())
}

#[cfg(feature = "distributed")]
struct Worker {
    worker: sitemap_datafusion::distributed::Worker,
    listener: std::net::TcpListener,
}

#[cfg(feature = "distributed")]
impl Worker {
    fn new(arguments: Work) -> Result<Self> {
        use std::io;
        use std::net::TcpListener;

        use crate::run::{cores, memory};

        let Work { listen, memory: given, spill } = arguments;
        let worker = sitemap_datafusion::distributed::Worker::new(memory(given, cores()), spill)?;
        let listener = TcpListener::bind(&listen)
            .map_err(|error| io::Error::new(error.kind(), format!("cannot listen on `{listen}`: {error}")))?;
        Ok(Self { worker, listener })
    }

    async fn run(&self) -> Result<()> {
        let listener = self.listener.try_clone()?;
        eprintln!("worker: listens on {}", listener.local_addr()?);
        self.worker.serve(listener, std::future::pending()).await
    }
}

#[cfg(not(feature = "distributed"))]
pub(crate) fn work(_: Work) -> Result<(), Ended> {
    Err(datafusion::common::plan_datafusion_err!(
        "a worker needs the feature `distributed`; build `sitemap-sql` with it"
    )
    .into())
}
