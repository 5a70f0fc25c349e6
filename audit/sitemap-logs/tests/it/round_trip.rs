//! Tests that a request printed in a server's format is read back with the same values.

use proptest::prelude::*;
use sitemap_logs::{LogFormat, LogRequest};

use crate::print::{HOST, Printed, requests};
use crate::with_one;

/// A value that a format doesn't contain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lack {
    Micros,
    Host,
    Scheme,
    Referer,
}

fn assert_same(printed: &Printed, request: &LogRequest<'_>, lacks: &[Lack]) {
    let has = |value| !lacks.contains(&value);
    assert_eq!(
        request.time,
        printed.seconds * 1_000_000 + if has(Lack::Micros) { printed.micros } else { 0 }
    );
    assert_eq!(request.ip, Some(printed.ip));
    assert_eq!(request.method, printed.method);
    assert_eq!(request.target, printed.target());
    assert_eq!(request.host.as_deref(), has(Lack::Host).then_some(HOST));
    assert_eq!(request.scheme, has(Lack::Scheme).then_some("https"));
    assert_eq!(request.status, Some(printed.status));
    assert_eq!(request.bytes, Some(printed.bytes));
    assert_eq!(request.agent, printed.agent.as_deref().map(Into::into));
    assert_eq!(request.referer, printed.referer.as_deref().filter(|_| has(Lack::Referer)).map(Into::into));
}

proptest! {
    #[test]
    fn nginx(printed in requests()) {
        let lacks = [Lack::Micros, Lack::Host, Lack::Scheme];
        with_one(LogFormat::Combined, &printed.nginx(), |request| assert_same(&printed, &request, &lacks));
    }

    #[test]
    fn apache(printed in requests()) {
        let lacks = [Lack::Micros, Lack::Scheme];
        with_one(LogFormat::Combined, &printed.apache(), |request| assert_same(&printed, &request, &lacks));
    }

    #[test]
    fn alb(printed in requests()) {
        let lacks = [Lack::Referer];
        with_one(LogFormat::Alb, &printed.alb(), |request| assert_same(&printed, &request, &lacks));
    }

    #[test]
    fn cloudfront(printed in requests()) {
        let lacks = [Lack::Micros];
        with_one(LogFormat::CloudFront, &printed.cloudfront(), |request| assert_same(&printed, &request, &lacks));
    }

    #[test]
    fn nginx_json(printed in requests()) {
        with_one(LogFormat::Json, &printed.nginx_json(), |request| assert_same(&printed, &request, &[]));
    }

    #[test]
    fn caddy(printed in requests()) {
        // Before 1973, the magnitude of a number doesn't distinguish nanoseconds from smaller units.
        prop_assume!(printed.seconds > 100_000_000);
        with_one(LogFormat::Json, &printed.caddy(), |request| assert_same(&printed, &request, &[]));
    }

    #[test]
    fn the_format_is_detected(printed in requests()) {
        for (line, format) in [
            (printed.nginx(), LogFormat::Combined),
            (printed.apache(), LogFormat::Combined),
            (printed.alb(), LogFormat::Alb),
            (printed.cloudfront(), LogFormat::CloudFront),
            (printed.caddy(), LogFormat::Json),
        ] {
            prop_assert_eq!(LogFormat::detect(line.as_bytes()), Some(format), "{}", line);
        }
    }
}
