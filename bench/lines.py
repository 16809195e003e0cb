#!/usr/bin/env python3
"""Runs `neardup lines` and other tools on one file of lines in turn, and prints time and memory of each run.

    python3 -m venv out/lines-peers
    out/lines-peers/bin/pip install --require-hashes -r bench/peers/lines/requirements.txt
    bench/lines.py build/release/neardup --make 20000000 --peers-python out/lines-peers/bin/python

    NEARDUP               the program; --also OTHER runs another build of it in the same rounds
    FILE | --make N       the lines: a file, or N lines made up, 48 to 81 letters, three in ten of them repetitions
    --tools a,b,...       of neardup, fast, quarter (a quarter of the file as its memory), duckdb, polars, sort; all unless given
    --rounds N            each tool once in each round; 3 unless given
    --output FILE         where lines are written: /dev/null unless given
    --folder DIR          for work files and the made-up file; the system's unless given

Wall time, CPU time (user + system) and peak memory are those of the whole process, by the system's count. Figures are medians;
Mlines/s is of the input. The counts of lines that are left must agree, or the comparison is worth nothing: that is checked.
"""
import argparse
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

DUCKDB = """
import duckdb, sys
path, output = sys.argv[1:]
with duckdb.connect() as base:
    base.execute("SET threads TO 2")
    base.execute(f"COPY (SELECT DISTINCT line FROM read_csv('{path}', columns={{'line': 'VARCHAR'}}, header=false, delim='\\x01',"
                 f" quote='', escape='', auto_detect=false)) TO '{output}' (FORMAT csv, HEADER false, QUOTE '', DELIMITER '\\x01')")
"""
POLARS = """
import polars, sys
path, output = sys.argv[1:]
lines = polars.read_csv(path, has_header=False, new_columns=["line"], separator="\\x01", quote_char=None)
lines.unique(maintain_order=True).write_csv(output, include_header=False, quote_style="never", separator="\\x01")
"""


def make_lines(path, count):
    """Made-up lines with a repetition at random distance; the same for each run."""
    import random

    rng = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz0123456789 "
    stock = "".join(rng.choices(letters, k=1 << 20))
    different = 0
    with open(path, "w", encoding="ascii", buffering=1 << 22) as file:
        for _ in range(count):
            number = different
            if different and rng.random() < 0.3:
                number = int(rng.random() * different)
            else:
                different += 1
            at = number * 2654435761 % ((1 << 20) - 100)
            file.write(f"{number * 40503 % 4294967296:08x}{stock[at:at + 40 + at % 34]}\n")


def measure(command, environment):
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        return None, errors.strip().splitlines()[-1:] or [f"ended with {process.returncode}"]
    return (time.monotonic() - start, usage.ru_utime, usage.ru_stime, usage.ru_maxrss / 1024), None


def commands_of(args, path):
    """Returns {tool: command}; each writes to args.output."""
    size = os.path.getsize(path)
    lines = [args.program, "lines", path, "-o", args.output, "--overwrite", "--threads", "2", "--progress", "off"]
    there = {
        "neardup": [*lines, "--memory", "16G"],
        "fast": [*lines, "--memory", "16G", "--fast"],
        "quarter": [*lines, "--memory", str(max(size // 4, 32 << 20))],
        "sort": ["sort", "-u", "--parallel=2", "-S", "8G", path, "-o", args.output],
    }
    if args.peers_python:
        there["duckdb"] = [args.peers_python, "-c", DUCKDB, path, args.output]
        there["polars"] = [args.peers_python, "-c", POLARS, path, args.output]
    for number, other in enumerate(args.also):
        there[f"also-{number}"] = [other, *there["neardup"][1:]]
    wanted = args.tools.split(",") if args.tools else list(there)
    return {name: there[name] for name in wanted}


def lines_in(path):
    done = subprocess.run(["wc", "-l", path], capture_output=True, text=True, check=True)
    return int(done.stdout.split()[0])


def check_counts(commands, folder, output, environment):
    counts = {}
    own = os.path.join(folder, "out")
    for name, command in commands.items():
        subprocess.run([own if part == output else part for part in command], check=True, env=environment,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        counts[name] = lines_in(own)
        os.unlink(own)
    print("lines left:", ", ".join(f"{name} {count:,}" for name, count in counts.items()))
    if len(set(counts.values())) != 1:
        sys.exit("the tools do not agree; the times say nothing")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("file", nargs="?")
    parser.add_argument("--make", type=int)
    parser.add_argument("--also", action="append", default=[])
    parser.add_argument("--peers-python")
    parser.add_argument("--tools")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", default="/dev/null")
    parser.add_argument("--folder")
    parser.add_argument("--no-check", action="store_true", help="leave out the comparison of the counts")
    args = parser.parse_args()
    if (args.file is None) == (args.make is None):
        parser.error("a FILE or --make N")
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        path = args.file or os.path.join(folder, "lines")
        if args.make:
            make_lines(path, args.make)
        environment = {**os.environ, "LC_ALL": "C", "TMPDIR": folder}
        commands = commands_of(args, path)
        count = lines_in(path)
        print(f"{count:,} lines, {os.path.getsize(path) / 1e9:.2f} GB; load {os.getloadavg()[0]:.1f}", flush=True)
        if not args.no_check:
            check_counts(commands, folder, args.output, environment)
        runs = {name: [] for name in commands}
        for _ in range(args.rounds):
            for name, command in commands.items():
                figures, error = measure(command, environment)
                if error:
                    print(f"{name}: {error[0]}")
                    continue
                runs[name].append(figures)
        print(f"{'tool':12}{'wall s':>9}{'user s':>9}{'system s':>9}{'peak MB':>9}{'Mlines/s':>10}{'best':>7}")
        for name, figures in runs.items():
            if not figures:
                continue
            wall, user, system, peak = (statistics.median(column) for column in zip(*figures))
            best = min(row[0] for row in figures)
            print(f"{name:12}{wall:9.2f}{user:9.2f}{system:9.2f}{peak:9.0f}{count / wall / 1e6:10.2f}{count / best / 1e6:7.2f}")
        print(f"load {os.getloadavg()[0]:.1f}; neardup: {shlex.join(commands.get('neardup', []))}")


if __name__ == "__main__":
    main()
