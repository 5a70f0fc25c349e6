//! The SQL functions `verified_bot(ip, agent)` and `is_verified_bot(ip, agent)`.

use std::hash::{Hash, Hasher};
use std::net::IpAddr;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BooleanArray, StringArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::exec_err;
use datafusion::error::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use datafusion::prelude::SessionContext;
use sitemap_logs::Crawlers;

use crate::text::Text;

/// Gives a session the published address ranges of crawlers, for these functions:
///
/// | function | returns |
/// |---|---|
/// | `verified_bot(ip, agent)` | the name of the crawler, such as `Googlebot`; `NULL` if the request is not from a known crawler, or from an address that its operator has not published |
/// | `is_verified_bot(ip, agent)` | `true` or `false` |
///
/// Without ranges, the functions are errors.
///
/// ```
/// use sitemap_datafusion::register_crawlers;
/// use sitemap_logs::Crawlers;
///
/// # tokio::runtime::Builder::new_multi_thread().build().unwrap().block_on(async {
/// let google = r#"{"prefixes": [{"ipv4Prefix": "66.249.64.0/27"}]}"#;
/// let session = sitemap_datafusion::session(1 << 28, None)?;
/// register_crawlers(&session, Crawlers::builder().google(google).unwrap().build());
///
/// let requests = "(VALUES ('66.249.64.5', 'Googlebot/2.1'), ('203.0.113.9', 'Googlebot/2.1')) AS requests (ip, agent)";
/// let found = session.sql(&format!("SELECT ip, verified_bot(ip, agent) AS bot FROM {requests}")).await?;
/// assert_eq!(
///     found.to_string().await?,
///     "+-------------+-----------+\n\
///      | ip          | bot       |\n\
///      +-------------+-----------+\n\
///      | 66.249.64.5 | Googlebot |\n\
///      | 203.0.113.9 |           |\n\
///      +-------------+-----------+"
/// );
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// # }).unwrap();
/// ```
pub fn register_crawlers(session: &SessionContext, crawlers: Crawlers) {
    let crawlers = Arc::new(crawlers);
    for returns in [Returns::Name, Returns::Flag] {
        session.register_udf(function(Arc::clone(&crawlers), returns));
    }
}

/// Returns the functions of a session without ranges, which only fail.
pub(crate) fn unknown_crawlers() -> [ScalarUDF; 2] {
    let crawlers = Arc::new(Crawlers::builder().build());
    [Returns::Name, Returns::Flag].map(|returns| function(Arc::clone(&crawlers), returns))
}

/// Returns `true` for a function that depends on address ranges.
pub(crate) fn has_ranges(function: &ScalarUDF) -> bool {
    function.inner().downcast_ref::<CrawlerFunction>().is_some_and(|function| !function.crawlers.is_empty())
}

fn function(crawlers: Arc<Crawlers>, returns: Returns) -> ScalarUDF {
    let signature = Signature::string(2, Volatility::Immutable);
    ScalarUDF::from(CrawlerFunction { crawlers, returns, signature })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Returns {
    Name,
    Flag,
}

#[derive(Debug)]
struct CrawlerFunction {
    crawlers: Arc<Crawlers>,
    returns: Returns,
    signature: Signature,
}

impl PartialEq for CrawlerFunction {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.crawlers, &other.crawlers) && self.returns == other.returns
    }
}

impl Eq for CrawlerFunction {}

impl Hash for CrawlerFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.crawlers).hash(state);
        self.returns.hash(state);
    }
}

impl ScalarUDFImpl for CrawlerFunction {
    fn name(&self) -> &'static str {
        match self.returns {
            Returns::Name => "verified_bot",
            Returns::Flag => "is_verified_bot",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(match self.returns {
            Returns::Name => DataType::Utf8,
            Returns::Flag => DataType::Boolean,
        })
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        if self.crawlers.is_empty() {
            return exec_err!(
                "no address ranges of crawlers are known; download them from their operators, and give them to \
                 `sitemap-sql --crawler-ranges google=FILE` or `register_crawlers`"
            );
        }
        let [ips, agents] = &args.args[..] else {
            return exec_err!("`{}` has {} arguments; pass `ip` and `agent`", self.name(), args.args.len());
        };
        let [ips, agents] = [ips, agents].map(|column| Text::new(&column.to_array(args.number_rows)?));
        let (ips, agents) = (ips?, agents?);
        let names = (0..args.number_rows).map(|row| {
            let ip: IpAddr = ips.get(row)?.parse().ok()?;
            self.crawlers.verify(ip, agents.get(row)?)
        });
        Ok(ColumnarValue::Array(match self.returns {
            Returns::Name => Arc::new(names.collect::<StringArray>()) as ArrayRef,
            Returns::Flag => Arc::new(names.map(|name| Some(name.is_some())).collect::<BooleanArray>()),
        }))
    }
}
