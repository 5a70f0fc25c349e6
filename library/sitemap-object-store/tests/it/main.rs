//! Tests that publish sets to memory, to a directory and, if `SITEMAP_TEST_S3` names a bucket on an S3 server, to that
//! bucket. `dev/ci/with-s3` starts a server and sets the variable.

mod hostile;
mod kill;
mod publish;
mod s3;
mod storage;
mod support;
