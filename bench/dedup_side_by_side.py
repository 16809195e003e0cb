#!/usr/bin/env python3
"""Runs `neardup dedup` and another program on one corpus in turn (A B A B ...) and prints time and memory of each run.

usage: dedup_side_by_side.py NEARDUP CORPUS --peer COMMAND [--rounds N] [--out DIR] [-- MORE DEDUP OPTIONS]

COMMAND gets the corpus as its last argument (bench/peers holds such programs). Wall time, CPU time (user and system, all
threads and children) and peak memory are taken from the system, for both in the same way, from start to end of the process.
The last lines give the medians and the ratio peer / neardup.
"""
import argparse, os, shlex, shutil, statistics, subprocess, sys, tempfile, time

COLUMNS = ("wall s", "CPU s", "peak MB")


def measure(command):
    """Runs a command; returns wall seconds, CPU seconds, peak megabytes."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{shlex.join(command)} ended with {process.returncode}:\n{errors}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def show(name, figures):
    print(f"{name:18}" + "".join(f"{f:>10.2f}" for f in figures), flush=True)


def medians(runs):
    return [statistics.median(column) for column in zip(*runs)]


def main():
    argv, more = sys.argv[1:], []
    if "--" in argv:
        at = argv.index("--")
        argv, more = argv[:at], argv[at + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neardup")
    parser.add_argument("corpus")
    parser.add_argument("--peer", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", help="folder for the results of dedup, emptied before each run")
    args = parser.parse_args(argv)
    out = args.out or tempfile.mkdtemp(prefix="neardup-side-by-side-")
    ours = [args.neardup, "dedup", args.corpus, "-o", f"{out}/dedup", "--overwrite", "--progress", "off", *more]
    peer = [*shlex.split(args.peer), args.corpus]
    runs = {"neardup": [], "peer": []}
    print(f"{'':18}" + "".join(f"{c:>10}" for c in COLUMNS))
    for turn in range(args.rounds):
        for name, command in (("neardup", ours), ("peer", peer)):
            if name == "neardup":
                shutil.rmtree(f"{out}/dedup", ignore_errors=True)
            runs[name].append(measure(command))
            show(f"{name} {turn + 1}", runs[name][-1])
    a, b = medians(runs["neardup"]), medians(runs["peer"])
    show("neardup, median", a)
    show("peer, median", b)
    show("peer / neardup", [y / x for x, y in zip(a, b)])
    if not args.out:
        shutil.rmtree(out)


main()
