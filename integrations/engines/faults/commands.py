"""Faults of writers and committers, each in its own process."""

import os
import random
import signal
import threading
import time

from proxy import Proxy
from sets import Place, expect, loc, rows

OLD, NEW = range(1, 4001), range(2001, 9001)


def prepared(kind):
    """Returns a place with a published set, and the manifest of the next set."""
    place = Place(kind)
    place.publish(OLD)
    return place, place.write(NEW)


def held(place, numbers, lastmod="2026-01-31"):
    """Starts a writer, which has read half of its rows, and returns it with the other half."""
    text = rows(numbers, lastmod)
    half = text.index("\n", len(text) // 2) + 1
    writer = place.start(place.write_command())
    writer.stdin.write(text[:half])
    writer.stdin.flush()
    return writer, text[half:]


def writer_killed(kind):
    """One of two writers is killed while it reads rows"""
    place = Place(kind)
    place.publish(OLD)
    first = place.write(NEW, "--part", "1/2")
    writer, _ = held(place, NEW)
    writer.kill()
    writer.wait()
    place.expect_pages(OLD)
    ran = place.run(place.commit_command("--expect-urls", str(len(NEW))), first)
    expect(ran.returncode == 2, "the commit of one part did not fail")
    place.expect_pages(OLD)
    place.commit(first + place.write(NEW, "--part", "2/2"), "--expect-urls", str(len(NEW)))
    place.expect_pages(NEW)
    return "old set, also after a commit of the other part; after another writer repeats the work: new set, each page once"


def zombie(kind):
    """A writer is stopped and continues after the commit"""
    place = Place(kind)
    # The stopped writer has other pages, as if the source had changed.
    writer, rest = held(place, range(1, 9001), "2026-02-01")
    os.kill(writer.pid, signal.SIGSTOP)
    place.publish(NEW)
    before = place.index()
    os.kill(writer.pid, signal.SIGCONT)
    writer.communicate(rest, timeout=120)
    expect(writer.returncode == 0, "the writer failed")
    expect(place.index() == before, "the index has changed")
    place.expect_pages(NEW)
    return "new set, its index unchanged to the byte; the late shards are in no index"


def committer_killed_anywhere(kind):
    """A committer is killed at random moments"""
    place, _ = prepared(kind)
    sets = [place.write(OLD), place.write(NEW)]
    standing, seen = 0, {"old": 0, "new": 0, "done": 0}
    started = time.monotonic()
    place.commit(sets[1])
    duration, standing = time.monotonic() - started, 1
    generator = random.Random(1)
    for _ in range(60):
        other = 1 - standing
        committer = place.start(place.commit_command())
        threading.Thread(target=feed, args=(committer, sets[other])).start()
        time.sleep(generator.uniform(0, duration * 1.2))
        committer.kill()
        status = committer.wait()
        found = set(place.pages())
        numbers = [{loc(number) for number in numbers} for numbers in (OLD, NEW)]
        expect(found in numbers, "the published set is neither the old nor the new set")
        seen["done" if status == 0 else "old" if found == numbers[standing] else "new"] += 1
        standing = numbers.index(found)
    # The next run succeeds in spite of any files that the killed runs left.
    place.commit(sets[1])
    place.expect_pages(NEW)
    return (
        f"60 kills: old set {seen['old']}, new set {seen['new']}, after the commit {seen['done']}; always one of the "
        "two sets, and the next commit succeeds"
    )


def feed(process, text):
    try:
        process.stdin.write(text)
        process.stdin.close()
    except OSError:
        pass


def committer_killed_at_the_index(kind, when):
    place, manifest = prepared(kind)
    started = []

    def kill():
        started[0].kill()
        started[0].wait()
        return True

    with Proxy(place.env["AWS_ENDPOINT_URL"], **{when: kill}) as proxy:
        direct = place.env["AWS_ENDPOINT_URL"]
        place.through(proxy.url)
        started.append(place.start(place.commit_command()))
        feed(started[0], manifest)
        started[0].wait(timeout=120)
        expect(started[0].returncode == -signal.SIGKILL, "the committer was not killed")
    place.through(direct)
    place.expect_pages(OLD if when == "before" else NEW)
    place.commit(manifest)
    place.expect_pages(NEW)


def committer_killed_before(kind):
    """A committer is killed before it puts the index"""
    committer_killed_at_the_index(kind, "before")
    return "old set; the next commit succeeds"


def committer_killed_after(kind):
    """A committer is killed after it put the index"""
    committer_killed_at_the_index(kind, "after")
    return "new set; the next commit succeeds"


def two_commits(kind):
    """Two commits run at the same time"""
    place, manifest = prepared(kind)
    other = place.write(range(5001, 9001))
    if kind == "s3":
        return two_commits_by_conditions(place, manifest, other)
    for attempt in range(200):
        first = place.start(place.commit_command())
        feed(first, manifest)
        # Waits until the first commit holds the lock of the set, or is done.
        while first.poll() is None and not locked_by(first.pid, place.folder):
            pass
        if first.poll() is None:
            os.kill(first.pid, signal.SIGSTOP)
            second = place.run(place.commit_command(), other)
            os.kill(first.pid, signal.SIGCONT)
            expect(first.wait(timeout=60) == 0, "the first commit failed")
            if second.returncode != 0:
                expect("is locked by" in second.stderr, second.stderr)
                place.expect_pages(NEW)
                return "the first wins; the second fails, because the set is locked"
        place.publish(OLD)
    raise AssertionError("every commit ended before it could be stopped")


def locked_by(pid, folder):
    try:
        open_files = [os.readlink(f"/proc/{pid}/fd/{number}") for number in os.listdir(f"/proc/{pid}/fd")]
    except OSError:
        return False
    return any(path.startswith(folder) and path.endswith(".lock") for path in open_files)


def two_commits_by_conditions(place, manifest, other):
    direct = place.env["AWS_ENDPOINT_URL"]
    is_held, go_on = threading.Event(), threading.Event()

    def hold():
        is_held.set()
        go_on.wait(60)

    with Proxy(direct, before=hold) as proxy:
        place.through(proxy.url)
        first = place.start(place.commit_command())
        feed(first, manifest)
        expect(is_held.wait(60), "the first commit did not put its index")
        place.through(direct)
        place.commit(other)
        go_on.set()
        first.wait(timeout=120)
        message = first.stderr.read()
    expect(first.returncode == 0, message)
    place.expect_pages(range(5001, 9001))
    return "the second completes the commit of the first, which is held up, and publishes its own set; both succeed"


def bad_row(kind):
    """A row is invalid"""
    place = Place(kind)
    place.publish(OLD)
    text = rows(NEW).replace("2026-01-31", "2026-02-30", 1)
    ran = place.run(place.write_command(), text)
    expect(ran.returncode == 2 and "<stdin>:1: row " in ran.stderr and "`lastmod`" in ran.stderr, ran.stderr)
    place.expect_pages(OLD)
    ran = place.run(place.write_command("--on-invalid", "skip"), text)
    expect(ran.returncode == 0 and "skipped: 1 invalid record in total" in ran.stderr, ran.stderr)
    place.commit(ran.stdout, "--expect-urls", str(len(NEW) - 1))
    first = text.split("\t", 1)[0]
    place.expect_pages([number for number in NEW if loc(number) != first])
    return "old set, and the error names the line and the value; with `--on-invalid skip`: new set without the row, 1 counted"


def rows_lost(kind):
    """Rows of the manifest are lost or repeated"""
    place, manifest = prepared(kind)
    lines = manifest.splitlines(keepends=True)
    ran = place.run(place.commit_command("--expect-urls", str(len(NEW))), "".join(lines[1:]))
    expect(ran.returncode == 2 and f"URLs, but {len(NEW)} are expected" in ran.stderr, ran.stderr)
    place.expect_pages(OLD)
    place.commit("".join(reversed(lines)) + manifest, "--expect-urls", str(len(NEW)))
    place.expect_pages(NEW)
    return "lost, with `--expect-urls`: old set, and the error names both numbers; repeated: new set, each page once"


EVERYWHERE = [writer_killed, zombie, committer_killed_anywhere, two_commits, bad_row, rows_lost]
IN_BUCKETS = [committer_killed_before, committer_killed_after]
