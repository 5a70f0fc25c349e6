//! Tests with sets in memory and in a directory. If `SITEMAP_TEST_S3` names a bucket of an S3 server, the tests also
//! use this bucket; `dev/ci/with-s3` starts a server and sets the variable.

mod hostile;
mod kill;
mod publish;
mod s3;
mod storage;
mod support;
