"""Checks the examples for several machines, on this machine.

    SITEMAP=…/sitemap SITEMAP_SQL=…/sitemap-sql dev/ci/with-s3 python3 integrations/engines/examples/cluster/check.py

It needs the packages `pyyaml`, `kubernetes-validate` and `compose-spec`. Both files are checked against the schemas of
Kubernetes and of Compose. Then the arguments of their containers run as processes, which publish `publish.sql` from and to
an S3 server. Only addresses, folders and names of hosts and buckets are replaced.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time

import compose_spec
import kubernetes_validate
import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
SQL = os.environ["SITEMAP_SQL"]
ROWS = 100_000


def environment():
    server, _ = os.environ["SITEMAP_TEST_S3"].rsplit("/", 1)
    more = {"AWS_ENDPOINT_URL": server, "AWS_ALLOW_HTTP": "true", "AWS_REGION": "us-east-1"}
    return {**os.environ, **more, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}


def run(command, **more):
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment(), **more)
    if ran.returncode:
        sys.exit(f"{' '.join(command)} ended with status {ran.returncode}:\n{ran.stdout}\n{ran.stderr}")
    return ran


def compose():
    """Returns the arguments of the worker and of the statement."""
    with open(f"{HERE}/compose.yaml") as file:
        text = file.read()
    compose_spec.PyCompose.from_yaml(text).validate()
    services = yaml.safe_load(text)["services"]
    worker, publish = services["worker"], services["publish"]
    for service in (worker, publish):
        if not os.path.exists(os.path.join(HERE, service["build"]["context"], service["build"]["dockerfile"])):
            sys.exit("the Dockerfile of compose.yaml does not exist")
    if publish["command"][1] != "dns:worker:8080":
        sys.exit("the workers of compose.yaml are not the service `worker`")
    return worker["command"], publish["command"]


def kubernetes():
    """Returns the arguments of the worker and of the statement."""
    with open(f"{HERE}/kubernetes.yaml") as file:
        found = {item["kind"]: item for item in yaml.safe_load_all(file)}
    for item in found.values():
        kubernetes_validate.validate(item, kubernetes_validate.latest_version(), strict=True)
    service, deployment, policy = found["Service"], found["Deployment"], found["NetworkPolicy"]
    worker = deployment["spec"]["template"]
    publish = found["CronJob"]["spec"]["jobTemplate"]["spec"]["template"]
    labels = worker["metadata"]["labels"]
    for selector in (
        service["spec"]["selector"],
        deployment["spec"]["selector"]["matchLabels"],
        policy["spec"]["podSelector"]["matchLabels"],
    ):
        if not selector.items() <= labels.items():
            sys.exit(f"the selector {selector} does not select the workers")
    allowed = policy["spec"]["ingress"][0]["from"][0]["podSelector"]["matchLabels"]
    for pod in (worker, publish):
        if not allowed.items() <= pod["metadata"]["labels"].items():
            sys.exit(f"the network policy keeps the pods {pod['metadata']['labels']} from the workers")
    arguments = publish["spec"]["containers"][0]["args"]
    if arguments[1] != f"dns:{service['metadata']['name']}:8080":
        sys.exit("the workers of kubernetes.yaml are not the headless service")
    return worker["spec"]["containers"][0]["args"], arguments


def replaced(arguments, names):
    for old, new in names.items():
        arguments = [argument.replace(old, new) for argument in arguments]
    return arguments


def publishes(name, worker, publish):
    """Runs a worker and a statement with these arguments."""
    bucket = os.environ["SITEMAP_TEST_S3"].rsplit("/", 1)[1]
    place = f"s3://{bucket}/{name}"
    with tempfile.TemporaryDirectory(prefix="sitemap-cluster-") as folder, socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        free.close()
        with open(f"{HERE}/publish.sql") as file, open(f"{folder}/publish.sql", "w") as out:
            # Otherwise, one task reads a table as small as this one.
            out.write("SET distributed.file_scan_config_bytes_per_partition = 1;\n")
            out.write(file.read().replace("s3://sitemaps", place).replace("s3://lake", f"{place}/lake"))
        make = (
            "COPY (SELECT 'https://www.example.com/items/' || value AS loc, DATE '2026-01-31' AS lastmod,"
            f" 'daily' AS changefreq, 0.5 AS priority FROM generate_series(1, {ROWS})) TO '{place}/lake/pages/1.parquet'"
        )
        run([SQL, "-"], input=make)
        names = {"0.0.0.0:8080": f"127.0.0.1:{port}", "/spill": folder, "/sql": folder}
        process = subprocess.Popen([SQL, *replaced(worker, names)], env=environment(), stderr=subprocess.DEVNULL)
        try:
            for _ in range(300):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            host = publish[1].split(":")[1]
            names[f"dns:{host}:8080"] = f"dns:localhost:{port}"
            ran = run([SQL, *replaced(publish, names)])
            if "distributed: 1 workers" not in ran.stderr or f"| {ROWS} " not in ran.stdout:
                sys.exit(f"{name} did not publish {ROWS} pages on the worker:\n{ran.stdout}\n{ran.stderr}")
        finally:
            process.terminate()
            status = process.wait(timeout=60)
        if status:
            sys.exit(f"the worker of {name} ended with status {status}")
    print(f"{name}: valid, and its arguments publish {ROWS} pages on a worker")


def main():
    publishes("compose", *compose())
    publishes("kubernetes", *kubernetes())


if __name__ == "__main__":
    main()
