//! Connections to workers that detect when the other side stops responding.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::exec_err;
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion_distributed::grpc::{BoxCloneSyncChannel, create_worker_client};
use datafusion_distributed::{
    ChannelResolver, CoordinatorToWorkerMsg, ExecuteTaskRequest, GetWorkerInfoRequest, GetWorkerInfoResponse,
    SetPlanRequest, WorkerChannel, WorkerToCoordinatorMsg,
};
use futures::StreamExt as _;
use futures::stream::BoxStream;
use http::HeaderMap;
use tonic::transport::{Channel, Endpoint};
use url::Url;

use super::lost::{convert, lost, shown};

/// How long to wait for a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// The time between two pings on a connection, and how long to wait for the reply. Both sides send pings, so each
/// notices within 30 seconds when the other has stopped.
pub(super) const PING: Duration = Duration::from_secs(10);
pub(super) const PONG: Duration = Duration::from_secs(20);

/// A process's connections to workers. A broken connection is reopened by the next request.
#[derive(Clone, Default)]
pub(super) struct Channels(Arc<Mutex<HashMap<Url, Channel>>>);

impl Channels {
    fn get(&self, url: &Url) -> Result<Channel> {
        let mut channels = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(channel) = channels.get(url) {
            return Ok(channel.clone());
        }
        let endpoint = match Endpoint::from_shared(url.to_string()) {
            Ok(endpoint) => endpoint
                .connect_timeout(CONNECT)
                .tcp_nodelay(true)
                .http2_keep_alive_interval(PING)
                .keep_alive_timeout(PONG)
                .keep_alive_while_idle(true)
                .http2_adaptive_window(true),
            Err(error) => return exec_err!("`{}` is not the URL of a worker: {error}", shown(url)),
        };
        let channel = endpoint.connect_lazy();
        channels.insert(url.clone(), channel.clone());
        Ok(channel)
    }

    /// Returns the version of a worker.
    pub(super) async fn version(&self, url: &Url) -> Result<String> {
        let mut client = self.get_worker_client_for_url(url).await?;
        match tokio::time::timeout(2 * CONNECT, client.get_worker_info(GetWorkerInfoRequest {})).await {
            Ok(answer) => Ok(answer?.version),
            Err(_) => Err(lost(url, format!("it does not answer within {} seconds", 2 * CONNECT.as_secs()))),
        }
    }
}

#[async_trait]
impl ChannelResolver for Channels {
    async fn get_worker_client_for_url(&self, url: &Url) -> Result<Box<dyn WorkerChannel>> {
        let channel = BoxCloneSyncChannel::new(self.get(url)?);
        Ok(Box::new(Named { url: url.clone(), to: create_worker_client(channel) }))
    }
}

/// A connection whose errors name the worker.
struct Named {
    url: Url,
    to: Box<dyn WorkerChannel>,
}

impl Named {
    fn named<T: 'static>(&self, stream: BoxStream<'static, Result<T>>) -> BoxStream<'static, Result<T>> {
        let url = self.url.clone();
        stream.map(move |item| item.map_err(|error| convert(&url, error))).boxed()
    }
}

#[async_trait]
impl WorkerChannel for Named {
    async fn coordinator_channel(
        &mut self,
        headers: HeaderMap,
        plan: SetPlanRequest,
        messages: BoxStream<'static, CoordinatorToWorkerMsg>,
        metrics: ExecutionPlanMetricsSet,
        context: &Arc<TaskContext>,
    ) -> Result<BoxStream<'static, Result<WorkerToCoordinatorMsg>>> {
        let answers = self.to.coordinator_channel(headers, plan, messages, metrics, context).await;
        answers.map(|answers| self.named(answers)).map_err(|error| convert(&self.url, error))
    }

    async fn execute_task(
        &mut self,
        headers: HeaderMap,
        request: ExecuteTaskRequest,
        metrics: ExecutionPlanMetricsSet,
        context: &Arc<TaskContext>,
    ) -> Result<Vec<BoxStream<'static, Result<RecordBatch>>>> {
        let streams = self.to.execute_task(headers, request, metrics, context).await;
        streams
            .map(|streams| streams.into_iter().map(|stream| self.named(stream)).collect())
            .map_err(|error| convert(&self.url, error))
    }

    async fn get_worker_info(&mut self, request: GetWorkerInfoRequest) -> Result<GetWorkerInfoResponse> {
        self.to.get_worker_info(request).await.map_err(|error| convert(&self.url, error))
    }
}
