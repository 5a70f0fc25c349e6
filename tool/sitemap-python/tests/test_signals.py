"""Ctrl-C, threads, and runs that are left early."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import sitemap
from conftest import Server, index, urlset

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of Unix")


def interrupted(code: str) -> str:
    """Runs a program, sends it SIGINT when it prints a line, and returns what it prints then."""
    program = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    assert program.stdout.readline() == "ready\n"
    program.send_signal(signal.SIGINT)
    out, _ = program.communicate(timeout=30)
    return out


WAIT = """
import sitemap, threading, time, sys
def ready():
    time.sleep(0.5)
    print("ready", flush=True)
threading.Thread(target=ready).start()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize(
    "call",
    [
        "sitemap.read({url!r}, allow_private=True)",
        "list(sitemap.entries({url!r}, allow_private=True))",
        "sitemap.check({url!r}, allow_private=True)",
    ],
)
def test_ctrl_c_ends_a_request(server: Server, call: str) -> None:
    server.files["/sitemap.xml"] = urlset("<loc>https://example.com/</loc>")
    server.pause = 60
    assert interrupted(WAIT.format(call=call.format(url=server.url("/sitemap.xml")))) == "interrupted\n"


def test_ctrl_c_ends_a_publication(tmp_path: Path) -> None:
    """The rows come from a generator that never ends, so Python itself raises the exception."""
    call = f"sitemap.write(('/' + str(n) for n in iter(int, 1)), {str(tmp_path)!r}, base='https://example.com')"
    assert interrupted(WAIT.format(call=call)) == "interrupted\n"
    assert list(tmp_path.iterdir()) == []


def test_other_threads_run_while_a_request_waits(server: Server) -> None:
    server.files["/sitemap.xml"] = urlset("<loc>https://example.com/</loc>")
    server.pause = 1
    found: list[int] = []
    reader = threading.Thread(
        target=lambda: found.append(sitemap.read(server.url("/sitemap.xml"), allow_private=True).num_rows)
    )
    reader.start()
    # The server of this test is a thread of the same interpreter: without its turn, there is no answer.
    reader.join(timeout=30)
    assert found == [1]


def test_several_threads_read_at_the_same_time(tmp_path: Path) -> None:
    paths = []
    for number in range(8):
        path = tmp_path / f"{number}.xml"
        path.write_bytes(urlset(*(f"<loc>https://example.com/{number}/{page}</loc>" for page in range(2_000))))
        paths.append(path)
    found: dict[int, list[str]] = {}

    def read(number: int) -> None:
        found[number] = [entry.loc for entry in sitemap.entries(paths[number])]

    threads = [threading.Thread(target=read, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(8):
        assert found[number] == [f"https://example.com/{number}/{page}" for page in range(2_000)]


def test_a_run_that_is_left_early_ends(server: Server) -> None:
    server.files["/sitemap.xml"] = index(*(server.url(f"/{number}.xml") for number in range(200)))
    for number in range(200):
        pages = (f"<loc>https://example.com/{number}/{page}</loc>" for page in range(1_000))
        server.files[f"/{number}.xml"] = urlset(*pages)
    entries = sitemap.entries(server.url("/sitemap.xml"), allow_private=True, jobs=1)
    assert next(entries).loc == "https://example.com/0/0"
    before = {thread.name for thread in threading.enumerate()}
    del entries
    assert before == {thread.name for thread in threading.enumerate()}
    names = Path("/proc/self/task")
    if names.exists():
        for _ in range(200):
            if not any((task / "comm").read_text().strip() == "sitemap" for task in names.iterdir()):
                return
            threading.Event().wait(0.05)
        raise AssertionError("the thread of the reader is still there")
