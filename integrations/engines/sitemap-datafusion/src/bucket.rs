//! The SQL function `sitemap_bucket(loc, buckets)`.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{ArrayRef, UInt32Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::exec_err;
use datafusion::error::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, TypeSignature, Volatility,
};
use datafusion::scalar::ScalarValue;
use sitemap_core::publish::shards::bucket_of;

use crate::text::Text;

/// Returns the SQL function `sitemap_bucket(loc, buckets)`, which computes a URL's CRC-32 modulo the number of hash
/// buckets.
///
/// The result is the same as `crc32(loc) % buckets` in Spark. For `NULL`, it is 0, so that the row reaches a task that
/// reports the missing URL. The number of hash buckets is an `INT UNSIGNED` and must be the same for all rows.
///
/// ```
/// use datafusion::prelude::{SessionContext, lit};
/// use sitemap_datafusion::sitemap_bucket;
///
/// # tokio::runtime::Builder::new_multi_thread().build().unwrap().block_on(async {
/// let bucket = sitemap_bucket().call(vec![lit("https://www.example.com/"), lit(8_u32)]);
/// let row = SessionContext::new().read_empty()?.select(vec![bucket.alias("bucket")])?;
/// assert_eq!(
///     row.to_string().await?,
///     "+--------+\n\
///      | bucket |\n\
///      +--------+\n\
///      | 6      |\n\
///      +--------+"
/// );
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// # }).unwrap();
/// ```
#[must_use]
pub fn sitemap_bucket() -> ScalarUDF {
    static FUNCTION: LazyLock<Arc<BucketFunction>> = LazyLock::new(|| {
        let loc = [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View];
        let forms = loc.map(|loc| TypeSignature::Exact(vec![loc, DataType::UInt32]));
        Arc::new(BucketFunction { signature: Signature::one_of(forms.into(), Volatility::Immutable) })
    });

    ScalarUDF::new_from_shared_impl(Arc::clone(&*FUNCTION) as _)
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
            return exec_err!(
                "the number of buckets of `sitemap_bucket` is not a constant `INT UNSIGNED`; pass the same \
                 number for all rows"
            );
        };
        let locs = Text::new(&loc.to_array(args.number_rows)?)?;
        let bucket = |row| locs.get(row).map_or(0, |loc| bucket_of(loc, *buckets));
        let buckets: UInt32Array = (0..args.number_rows).map(|row| Some(bucket(row))).collect();
        Ok(match loc {
            ColumnarValue::Array(_) => ColumnarValue::Array(Arc::new(buckets) as ArrayRef),
            ColumnarValue::Scalar(_) if buckets.is_empty() => {
                ColumnarValue::Scalar(ScalarValue::UInt32(None))
            }
            ColumnarValue::Scalar(_) => ColumnarValue::Scalar(ScalarValue::UInt32(Some(buckets.value(0)))),
        })
    }
}
