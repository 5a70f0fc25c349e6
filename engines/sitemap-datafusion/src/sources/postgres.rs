//! What a PostgreSQL server answers to a query, as a table.

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

/// Makes a table of `CREATE EXTERNAL TABLE … STORED AS POSTGRES LOCATION 'postgres://…' OPTIONS (query '…')`.
///
/// The location is the server's address as libpq takes it; a password that it lacks is that of `PGPASSWORD`.
/// A connection is encrypted where the server can, and must be with `?sslmode=require`. An encrypted one fails
/// unless the system trusts the server's certificate; with `?sslmode=disable` there is none.
///
/// Only the columns that a statement needs are asked for, and rows come as they are read. Numbers
/// arrive as `BIGINT` and `DOUBLE`, dates and timestamps as such, in UTC, all else as text. Conditions are
/// best put into the query, where the server has its indexes: those of DataFusion's own statement are
/// applied to the rows that it answers.
#[derive(Debug)]
pub struct PostgresTableFactory;

#[async_trait]
impl TableProviderFactory for PostgresTableFactory {
    async fn create(&self, _: &dyn Session, command: &CreateExternalTable) -> Result<Arc<dyn TableProvider>> {
        if !command.schema.fields().is_empty() {
            return plan_err!("the columns are those of the query; leave them out of the statement");
        }
        let mut query = None;
        for (key, value) in &command.options {
            match key.strip_prefix("format.").unwrap_or(key) {
                "query" => query = Some(value.trim().trim_end_matches(';').to_owned()),
                other => return plan_err!("a table of PostgreSQL has the option `query`, found {other:?}"),
            }
        }
        let query = query.ok_or_else(|| {
            plan_datafusion_err!(
                "a table of PostgreSQL needs the option `query`, as in `OPTIONS (query 'SELECT id, changed FROM posts')`"
            )
        })?;
        let [location] = &command.locations[..] else {
            return plan_err!("a table of PostgreSQL has one location, found {}", command.locations.len());
        };
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
                    "each column of a query needs a name of its own, found {:?} twice",
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

/// Where the server is.
#[derive(Clone)]
struct Server(Config);

impl fmt::Debug for Server {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Server").field(&self.0.get_hosts()).field(&self.0.get_dbname()).finish()
    }
}

impl Server {
    fn new(location: &str) -> Result<Self> {
        let mut config: Config = location.parse().map_err(|_| {
            plan_datafusion_err!(
                "the location of a table of PostgreSQL is an address as `postgres://user@host:5432/database`"
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
        // Without any, encrypted connections fail, and say why.
        let _ = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| DataFusionError::External(Box::new(error)))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let (client, connection) = self.0.connect(MakeRustlsConnect::new(tls)).await.map_err(failed)?;
        // It ends with the client, which is told of every error.
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

/// A column, as it is asked for.
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

    /// What asks for it as one of few types.
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

/// One query of some columns.
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
        // The query may end in a comment.
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
            // The client must live as long as its rows.
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
    // Without columns, rows still count.
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), arrays, &options)?)
}
