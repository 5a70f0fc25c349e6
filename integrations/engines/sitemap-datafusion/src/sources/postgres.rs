//! The result of a PostgreSQL query as a table.

use std::env;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, RecordBatchOptions, StringArray,
    TimestampMicrosecondArray,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::catalog::{Session, TableProvider, TableProviderFactory};
use datafusion::common::{plan_datafusion_err, plan_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{CreateExternalTable, Expr, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use futures::{StreamExt as _, TryStreamExt as _};
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::types::{FromSql, Type};
use tokio_postgres::{Client, Config, Row};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::external;

/// The factory of tables for `CREATE EXTERNAL TABLE … STORED AS POSTGRES LOCATION 'postgres://…' OPTIONS (query '…')`.
///
/// The location is a connection URL as for libpq. If the URL has no password, the factory uses `PGPASSWORD`. The
/// connection is encrypted if the server supports encryption. `?sslmode=require` makes encryption mandatory, and
/// `?sslmode=disable` turns it off. An encrypted connection fails unless the system trusts the server's certificate.
///
/// The table requests only the columns that a statement needs, and streams the rows. Numbers get the type `BIGINT` or
/// `DOUBLE`. Booleans, dates and timestamps keep their type, and timestamps are in UTC. All other values become text.
/// Put conditions into the query, where the server can use its indexes: DataFusion applies the conditions of its own
/// statement only after the server has sent the rows.
///
/// [`register`](crate::register) adds this factory to a session, which then accepts such statements:
///
/// ```
/// # tokio::runtime::Builder::new_multi_thread().build().unwrap().block_on(async {
/// let session = sitemap_datafusion::session(1 << 28, None)?;
/// let table = "CREATE EXTERNAL TABLE posts STORED AS POSTGRES LOCATION 'postgres://reader@db.example.com/shop'";
///
/// // A complete statement ends in `OPTIONS (query 'SELECT …')`.
/// let error = session.sql(table).await.unwrap_err();
/// assert!(error.to_string().contains("the option `query` is missing"));
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct PostgresTableFactory;

#[async_trait]
impl TableProviderFactory for PostgresTableFactory {
    async fn create(&self, _: &dyn Session, command: &CreateExternalTable) -> Result<Arc<dyn TableProvider>> {
        let location =
            external::location(command, "a PostgreSQL table", "the table has the columns of the query")?;
        let mut query = None;
        for (key, value) in &command.options {
            match key.strip_prefix("format.").unwrap_or(key) {
                "query" => query = Some(value.trim().trim_end_matches(';').to_owned()),
                other => {
                    return plan_err!(
                        "`{other}` is not an option of a PostgreSQL table; its only option is `query`"
                    );
                }
            }
        }
        let query = query.ok_or_else(|| {
            plan_datafusion_err!(
                "the option `query` is missing; add it, as in `OPTIONS (query 'SELECT id, changed FROM posts')`"
            )
        })?;
        Ok(Arc::new(PostgresTable::open(location, query).await?))
    }
}

#[derive(Debug)]
struct PostgresTable {
    server: Server,
    query: String,
    columns: Vec<Column>,
}

impl PostgresTable {
    async fn open(location: &str, query: String) -> Result<Self> {
        let server = Server::new(location)?;
        let client = server.connect().await?;
        let statement = client.prepare(&query).await.map_err(failed)?;
        let columns: Vec<_> =
            statement.columns().iter().map(|column| Column::new(column.name(), column.type_())).collect();
        for (at, column) in columns.iter().enumerate() {
            if columns[..at].iter().any(|other| other.name == column.name) {
                return plan_err!(
                    "the query has two columns `{}`; give each column a different name with `AS`",
                    column.name
                );
            }
        }
        Ok(Self { server, query, columns })
    }
}

#[async_trait]
impl TableProvider for PostgresTable {
    fn schema(&self) -> SchemaRef {
        schema(&self.columns)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let columns = match projection {
            Some(chosen) => chosen.iter().map(|&at| self.columns[at].clone()).collect(),
            None => self.columns.clone(),
        };
        let query = Query::new(self.server.clone(), &self.query, columns, limit);
        let schema = Arc::clone(&query.schema);
        Ok(Arc::new(StreamingTableExec::try_new(schema, vec![Arc::new(query)], None, [], false, limit)?))
    }
}

/// The connection settings of a server.
#[derive(Clone)]
struct Server(Config);

impl fmt::Debug for Server {
    /// Writes only the hosts and the database, so that logs never contain the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Server").field(&self.0.get_hosts()).field(&self.0.get_dbname()).finish()
    }
}

impl Server {
    fn new(location: &str) -> Result<Self> {
        let mut config: Config = location.parse().map_err(|_| {
            plan_datafusion_err!(
                "the location is not the URL of a PostgreSQL server; write it as `postgres://user@host:5432/database`"
            )
        })?;
        if config.get_password().is_none()
            && let Some(password) = env::var_os("PGPASSWORD")
        {
            config.password(password.into_encoded_bytes());
        }
        Ok(Self(config))
    }

    async fn connect(&self) -> Result<Client> {
        let mut roots = RootCertStore::empty();
        // If no certificates can be loaded, no error is reported here: an unencrypted connection needs no certificates,
        // and an encrypted connection reports the error itself.
        let _ = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| DataFusionError::External(Box::new(error)))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let (client, connection) = self.0.connect(MakeRustlsConnect::new(tls)).await.map_err(failed)?;
        // Nothing waits for this task: it ends when the client is dropped, and the client returns connection errors.
        tokio::spawn(connection);
        Ok(client)
    }
}

