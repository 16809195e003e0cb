#!/usr/bin/env python3
"""Check-and-insert of the same fingerprints by neardup and by what else one would build it of, in one run.

usage: run.py --program build/release/neardup [--count 1e6] [--documents 1e5] [--only NAME ...]
What is missing of Python packages is installed below --work first; README.md says what the programs are.
"""
import argparse, importlib, json, os, shutil, subprocess, sys, time
from pathlib import Path

from callers import call_all

HERE = Path(__file__).resolve().parent
PEERS = {"neardup over HTTP": "neardup_http", "Redis, four sets": "redis_sets", "PostgreSQL, bit_count": "postgres_buckets",
         "SQLite": "sqlite_buckets", "FAISS multi-hash": "faiss_multi_hash"}
ON_REQUEST = {"Qdrant Edge, HNSW": "qdrant_edge_graph"}  # takes minutes to fill


def enter_environment(work):
    """Goes on in a virtual environment with requirements.txt, which is made first."""
    if os.environ.get("NEARDUP_PEERS_ENVIRONMENT"):
        return
    wanted, stamp = (HERE / "requirements.txt").read_text(), work / "venv" / "installed.txt"
    if not stamp.exists() or stamp.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", work / "venv"], check=True)
        subprocess.run([work / "venv/bin/pip", "install", "--quiet", "--require-hashes", "-r", HERE / "requirements.txt"],
                       check=True)
        stamp.write_text(wanted)
    python = str(work / "venv/bin/python")
    os.execve(python, [python, *sys.argv], {**os.environ, "NEARDUP_PEERS_ENVIRONMENT": "1", "OMP_NUM_THREADS": "1"})


def measure(name, module, args, filled, stream, truth):
    import numpy as np
    kind = importlib.import_module(module).Peer
    peer = kind(args.program) if module == "neardup_http" else kind()
    folder = args.work / "data" / module
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    begin = time.monotonic()
    try:
        peer.start(folder)
        peer.fill(filled)
        fill_seconds = time.monotonic() - begin
        batches, seconds = call_all(peer, args, stream)
    finally:
        peer.stop()
        shutil.rmtree(folder, ignore_errors=True)
    was_sent, seen = np.zeros(len(stream), dtype=bool), np.zeros(len(stream), dtype=bool)
    for first, verdicts, _ in batches:
        was_sent[first:first + len(verdicts)] = True
        seen[first:first + len(verdicts)] = verdicts
    took = sorted(us for *_, us in batches)
    return {"peer": name, "count": args.count, "documents": int(was_sent.sum()), "seconds": round(seconds, 2),
            "per_second": round(was_sent.sum() / seconds), "p50_us": round(took[len(took) // 2]),
            "p99_us": round(took[len(took) * 99 // 100]), **truth.figures(was_sent, seen),
            "fill_seconds": round(fill_seconds, 1), "durability": peer.durability, "races": peer.races}


def own_lines(args):
    """neardup's own generators: in process, and over HTTP by `bench serve`."""
    common = ["--count", str(args.count), "--documents", str(args.documents), "--distance", "3", "--json"]
    for name, words in (("neardup in process", ["store"]), ("neardup over HTTP, own generator", ["serve"])):
        out = subprocess.run([args.program, "bench", *words, *common], check=True, capture_output=True, text=True,
                             cwd=args.work).stdout
        for line in map(json.loads, out.splitlines()):
            if line["operation"] == "check_and_insert" and line.get("loop", "closed") == "closed":
                yield {"peer": name, **line}


def table(rows):
    print("| peer | checks/s | p50, p99 of a batch | recall | pairs of which both are new | neardup in process is | over HTTP |")
    print("|" + "---|" * 7)
    rate = {row["peer"]: row["per_second"] for row in rows}
    for row in rows:
        ratios = [f"{rate[own] / row['per_second']:.1f} x" if own in rate else "-"
                  for own in ("neardup in process", "neardup over HTTP, own generator")]
        print(f"| {row['peer']} | {row['per_second']:,} | {row['p50_us'] / 1000:.1f}, {row['p99_us'] / 1000:.1f} ms | "
              f"{row.get('recall', '-')} | {row.get('both_new', '-')} | {' | '.join(ratios)} |")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    number = lambda text: int(float(text))
    parser.add_argument("--program", type=lambda text: str(Path(text).resolve()), required=True)
    parser.add_argument("--count", type=number, default=1_000_000, help="documents that are there before")
    parser.add_argument("--documents", type=number, default=200_000, help="that arrive, at most")
    parser.add_argument("--seconds", type=float, default=20, help="limit for the arrivals of each")
    parser.add_argument("--callers", type=int, default=4)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--work", type=lambda text: Path(text).resolve(), default=Path("build/peers/service").resolve())
    parser.add_argument("--only", nargs="+", help="peers whose module names begin like this: redis faiss")
    return parser.parse_args()


def main():
    args = arguments()
    args.work.mkdir(parents=True, exist_ok=True)
    enter_environment(args.work)
    from stream import Truth, fingerprints
    filled, stream = fingerprints(0, args.count), fingerprints(args.count, args.documents)
    truth, rows = Truth(filled, stream), []
    for row in own_lines(args):
        rows.append(row)
        print(json.dumps(row), file=sys.stderr, flush=True)
    for name, module in ({**PEERS, **ON_REQUEST} if args.only else PEERS).items():
        if args.only and not module.startswith(tuple(args.only)):
            continue
        rows.append(measure(name, module, args, filled, stream, truth))
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    table(rows)


if __name__ == "__main__":
    main()
