#!/usr/bin/env python3
"""Runs the peers of the Hamming engine on the same fingerprints, one after the other, each on one core.

usage: run.py --count N --distance K [--data FOLDER] [--work build/peers] [--rounds 1]
              [--only NAME ...] [--also NAME=COMMAND ...]
What is missing comes first: the programs and packages (--work; needs cargo and Python 3.11 to 3.13), and the data
(FOLDER/fingerprints.u64 and queries.u64; default WORK/data/N). README.md describes the figures.
"""
import argparse, collections, json, os, resource, shlex, subprocess, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def peers(distance):
    """Returns {name: program and settings}: settings complete for the distance, and gaoya's as its argument reads."""
    rust = {f"mih-rs-{blocks}": f"mih_rs --blocks {blocks}" for blocks in (3, 4)}
    python = {f"faiss-{tables}": f"faiss_binary.py --tables {tables}" for tables in (2, 3, 4)}
    python["faiss-flat"] = "faiss_binary.py --tables 0"
    for blocks, below in ((distance + 1, distance), (distance + 2, distance + 1), (distance + 3, distance + 1)):
        rust[f"gaoya-{blocks}-{below}"] = f"gaoya_simhash --blocks {blocks} --below {below}"
    joins = {f"all-pairs-hamming-{chunks}": f"all_pairs_hamming --chunks {chunks}" for chunks in (1, 2)}
    return rust | python | joins


def install(work):
    """Builds the Rust programs for this processor and fills a virtual environment, both outside the sources."""
    flags = {**os.environ, "RUSTFLAGS": "-C target-cpu=native"}
    manifest = ["--manifest-path", HERE / "Cargo.toml", "--target-dir", work / "target"]
    subprocess.run(["cargo", "build", "--quiet", "--release", "--locked", *manifest], check=True, env=flags)
    wanted, stamp = (HERE / "requirements.txt").read_text(), work / "venv" / "installed.txt"
    if not stamp.exists() or stamp.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", work / "venv"], check=True)
        requirements = ["--require-hashes", "-r", HERE / "requirements.txt"]
        subprocess.run([work / "venv/bin/pip", "install", "--quiet", *requirements], check=True)
        stamp.write_text(wanted)


def make_data(work, data, count):
    path = data / "fingerprints.u64"
    if not path.exists():
        subprocess.run([work / "venv/bin/python", HERE / "make_data.py", "--count", str(count), data], check=True)
    if path.stat().st_size != 8 * count:
        found = path.stat().st_size // 8
        sys.exit(f"{path}: {found} fingerprints, not {count}; give --count {found} or another --data")


def command_of(program, work, data, distance):
    name, *settings = program.split()
    path = [work / "venv/bin/python", HERE / name] if name.endswith(".py") else [work / "target/release" / name]
    return [*path, "--data", data, "--distance", str(distance), *settings]


def available_mb():
    with open("/proc/meminfo") as meminfo:
        return next(int(line.split()[1]) // 1024 for line in meminfo if line.startswith("MemAvailable"))


def run(name, command, args):
    """Runs one program on one core and returns its figures, or {"peer": name, "failed": why}."""
    def confine():
        os.sched_setaffinity(0, {args.cpu})
        resource.setrlimit(resource.RLIMIT_DATA, (args.memory_mb << 20,) * 2)

    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=args.seconds, preexec_fn=confine,
                              env={**os.environ, **threads})
    except subprocess.TimeoutExpired:
        return {"peer": name, "failed": f"no result in {args.seconds} s"}
    try:
        if done.returncode == 0:
            return named(name, json.loads(done.stdout.splitlines()[-1]))
    except (IndexError, ValueError):
        return {"peer": name, "failed": "its last line of output is not JSON"}
    said = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
    reason = next((line for line in said if "memory" in line.lower()), said[-1])
    return {"peer": name, "failed": f"within {args.memory_mb} MB: {reason}"}


def named(name, row):
    """Fills in what programs of --also need not say."""
    row = {"peer": name, "setting": row.get("plan", "-"), **row}
    return {**row, "batch_us": row["cpu_us"], "p50_us": "-", "p99_us": "-"} if row.get("batch") is True else row


