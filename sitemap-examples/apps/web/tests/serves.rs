//! Tests the responses of the running programs.

use shop::drive::{expect_the_shop, postgres_url};

macro_rules! serves {
    ($($module:ident $program:literal;)*) => {
        $(
            mod $module {
                use super::*;

                const PROGRAM: &str = env!(concat!("CARGO_BIN_EXE_", $program));

                #[test]
                fn from_sqlite() {
                    expect_the_shop(PROGRAM, None);
                }

                #[test]
                #[cfg_attr(
                    not(feature = "postgres"),
                    ignore = "`with-actix-web` is built without `--features postgres`"
                )]
                fn from_postgres() {
                    if let Some(url) = postgres_url(stringify!($module)) {
                        expect_the_shop(PROGRAM, Some(&url));
                    }
                }
            }
        )*
    };
}

serves! {
    with_axum "with-axum";
    with_actix_web "with-actix-web";
    with_rocket "with-rocket";
}
