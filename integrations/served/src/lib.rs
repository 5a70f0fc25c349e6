//! Test cases for applications that serve a sitemap, shared by all frameworks. Each case starts the application as a
//! process in its own folder and talks to it over HTTP.
//!
//! The application listens on the port in the environment variable `PORT` (`ROCKET_PORT` for Rocket). Its pages are
//! `/`, `/about` and `/posts/SLUG`. A POST to `/posts/SLUG` adds a post and wakes the refreshes. Its own 404 page
//! contains "no such page".

mod cases;
mod guide;
mod process;

pub use cases::*;
pub use guide::{Guide, the_guide_has_the_code_of_the_example};
pub use process::{Process, Response};

/// Generates a test for each case. `$example` is the name of the application's example.
#[macro_export]
macro_rules! cases {
    ($example:expr, $($case:ident)*) => {
        $(
            #[test]
            fn $case() {
                $crate::$case(&mut $crate::Process::start($example));
            }
        )*
    };
    ($example:expr) => {
        $crate::cases! { $example,
            an_index_lists_children_that_list_the_pages
            head_has_the_headers_of_get
            a_client_that_has_the_file_gets_304
            a_file_is_compressed_for_clients_that_accept_gzip
            a_range_gets_206
            other_methods_are_refused_for_files_of_the_set
            robots_txt_has_the_rules_of_the_application_and_the_sitemap
            pages_and_unknown_addresses_are_left_to_the_application
            a_post_that_is_added_wakes_the_refreshes
            a_restart_keeps_the_set
            an_interrupt_stops_the_server_and_the_refreshes
            the_commands_of_the_guide_print_what_it_shows
            the_signal_of_service_managers_stops_the_server_and_the_refreshes
        }

        #[test]
        fn the_guide_has_the_code_of_the_example() {
            $crate::the_guide_has_the_code_of_the_example(env!("CARGO_MANIFEST_DIR"), $example);
        }
    };
}
