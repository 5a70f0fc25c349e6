//! Tests that each program publishes the reference set.

use shop::drive::{postgres_url, publish};

/// Runs a program with the sample data in memory, in a file and in PostgreSQL.
macro_rules! publishes {
    ($($module:ident $program:literal $(, $server:ident)?;)*) => {
        $(
            mod $module {
                use super::*;

                const PROGRAM: &str = env!(concat!("CARGO_BIN_EXE_", $program));

                #[test]
                fn from_memory() {
                    publish(PROGRAM, None).expect_the_reference_set();
                }

                #[test]
                fn from_a_file() {
                    let dir = tempfile::tempdir().unwrap();
                    let url = format!("sqlite:{}", dir.path().join("shop.db").display());
                    publish(PROGRAM, Some(&url)).expect_the_reference_set();
                }

                $(
                    #[test]
                    #[cfg_attr(
                        not(feature = "postgres"),
                        ignore = "`with-diesel` is built without `--features postgres`"
                    )]
                    fn $server() {
                        if let Some(url) = postgres_url(stringify!($module)) {
                            publish(PROGRAM, Some(&url)).expect_the_reference_set();
                        }
                    }
                )?
            }
        )*
    };
}

publishes! {
    with_rusqlite "with-rusqlite";
    with_sqlx "with-sqlx", from_postgres;
    with_diesel "with-diesel", from_postgres;
    with_sea_orm "with-sea-orm", from_postgres;
}
