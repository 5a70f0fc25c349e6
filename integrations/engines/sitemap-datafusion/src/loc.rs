//! The SQL function `sitemap_loc(base, loc)`, and the functions that `COPY` uses for the URLs of its rows.

use std::sync::Arc;

use datafusion::arrow::array::{Array as _, ArrayRef, StringArray, StringBuilder, UInt32Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{exec_err, plan_err};
use datafusion::error::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, TypeSignature, Volatility,
};
use datafusion::scalar::ScalarValue;
use sitemap_core::Site;
use sitemap_core::publish::shards::bucket_of;

use crate::text::Text;

/// Returns the SQL function `sitemap_loc(base, loc)`, which returns the URL of a page as a sitemap lists it.
///
/// `loc` is a URL, or a path on the site `base`. The result is absolute and normalised: `/ä` and `/%C3%A4` have the
/// same URL. If `loc` is `NULL` or not a URL, the result is `NULL`. Use the function to compare a table's pages with
/// those of a published set.
///
/// ```
/// use datafusion::prelude::SessionContext;
///
/// # tokio::runtime::Builder::new_multi_thread().build().unwrap().block_on(async {
/// let session = SessionContext::new();
/// sitemap_datafusion::register(&session)?;
/// let row = session.sql("SELECT sitemap_loc('https://www.example.com', '/tea für zwei') AS loc").await?;
/// assert_eq!(
///     row.to_string().await?,
///     "+-----------------------------------------------+\n\
///      | loc                                           |\n\
///      +-----------------------------------------------+\n\
///      | https://www.example.com/tea%20f%C3%BCr%20zwei |\n\
///      +-----------------------------------------------+"
/// );
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// # }).unwrap();
/// ```
#[must_use]
pub fn sitemap_loc() -> ScalarUDF {
    ScalarUDF::new_from_impl(LocFunction::new("sitemap_loc", false))
}

/// Returns a function like [`sitemap_loc`] that returns text that is not a URL unchanged, so that the error of such a
/// row contains the text.
pub(crate) fn loc_or_text() -> ScalarUDF {
    ScalarUDF::new_from_impl(LocFunction::new("sitemap_loc_or_text", true))
}

/// Returns the function that computes the hash bucket of a URL. For `NULL`, it is 0, so that the row reaches a task
/// that reports the missing URL.
pub(crate) fn bucket() -> ScalarUDF {
    ScalarUDF::new_from_impl(BucketFunction {
        signature: Signature::exact(vec![DataType::Utf8, DataType::UInt32], Volatility::Immutable),
    })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct LocFunction {
    name: &'static str,
    keeps_text: bool,
    signature: Signature,
}

impl LocFunction {
    fn new(name: &'static str, keeps_text: bool) -> Self {
        let texts = [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View];
        let pair = |base: &DataType| texts.clone().map(|loc| TypeSignature::Exact(vec![base.clone(), loc]));
        let forms = texts.iter().flat_map(pair).collect();
        Self { name, keeps_text, signature: Signature::one_of(forms, Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for LocFunction {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Utf8)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [ColumnarValue::Scalar(base), loc] = &args.args[..] else {
            return exec_err!(
                "the first argument of `sitemap_loc` is not a constant; pass the same base URL for all rows"
            );
        };
        let Some(base) = base.try_as_str().flatten() else {
            return exec_err!(
                "the base URL of `sitemap_loc` is NULL; write `sitemap_loc('https://www.example.com', loc)`"
            );
        };
        let site = match Site::new(base) {
            Ok(site) => site,
            Err(error) => return plan_err!("the base URL of `sitemap_loc`: {error}"),
        };
        let texts = Text::new(&loc.to_array(args.number_rows)?)?;
        let mut urls = StringBuilder::new();
        for row in 0..args.number_rows {
            let Some(text) = texts.get(row) else {
                urls.append_null();
                continue;
            };
            match site.resolve(text) {
                Ok(url) => urls.append_value(url.as_str()),
                Err(_) if self.keeps_text => urls.append_value(text),
                Err(_) => urls.append_null(),
            }
        }
        returned(loc, Arc::new(urls.finish()))
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct BucketFunction {
    signature: Signature,
}

impl ScalarUDFImpl for BucketFunction {
    fn name(&self) -> &'static str {
        "sitemap_bucket"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::UInt32)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [loc, ColumnarValue::Scalar(ScalarValue::UInt32(Some(buckets)))] = &args.args[..] else {
            return exec_err!("the number of buckets is not a constant");
        };
        let urls = loc.to_array(args.number_rows)?;
        let urls = urls.as_any().downcast_ref::<StringArray>();
        let bucket = |row| {
            urls.filter(|urls| urls.is_valid(row)).map_or(0, |urls| bucket_of(urls.value(row), *buckets))
        };
        let buckets: UInt32Array = (0..args.number_rows).map(|row| Some(bucket(row))).collect();
        returned(loc, Arc::new(buckets))
    }
}

/// Returns a single value if the argument was a single value.
fn returned(argument: &ColumnarValue, result: ArrayRef) -> Result<ColumnarValue> {
    Ok(match argument {
        ColumnarValue::Array(_) => ColumnarValue::Array(result),
        ColumnarValue::Scalar(_) if result.is_empty() => {
            ColumnarValue::Scalar(ScalarValue::try_from(result.data_type())?)
        }
        ColumnarValue::Scalar(_) => ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?),
    })
}
