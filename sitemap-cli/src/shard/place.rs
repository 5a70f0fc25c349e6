//! Where shards are put: a folder or a bucket.

use sitemap_core::{Directory, Error, PublisherBuilder, ShardCommit, ShardWriter, Summary};
#[cfg(feature = "object-store")]
use sitemap_object_store::ObjectStorage;

use crate::args::ShardWriteArgs;
#[cfg(not(feature = "object-store"))]
use crate::build::out::no_buckets;
use crate::build::{failed, out::bucket_url};
use crate::error::Outcome;

pub(super) enum Place {
    Folder(Directory),
    #[cfg(feature = "object-store")]
    Bucket(ObjectStorage),
}

impl Place {
    pub(super) fn open(out: &str) -> Outcome<Self> {
        match bucket_url(out.as_ref())? {
            None => Directory::open(out).map(Self::Folder).map_err(|error| failed(&error)),
            #[cfg(feature = "object-store")]
            Some(url) => ObjectStorage::open(url).map(Self::Bucket).map_err(|error| failed(&error)),
            #[cfg(not(feature = "object-store"))]
            Some(url) => Err(no_buckets(url)),
        }
    }

    pub(super) fn write_shards(
        self,
        builder: PublisherBuilder,
        args: &ShardWriteArgs,
    ) -> Result<ShardWriter, Error> {
        match self {
            Self::Folder(folder) => builder.write_shards(folder, &args.section, args.buckets),
            #[cfg(feature = "object-store")]
            Self::Bucket(bucket) => builder.write_shards(bucket, &args.section, args.buckets),
        }
    }

    pub(super) fn publish(self, commit: ShardCommit) -> Result<Summary, Error> {
        match self {
            Self::Folder(folder) => commit.publish(folder),
            #[cfg(feature = "object-store")]
            Self::Bucket(bucket) => commit.publish(bucket),
        }
    }
}
