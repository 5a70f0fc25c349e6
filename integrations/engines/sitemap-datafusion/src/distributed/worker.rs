//! A worker, which runs tasks of other machines' statements.

use std::net::TcpListener;
use std::sync::Arc;

use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_distributed::{DistributedExt as _, WorkerQueryContext};
use tempfile::TempDir;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;

use super::VERSION;
use super::channel::{Channels, PING, PONG};
use super::settings;
use crate::codec::SitemapCodec;
use crate::session::{Spill, register, runtime, set_for_memory};

/// A worker, which runs tasks of other machines' statements.
///
/// It reads the tables and writes the shards with the credentials in its own environment. Each task brings the
/// session's settings, such as the time zone.
///
/// There is no password and no encryption. Anyone who can connect to the worker's port can read and write everything
/// that the worker can, so only the session and the other workers should be able to reach it.
///
/// See [`session_with_workers`](super::session_with_workers) for an example of a whole program.
///
/// ```
/// use std::net::TcpListener;
///
/// use sitemap_datafusion::Spill;
/// use sitemap_datafusion::distributed::Worker;
///
/// # tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
/// let worker = Worker::new(256 * 1024 * 1024, Spill::default())?;
/// let ended = worker.serve(TcpListener::bind("127.0.0.1:0")?, async { println!("the end") }).await;
/// assert!(ended.is_ok());
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct Worker {
    memory: usize,
    runtime: Arc<RuntimeEnv>,
    /// The spilled rows. Some parts of a plan are only freed after the process has ended, so the whole folder is
    /// deleted.
    _folder: TempDir,
}

impl Worker {
    /// Creates a worker. `memory` is the limit for all tasks together in bytes; larger sorts spill to disk.
    ///
    /// ```
    /// use sitemap_datafusion::Spill;
    /// use sitemap_datafusion::distributed::Worker;
    ///
    /// let spill = Spill::default().folder("/no/such/folder");
    /// let error = Worker::new(256 * 1024 * 1024, spill).unwrap_err();
    /// assert!(error.to_string().contains("the folder `/no/such/folder` for spilled rows does not exist"));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the folder for spilled rows does not exist.
    pub fn new(memory: usize, spill: Spill) -> Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (spill, folder) = spill.own_folder()?;
        Ok(Self { memory, runtime: runtime(memory, cores, spill)?, _folder: folder })
    }

    /// Runs tasks until `end` is ready. Tasks that are still running then continue until the runtime shuts down.
    /// Dropping the worker deletes its spilled rows.
    ///
    /// # Errors
    ///
    /// Returns an error if the listener fails.
    pub async fn serve(&self, listener: TcpListener, end: impl Future<Output = ()> + Send) -> Result<()> {
        listener.set_nonblocking(true)?;
        let connections =
            TcpIncoming::from(tokio::net::TcpListener::from_std(listener)?).with_nodelay(Some(true));
        let memory = self.memory;
        let channels = Channels::default();
        let sessions = move |context| {
            let state = state(context, memory, channels.clone());
            async move { state }
        };
        let worker = datafusion_distributed::Worker::from_session_builder(sessions)
            .with_runtime_env(Arc::clone(&self.runtime))
            .with_version(VERSION);
        let served = Server::builder()
            .http2_keepalive_interval(Some(PING))
            .http2_keepalive_timeout(Some(PONG))
            .http2_adaptive_window(Some(true))
            .add_service(worker.into_worker_server())
            .serve_with_incoming(connections);
        tokio::select! {
            served = served => served.map_err(|error| DataFusionError::External(Box::new(error))),
            () = end => Ok(()),
        }
    }
}

/// Returns a task's session.
fn state(context: WorkerQueryContext, memory: usize, channels: Channels) -> Result<SessionState> {
    let mut builder = context.builder;
    let config = builder.config().get_or_insert_with(SessionConfig::new);
    settings::apply(config, &context.headers)?;
    set_for_memory(config, memory);
    let state =
        builder.with_distributed_user_codec(SitemapCodec).with_distributed_channel_resolver(channels).build();
    let session = SessionContext::new_with_state(state);
    register(&session)?;
    Ok(session.state())
}
