//! Options that name the storage of a set.

use std::path::PathBuf;

use clap::Args;

/// The storage of a set.
#[derive(Args, Debug)]
pub(crate) struct OutArgs {
    /// The folder to publish to, or an object store as `s3://bucket/folder`, `gs://…` or `az://…`, with
    /// credentials from the environment
    #[arg(long, value_name = "DIR|URL")]
    pub(crate) out: PathBuf,

    /// The permissions of the files in a folder, such as `644` [default: those of the replaced file; for
    /// a new file, whoever may read the folder may read the file]
    #[arg(long, value_name = "MODE", value_parser = mode)]
    pub(crate) mode: Option<u32>,
}

fn mode(text: &str) -> Result<u32, String> {
    match u32::from_str_radix(text, 8) {
        Ok(mode) if text.len() == 3 => Ok(mode),
        _ => Err("write three octal digits, like 644".to_owned()),
    }
}
