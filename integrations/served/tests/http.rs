//! Tests the examples over HTTP.

macro_rules! cases {
    ($($example:ident)*) => {
        $(
            mod $example {
                served::cases!(stringify!($example));
                // Rocket and actix-web do not support some of these.
                served::cases!(stringify!($example),
                    a_connection_that_sends_its_headers_slowly_is_closed
                    a_connection_that_sends_nothing_is_closed
                    a_connection_that_only_begins_http2_is_closed
                    a_client_that_begins_with_http2_gets_it
                );
            }
        )*
    };
}

cases! { axum leptos loco }
