"""Finds processes through /proc, and measures the CPU time and memory of groups of them."""

import ctypes
import os
import signal
import subprocess
import tempfile
import time
from collections import namedtuple

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
# From <sys/prctl.h>.
PR_SET_CHILD_SUBREAPER = 36

# `cpu` includes the seconds of the children that the process has waited for. `started` tells apart two processes that
# had the same id.
Process = namedtuple("Process", "parent started cpu resident has_ended")


class Failed(Exception):
    """A command that failed, or processes that cannot be measured."""


def running():
    """Returns all processes of this machine by their ids."""
    found = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        cpu = sum(map(int, fields[11:15])) / TICKS
        # A process that has ended, but that its parent has not waited for, still has its values.
        found[int(entry)] = Process(int(fields[1]), int(fields[19]), cpu, int(fields[21]) * PAGE, fields[0] == "Z")
    return found


def descendants(pids, processes):
    """Returns the ids of the descendants of processes."""
    below = more = set(pids)
    while more:
        more = {child for child, process in processes.items() if process.parent in below} - below
        below = below | more
    return below - set(pids)


class Groups:
    """Groups of processes: each a process, which must be a child of this one, with its descendants.

    `cpu` is the user and system seconds of each group since it was added, and of orphans whose group is unknown. `peak` is the
    largest resident memory of a group in bytes: the sum over its processes, sampled 20 times a second; memory that processes
    share counts for each of them. `cpu[None]` is the sum of all, and `peak[None]` the largest sum of all groups.
    """

    UNKNOWN = "of no group"

    def __init__(self, **roots):
        # An executor may end before its Python does. Such orphans become children of this process, which waits for them,
        # because otherwise their CPU time would be lost.
        if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "cannot become the parent of orphaned processes")
        processes = running()
        self.roots = roots
        self.members = {}
        self.cpu = {name: -processes[pid].cpu for name, pid in roots.items()}
        self.peak = {}
        self.sample()

    def sample(self):
        """Adds new processes to their groups, and waits for orphans that have ended."""
        processes = running()
        resident = {}
        for name, root in self.roots.items():
            known = {pid for pid, (group, started) in self.members.items() if group == name and pid in processes and processes[pid].started == started}
            group = {root, *known}
            group |= descendants(group, processes)
            self.members.update((pid, (name, processes[pid].started)) for pid in group - {root} if pid in processes)
            resident[name] = sum(processes[pid].resident for pid in group if pid in processes)
        resident[None] = sum(resident.values())
        for name, size in resident.items():
            self.peak[name] = max(self.peak.get(name, 0), size)
        self.members = {pid: member for pid, member in self.members.items() if pid in processes}
        for pid, process in processes.items():
            if process.parent == os.getpid() and pid not in self.roots.values():
                self.wait_for_orphan(pid)

    def wait_for_orphan(self, pid):
        ended, _, usage = os.wait4(pid, os.WNOHANG)
        if not ended:
            return
        seconds = usage.ru_utime + usage.ru_stime
        # An orphan that was never seen below a group counts only in the sum.
        group, _ = self.members.pop(pid, (self.UNKNOWN, None))
        if group == self.UNKNOWN:
            print(f"of no group: process {pid}, which used {seconds:.2f} CPU seconds", flush=True)
        self.cpu[group] = self.cpu.get(group, 0) + seconds

    def run(self, name, command, stdin=""):
        """Runs a command as a group of this name until it ends, and returns its wall seconds."""
        with tempfile.TemporaryFile("w+") as output:
            started = time.monotonic()
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT, text=True)
            self.roots[name], ended = process.pid, 0
            process.stdin.write(stdin)
            process.stdin.close()
            while not ended:
                self.sample()
                time.sleep(0.05)
                ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            wall = time.monotonic() - started
            process.returncode = os.waitstatus_to_exitcode(status)
            self.cpu[name] = self.cpu.get(name, 0) + usage.ru_utime + usage.ru_stime
            del self.roots[name]
            if process.returncode:
                output.seek(0)
                raise Failed(f"`{' '.join(command)}` ended with status {process.returncode}:\n{output.read()[-4000:]}")
        return wall

    def finish(self, limit=60):
        """Waits until only the root process of each group is left, and measures these.

        An executor of Spark sometimes does not end after its job. Such processes are killed and named.
        """
        if not self.end(limit):
            for pid in self.alive():
                print(f"killed: process {pid}, which did not end within {limit} seconds: {command_of(pid)}", flush=True)
                os.kill(pid, signal.SIGKILL)
            if not self.end(limit):
                raise Failed(f"the processes {self.alive()} did not end within {limit} seconds after SIGKILL")
        processes = running()
        for name, pid in self.roots.items():
            if pid not in processes:
                raise Failed(f"the process `{name}` ended before it was measured")
            self.cpu[name] += processes[pid].cpu
        for pid, (name, _) in self.members.items():
            # A process that is gone was waited for by its parent, whose seconds include its own.
            if pid in processes:
                self.cpu[name] += processes[pid].cpu
        self.cpu[None] = sum(self.cpu.values())

    def end(self, limit):
        """Waits until only the root process of each group is left, at most this many seconds."""
        end = time.monotonic() + limit
        while self.alive() and time.monotonic() < end:
            time.sleep(0.05)
            self.sample()
        return not self.alive()

    def alive(self):
        """Returns the ids of running processes other than the roots."""
        processes = running()
        return sorted(pid for pid in self.members if pid in processes and not processes[pid].has_ended)


def command_of(pid):
    """Returns the first words of a process's command."""
    try:
        with open(f"/proc/{pid}/cmdline") as file:
            return " ".join(file.read().split("\0"))[:200]
    except OSError:
        return "unknown"
