# The command on an empty image: docker build -t sitemap . && docker run --rm -v "$PWD:/site" sitemap check /site
FROM rust:1-alpine AS build
RUN apk add --no-cache ca-certificates musl-dev
WORKDIR /source
COPY . .
RUN cargo rustc --locked --profile dist -p sitemap-cli --bin sitemap -- -Clink-arg=-Wl,-T,/source/sitemap-cli/no-unwind-tables.ld

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /source/target/dist/sitemap /sitemap
ENV TMPDIR=/
ENTRYPOINT ["/sitemap"]
