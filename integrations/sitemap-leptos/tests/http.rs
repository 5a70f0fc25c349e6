//! Tests the example through HTTP.

served::cases!("leptos");
// Rocket has no such limits.
served::cases!("leptos":
    a_connection_that_sends_its_headers_slowly_is_closed
    a_connection_that_sends_nothing_is_closed
    a_connection_that_only_begins_http2_is_closed
    a_client_that_begins_with_http2_gets_it
);