fn failed(error: tokio_postgres::Error) -> DataFusionError {
    let message = match error.as_db_error() {
        Some(error) => format!("PostgreSQL: {}", error.message()),
        None => format!("PostgreSQL: {error}"),
    };
    DataFusionError::Context(message, Box::new(DataFusionError::External(Box::new(error))))
}

/// A column of the query.
#[derive(Clone, Debug)]
struct Column {
    name: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Boolean,
    Integer,
    Float,
    Date,
    Timestamp { with_zone: bool },
    Text,
}

impl Column {
    fn new(name: &str, of: &Type) -> Self {
        let kind = match *of {
            Type::BOOL => Kind::Boolean,
            Type::INT2 | Type::INT4 | Type::INT8 | Type::OID => Kind::Integer,
            Type::FLOAT4 | Type::FLOAT8 | Type::NUMERIC => Kind::Float,
            Type::DATE => Kind::Date,
            Type::TIMESTAMP => Kind::Timestamp { with_zone: false },
            Type::TIMESTAMPTZ => Kind::Timestamp { with_zone: true },
            _ => Kind::Text,
        };
        Self { name: name.to_owned(), kind }
    }

    /// Returns the SQL expression that selects the column and converts it to the type of its [`Kind`].
    fn sql(&self) -> String {
        let name = format!("\"{}\"", self.name.replace('"', "\"\""));
        match self.kind {
            Kind::Boolean => name,
            Kind::Integer => format!("{name}::int8"),
            Kind::Float => format!("{name}::float8"),
            Kind::Date => format!("({name} - DATE '1970-01-01')::int4"),
            Kind::Timestamp { .. } => format!("(extract(epoch FROM {name}) * 1000000)::int8"),
            Kind::Text => format!("{name}::text"),
        }
    }

    fn field(&self) -> Field {
        let of = match self.kind {
            Kind::Boolean => DataType::Boolean,
            Kind::Integer => DataType::Int64,
            Kind::Float => DataType::Float64,
            Kind::Date => DataType::Date32,
            Kind::Timestamp { with_zone } => {
                DataType::Timestamp(TimeUnit::Microsecond, with_zone.then(|| "+00:00".into()))
            }
            Kind::Text => DataType::Utf8,
        };
        Field::new(&self.name, of, true)
    }

    fn array(&self, at: usize, rows: &[Row]) -> Result<ArrayRef> {
        Ok(match self.kind {
            Kind::Boolean => Arc::new(BooleanArray::from(values(at, rows)?)),
            Kind::Integer => Arc::new(Int64Array::from(values(at, rows)?)),
            Kind::Float => Arc::new(Float64Array::from(values(at, rows)?)),
            Kind::Date => Arc::new(Date32Array::from(values(at, rows)?)),
            Kind::Timestamp { with_zone } => {
                let array = TimestampMicrosecondArray::from(values(at, rows)?);
                Arc::new(if with_zone { array.with_timezone("+00:00") } else { array })
            }
            Kind::Text => Arc::new(StringArray::from(values::<&str>(at, rows)?)),
        })
    }
}

fn values<'r, T: FromSql<'r>>(at: usize, rows: &'r [Row]) -> Result<Vec<Option<T>>> {
    rows.iter().map(|row| row.try_get(at).map_err(failed)).collect()
}

fn schema(columns: &[Column]) -> SchemaRef {
    Arc::new(Schema::new(columns.iter().map(Column::field).collect::<Vec<_>>()))
}

/// A query that selects the needed columns from the user's query.
#[derive(Debug)]
struct Query {
    server: Server,
    sql: String,
    columns: Arc<[Column]>,
    schema: SchemaRef,
}

impl Query {
    fn new(server: Server, query: &str, columns: Vec<Column>, limit: Option<usize>) -> Self {
        let wanted: Vec<_> = columns.iter().map(Column::sql).collect();
        let limited = limit.map(|limit| format!(" LIMIT {limit}")).unwrap_or_default();
        // The line break is needed if the user's query ends with a `--` comment.
        let sql = format!("SELECT {} FROM ({query}\n) AS rows{limited}", wanted.join(", "));
        Self { server, sql, schema: schema(&columns), columns: columns.into() }
    }
}

impl PartitionStream for Query {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let (server, sql) = (self.server.clone(), self.sql.clone());
        let (columns, schema) = (Arc::clone(&self.columns), Arc::clone(&self.schema));
        let batch_size = context.session_config().batch_size();
        let batches = async move {
            let client = server.connect().await?;
            let rows = client.query_raw(&sql, [] as [&str; 0]).await.map_err(failed)?;
            // The closure keeps the client alive, because the rows end when the client is dropped.
            let rows = rows.map(move |row| {
                let _ = &client;
                row.map_err(failed)
            });
            let batches = rows.try_chunks(batch_size).map(move |chunk| {
                let rows = chunk.map_err(|error| error.1)?;
                batch(&schema, &columns, &rows)
            });
            Ok::<_, DataFusionError>(batches)
        };
        let schema = Arc::clone(&self.schema);
        Box::pin(RecordBatchStreamAdapter::new(schema, futures::stream::once(batches).try_flatten()))
    }
}

fn batch(schema: &SchemaRef, columns: &[Column], rows: &[Row]) -> Result<RecordBatch> {
    let arrays =
        columns.iter().enumerate().map(|(at, column)| column.array(at, rows)).collect::<Result<_>>()?;
    // The number of rows is set explicitly, because a batch for `count(*)` has no columns.
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), arrays, &options)?)
}
