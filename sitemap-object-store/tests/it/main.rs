//! Sets in memory, in a directory, and in a bucket of an S3 server if `SITEMAP_TEST_S3` names one, as
//! `.ci/with-s3` does.

mod kill;
mod publish;
mod s3;
mod storage;
mod support;
