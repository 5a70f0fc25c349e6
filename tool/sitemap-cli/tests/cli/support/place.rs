//! A folder or bucket that a set is published to, for tests that kill the command.

use std::io::Read as _;
use std::process::{Child, Stdio};

use sitemap_core::{Directory, Storage};

use super::Sandbox;

/// Where a set is published, and the variables that a process needs to find it.
pub(crate) struct Place {
    pub(crate) sandbox: Sandbox,
    pub(crate) storage: Box<dyn Storage>,
    out: String,
    variables: Vec<(&'static str, String)>,
}

impl Place {
    pub(crate) fn folder() -> Self {
        let sandbox = Sandbox::new();
        let storage = Box::new(Directory::open(sandbox.path().join("out")).unwrap());
        Self { sandbox, out: "out".to_owned(), variables: Vec::new(), storage }
    }

    /// Returns a place in the bucket of the S3 test server, or `None` if there is no server.
    #[cfg(feature = "object-store")]
    pub(crate) fn bucket(name: &str) -> Option<Self> {
        let Ok(url) = std::env::var("SITEMAP_TEST_S3") else {
            super::skip("SITEMAP_TEST_S3 names no bucket; run it under `dev/ci/with-s3`");
            return None;
        };
        let (endpoint, bucket) = url.rsplit_once('/').unwrap();
        let out = format!("s3://{bucket}/{name}-{}", std::process::id());
        let variables = vec![
            ("AWS_ENDPOINT", endpoint.to_owned()),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_ACCESS_KEY_ID", "test".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "test".to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
        ];
        let options = variables.iter().map(|(name, value)| (name.to_ascii_lowercase(), value.clone()));
        let storage = Box::new(sitemap_object_store::ObjectStorage::open_with(&out, options).unwrap());
        Some(Self { sandbox: Sandbox::new(), out, variables, storage })
    }

    /// Starts a command that publishes to this place.
    pub(crate) fn start(&self, command: &str, more: &[&str]) -> Child {
        self.start_other(&[&[command, "--base", "https://example.com", "--out", &self.out], more].concat())
    }

    /// Starts any command.
    pub(crate) fn start_other(&self, args: &[&str]) -> Child {
        let mut command = self.sandbox.command(args);
        let command = command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        let opened = self.storage.open(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        { opened }.read_to_end(&mut bytes).unwrap();
        bytes
    }
}

/// A random number generator: xorshift64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from(self.0 % u64::from(limit)).unwrap()
    }
}
