//! Sets in buckets: in memory, in a directory, and on an S3 server if `SITEMAP_TEST_S3` names a bucket of one,
//! as `.ci/with-s3` does.

mod kill;
mod place;
mod publish;
mod s3;
mod storage;
