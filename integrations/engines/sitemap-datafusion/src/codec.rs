//! Encodes plans as bytes, for engines that run them on other machines.

use std::sync::Arc;

use datafusion::common::{internal_datafusion_err, internal_err, not_impl_err};
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::ScalarUDF;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use prost::{Message, Oneof};

use crate::bucket::sitemap_bucket;
use crate::read::{ScanExec, ScanFile};
use crate::target::Target;
use crate::write::{CommitExec, Destination, UpdateExec, WriteExec};

/// A codec for this crate's plan nodes and the function [`sitemap_bucket`].
///
/// A distributed engine uses it to send plans to other machines. The codec returns an error for another crate's plan
/// node, so that a caller with several codecs can try the next one.
///
/// ```
/// use datafusion::physical_plan::collect;
/// use datafusion_proto::bytes::{
///     physical_plan_from_bytes_with_extension_codec, physical_plan_to_bytes_with_extension_codec,
/// };
/// use sitemap_datafusion::SitemapCodec;
///
/// # tokio::runtime::Builder::new_multi_thread().build().unwrap().block_on(async {
/// # let dir = tempfile::tempdir().unwrap();
/// # let file = dir.path().join("sitemap.txt");
/// # std::fs::write(&file, "https://www.example.com/\n").unwrap();
/// # let file = file.display();
/// let session = sitemap_datafusion::session(1 << 28, Some(2))?;
/// session.sql(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{file}'")).await?;
/// let plan = session.sql("SELECT loc FROM pages").await?.create_physical_plan().await?;
///
/// let bytes = physical_plan_to_bytes_with_extension_codec(plan, &SitemapCodec)?;
/// let plan = physical_plan_from_bytes_with_extension_codec(&bytes, &session.task_ctx(), &SitemapCodec)?;
/// let batches = collect(plan, session.task_ctx()).await?;
/// assert_eq!(batches[0].num_rows(), 1);
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct SitemapCodec;

#[derive(Clone, PartialEq, Message)]
struct Node {
    #[prost(oneof = "Kind", tags = "1, 2, 3, 4")]
    kind: Option<Kind>,
}

#[derive(Clone, PartialEq, Oneof)]
enum Kind {
    #[prost(message, tag = "1")]
    Write(Destination),
    #[prost(message, tag = "2")]
    Commit(Destination),
    #[prost(message, tag = "3")]
    Scan(Scan),
    #[prost(message, tag = "4")]
    Update(Destination),
}

#[derive(Clone, PartialEq, Message)]
struct Scan {
    #[prost(string, tag = "1")]
    location: String,
    #[prost(message, repeated, tag = "2")]
    partitions: Vec<Files>,
    #[prost(uint32, repeated, tag = "3")]
    projection: Vec<u32>,
    #[prost(uint64, optional, tag = "4")]
    limit: Option<u64>,
    #[prost(bool, tag = "5")]
    allow_private: bool,
}

#[derive(Clone, PartialEq, Message)]
struct Files {
    #[prost(string, repeated, tag = "1")]
    names: Vec<String>,
    /// The number of entries in each file. Empty if it is unknown for any file.
    #[prost(uint64, repeated, tag = "2")]
    urls: Vec<u64>,
}

impl Files {
    fn encoded(files: &[ScanFile]) -> Self {
        let urls = files.iter().map(|file| file.urls).collect::<Option<_>>().unwrap_or_default();
        Self { names: files.iter().map(|file| file.name.clone()).collect(), urls }
    }

    fn decoded(self) -> Vec<ScanFile> {
        let mut urls = self.urls.into_iter();
        self.names.into_iter().map(|name| ScanFile { name, urls: urls.next() }).collect()
    }
}

impl PhysicalExtensionCodec for SitemapCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        _: &TaskContext,
        _: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let unknown = || internal_datafusion_err!("the bytes are not a plan node of `sitemap-datafusion`");
        let node = Node::decode(bytes).map_err(|_| unknown())?;
        Ok(match (node.kind.ok_or_else(unknown)?, inputs) {
            (Kind::Write(to), [input]) => Arc::new(WriteExec::try_new(Arc::clone(input), to)?),
            (Kind::Commit(to), [input]) => Arc::new(CommitExec::new(Arc::clone(input), to)),
            (Kind::Update(to), [input]) => Arc::new(UpdateExec::new(Arc::clone(input), to)),
            (Kind::Scan(scan), []) => Arc::new(scan.decoded()?),
            _ => return internal_err!("a plan node of `sitemap-datafusion` has {} inputs", inputs.len()),
        })
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        _: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let kind = if let Some(write) = node.downcast_ref::<WriteExec>() {
            Kind::Write(write.destination().absolute())
        } else if let Some(commit) = node.downcast_ref::<CommitExec>() {
            Kind::Commit(commit.destination().absolute())
        } else if let Some(update) = node.downcast_ref::<UpdateExec>() {
            Kind::Update(update.destination().absolute())
        } else if let Some(scan) = node.downcast_ref::<ScanExec>() {
            Kind::Scan(Scan::encoded(scan)?)
        } else {
            return not_impl_err!("`{}` is not a plan node of `sitemap-datafusion`", node.name());
        };
        bytes.extend_from_slice(&Node { kind: Some(kind) }.encode_to_vec());
        Ok(())
    }

    /// Encodes nothing, because functions are found by name.
    fn try_encode_udf(&self, _: &ScalarUDF, _: &mut Vec<u8>) -> Result<()> {
        Ok(())
    }

    fn try_decode_udf(&self, name: &str, _: &[u8]) -> Result<Arc<ScalarUDF>> {
        let function = sitemap_bucket();
        if name == function.name() {
            Ok(Arc::new(function))
        } else {
            not_impl_err!("`{name}` is not a function of `sitemap-datafusion`")
        }
    }
}

impl Scan {
    fn encoded(scan: &ScanExec) -> Result<Self> {
        let projection =
            scan.projection().iter().map(|&column| u32::try_from(column)).collect::<Result<_, _>>();
        Ok(Self {
            location: scan.target().clone().absolute().to_string(),
            partitions: scan.files().iter().map(|files| Files::encoded(files)).collect(),
            projection: projection
                .map_err(|_| internal_datafusion_err!("the position of a column exceeds 32 bits"))?,
            limit: scan.limit().map(|limit| limit as u64),
            allow_private: scan.target().allows_private(),
        })
    }

    fn decoded(self) -> Result<ScanExec> {
        ScanExec::try_new(
            Target::new(&self.location).allow_private(self.allow_private),
            self.partitions.into_iter().map(Files::decoded).collect(),
            self.projection.into_iter().map(|column| column as usize).collect(),
            self.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
        )
    }
}
