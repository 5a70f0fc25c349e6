"""A standalone cluster of Spark on this machine: a master and two workers, each with one core and a folder of its own.

    SPARK_HOME=… python3 integrations/engines/cluster.py COMMAND…

runs a command with the URL of such a cluster in the environment variable MASTER, where `spark-submit` and `spark-sql` look
for it. The cluster and its folders are removed afterwards.

This is not the master `local-cluster[…]`, because that keeps the files of each job, such as a copy of the command for each
executor, in `$SPARK_HOME/work`, and Spark has no setting for another folder there.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import namedtuple
from contextlib import contextmanager

WORKERS = 2
# The seconds in which the cluster must start, and in which it must end.
LIMIT = 120

Cluster = namedtuple("Cluster", "url master workers folder")


class ClusterFailed(Exception):
    """A cluster that did not start, or that left something behind."""


def bin_of_spark(name):
    return os.path.join(os.environ["SPARK_HOME"], "bin", name)


@contextmanager
def standalone(env=os.environ, limit=LIMIT):
    """Runs a cluster, and yields it. Executors get the environment of the workers."""
    folder = tempfile.mkdtemp(prefix="sitemap-cluster-")
    processes = []
    with ended_by_sigterm():
        try:
            yield start(folder, processes, {**env, "SPARK_LOCAL_IP": "127.0.0.1"}, limit)
        finally:
            stop(processes)
            remove(folder)


@contextmanager
def ended_by_sigterm():
    """Turns SIGTERM into `SystemExit`, so that the cluster is stopped before this process ends."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def start(folder, processes, env, limit):
    # Both sockets are open at the same time, so their ports differ.
    with socket.create_server(("127.0.0.1", 0)) as first, socket.create_server(("127.0.0.1", 0)) as second:
        port, web = first.getsockname()[1], second.getsockname()[1]
    url = f"spark://127.0.0.1:{port}"

    def run(name, words):
        own = f"{folder}/{name}"
        os.makedirs(f"{own}/tmp")
        # JVMs that are killed leave temporary files, and ignore TMPDIR.
        options = f"{env.get('JAVA_TOOL_OPTIONS', '')} -Djava.io.tmpdir={own}/tmp".strip()
        local = {"JAVA_TOOL_OPTIONS": options, "TMPDIR": f"{own}/tmp", "SPARK_LOCAL_DIRS": f"{own}/tmp"}
        # The script replaces itself with the JVM, so the process is the JVM.
        command = [bin_of_spark("spark-class"), *words]
        with open(f"{own}/log", "w") as log:
            processes.append(subprocess.Popen(command, stdout=log, stderr=log, env={**env, **local}, cwd=own))

    run("master", ["org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(web)])
    for number in range(1, WORKERS + 1):
        words = ["org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--webui-port", "0"]
        words += ["--cores", "1", "--memory", "1g", "--work-dir", f"{folder}/worker-{number}/work", url]
        run(f"worker-{number}", words)

    end = time.monotonic() + limit
    while workers_of(web) != WORKERS:
        dead = [process.args[1] for process in processes if process.poll() is not None]
        if dead or time.monotonic() > end:
            what = f"`{dead[0]}` ended" if dead else f"it does not have {WORKERS} workers after {limit} seconds"
            raise ClusterFailed(f"the cluster did not start, because {what}:\n{logs(folder)}")
        time.sleep(0.1)
    return Cluster(url, processes[0], processes[1:], folder)


def workers_of(web):
    """Returns the number of workers that the master knows, or 0 if it does not answer yet."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{web}/json/", timeout=10) as answer:
            return json.load(answer)["aliveworkers"]
    # The page is empty for a moment at first.
    except (OSError, ValueError):
        return 0


def logs(folder):
    """Returns the last lines of the logs of all processes."""
    texts = []
    for name in sorted(os.listdir(folder)):
        with open(f"{folder}/{name}/log", errors="replace") as log:
            texts.append(f"{name}: {log.read()[-2000:].strip() or 'no log'}")
    return "\n".join(texts)


def stop(processes):
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def remove(folder):
    """Removes the folder. The executors of a killed worker may still write to it for some seconds."""
    end = time.monotonic() + LIMIT
    while os.path.exists(folder):
        shutil.rmtree(folder, ignore_errors=True)
        if time.monotonic() > end:
            raise ClusterFailed(f"the folder `{folder}` of the cluster could not be removed; remove it")
        time.sleep(0.1)


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: SPARK_HOME=… python3 integrations/engines/cluster.py COMMAND…")
    try:
        with standalone() as cluster:
            status = subprocess.run(sys.argv[1:], env={**os.environ, "MASTER": cluster.url}).returncode
    except ClusterFailed as error:
        sys.exit(f"error: {error}")
    sys.exit(status)


if __name__ == "__main__":
    main()