def run_all(chosen, args):
    rows = []
    for name, command in chosen.items():
        rows.append(run(name, command, args))
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    return rows


def reference(rows):
    """Returns the row whose answers are taken for exact: the linear scan, else one of those that most agree on."""
    scans = [row for row in rows if row.get("setting") == "flat"]
    most = collections.Counter(row["digest"] for row in rows).most_common(1)[0][0]
    return (scans or [row for row in rows if row["digest"] == most])[0]


def exactness(row, exact, key):
    if row["digest"] == exact["digest"]:
        return "yes"
    return f"no: {row[key] / exact[key]:.3f} of them" if exact[key] else "no"


def cell(value):
    return f"{value:,}" if isinstance(value, (int, float)) else str(value)


def table(rows, columns, key):
    """Prints the rows as Markdown, columns being {heading: field}; `key` is the field with the number of answers."""
    if not rows:
        return
    exact = reference(rows)
    print("\n| peer | " + " | ".join(columns) + " | exact |\n|" + "---|" * (len(columns) + 2))
    for row in rows:
        name = f"{row.get('peer', '')} {row.get('version', '')}".strip()
        cells = [name, *(cell(row.get(field, "-")) for field in columns.values()), exactness(row, exact, key)]
        print("| " + " | ".join(cells) + " |")
    print(f"\nDigest of the exact {key}: {exact['digest']}.")


def print_tables(rows):
    shown = [row for row in rows if "failed" not in row]
    table([row for row in shown if row["bench"] == "query"],
          {"setting": "setting", "p50 us": "p50_us", "mean us": "mean_us", "p99 us": "p99_us", "cpu us": "cpu_us",
           "batch us": "batch_us", "bytes / fingerprint": "bytes_per_item", "build s": "build_seconds",
           "build cpu s": "build_cpu_seconds", "matches": "matches"}, "matches")
    joins = [{**row, "peak_mb": row["peak_bytes"] >> 20} for row in shown if row["bench"] == "join"]
    table(joins, {"setting": "setting", "wall s": "seconds", "user s": "user_seconds", "peak MB": "peak_mb",
                  "pairs": "pairs"}, "pairs")
    for row in rows:
        if "failed" in row:
            print(f"\n{row['peer']}: {row['failed']}.")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=lambda text: int(float(text)), required=True)
    parser.add_argument("--distance", type=int, default=3)
    parser.add_argument("--data", type=Path, help="folder of the fingerprints and queries; made where it is missing")
    parser.add_argument("--work", type=Path, default=Path("build/peers"), help="folder for what is installed and built")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="peers whose names begin like this: mih-rs faiss-2")
    parser.add_argument("--also", nargs="+", default=[], metavar="NAME=COMMAND",
                        help="programs that print the same line; {data} and {distance} are filled in")
    parser.add_argument("--cpu", type=int, default=0, help="the core that all run on")
    parser.add_argument("--rounds", type=int, default=1, help="all in turn so often; the least cpu time counts")
    parser.add_argument("--seconds", type=int, default=600, help="limit for each")
    parser.add_argument("--memory-mb", type=int, default=available_mb() * 8 // 10, help="limit for each")
    parser.add_argument("--json", type=Path, help="file that all lines of figures are added to")
    args = parser.parse_args()
    args.work = args.work.resolve()
    args.data = (args.data or args.work / "data" / str(args.count)).resolve()
    return args


def main():
    args = arguments()
    install(args.work)
    make_data(args.work, args.data, args.count)
    chosen = {name: command_of(program, args.work, args.data, args.distance)
              for name, program in peers(args.distance).items()
              if not args.only or name.startswith(tuple(args.only))}
    for name, command in (entry.split("=", 1) for entry in args.also):
        chosen[name] = shlex.split(command.format(data=args.data, distance=args.distance))
    rounds = [run_all(chosen, args) for _ in range(args.rounds)]
    if args.json:
        with args.json.open("a") as lines:
            lines.writelines(json.dumps(row) + "\n" for rows in rounds for row in rows)
    print(f"{args.count:,} fingerprints, distance {args.distance}, best of {args.rounds}")
    print_tables([min(rows, key=lambda row: row.get("cpu_us", row.get("user_seconds", 0))) for rows in zip(*rounds)])


main()
