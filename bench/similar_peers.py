#!/usr/bin/env python3
"""Runs `neardup similar` and other programs on one folder of files in turn: how right each is, and what it takes.

    apt-get install ssdeep tlsh-tools similarity-tester
    python3 -m venv out/similar-peers
    out/similar-peers/bin/pip install --require-hashes -r bench/peers/similar/requirements.txt
    npm install --prefix out/dolos @dodona/dolos-lib@3.5.1
    bench/similar_peers.py --make out/versions
    bench/similar_peers.py build/release/neardup build/release/bin/bench_similar_quality out/versions/all --tools neardup,verify,ssdeep,tlsh
    bench/similar_peers.py build/release/neardup build/release/bin/bench_similar_quality out/versions/python

    NEARDUP TRUTH FOLDER  the program, what counts the truth, and the files
    --make FOLDER         downloads the packages of bench/peers/similar/wheels.txt (pip checks their hashes) and unpacks their
                          different text files of 50 bytes to 200 kB into FOLDER/all, a part of the Python files into
                          FOLDER/python, for programs that compare each with each slowly
    --tools a,b,...       of neardup, verify, ssdeep, tlsh, copydetect, sim_text, dolos; all unless given
    --rounds N            each tool once in each round; 1 unless given
    --peers-python PYTHON, --dolos FOLDER   where copydetect and Dolos are: as above unless given

A pair is true where at least a quarter (a half) of the different substrings of 50 bytes of one file are in the other. neardup
is asked for a quarter (a half), and what it lists counts as it is. The others have scores of their own: each is given the
threshold with which it does best on this very folder (the best F1), of all pairs that it can list. Time is that of the whole
process, user + system, on one core; memory its peak, by the system's count.
"""
import argparse
import csv
import functools
import hashlib
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import zipfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
LEVELS = (0.25, 0.5)
LEAST_BYTES, MOST_BYTES = 50, 200_000
ONE_IN = 9  # of the Python files, with all their versions


def is_text(content):
    if not LEAST_BYTES <= len(content) <= MOST_BYTES or b"\0" in content:
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def unpack(wheel, folder, seen):
    version = "-".join(wheel.name.split("-")[:2])
    with zipfile.ZipFile(wheel) as archive:
        for name in sorted(archive.namelist()):
            content = archive.read(name)
            digest = hashlib.sha256(content).digest()
            if name.endswith("/") or not is_text(content) or digest in seen:
                continue
            seen.add(digest)
            parts = ["all"] + (["python"] if name.endswith(".py") and zlib.crc32(name.encode()) % ONE_IN == 0 else [])
            for part in parts:
                path = folder / part / version / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)


def make_set(folder):
    lines = [line for line in (HERE / "peers/similar/wheels.txt").read_text().splitlines() if not line.startswith("#")]
    with tempfile.TemporaryDirectory() as work:
        for number, line in enumerate(lines):  # pip takes no two versions at once
            wanted = pathlib.Path(work, "wanted.txt")
            wanted.write_text(line + "\n")
            subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                            "--only-binary", ":all:", "--require-hashes", "--requirement", wanted, "--dest", f"{work}/{number}"],
                           check=True)
        seen = set()
        for wheel in sorted(pathlib.Path(work).glob("*/*.whl")):
            unpack(wheel, folder, seen)


def rows(output, score=0, first=1, second=2, delimiter="\t"):
    for row in csv.reader(output, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if delimiter == "," else csv.QUOTE_NONE):
        if len(row) > max(score, first, second):
            yield float(row[score]), row[first], row[second]


def of_neardup(output):  # shares of the first and of the second file
    for row in csv.reader(output, delimiter="\t", quoting=csv.QUOTE_NONE):
        yield max(float(row[0]), float(row[1])), row[3], row[4]


def of_ssdeep(output):
    return rows(output, 2, 0, 1, ",")


def of_tlsh(output):  # a distance
    return ((-distance, a, b) for distance, a, b in rows(output, 2, 0, 1))


def of_sim_text(output):  # "A consists for 90 % of B material"
    for line in output:
        if " consists for " in line:
            a, rest = line.rstrip().split(" consists for ")
            share, b = rest.removesuffix(" material").split(" % of ")
            yield float(share), a, b


def command_of(tool, level, options, files):
    """Returns the command, its standard input, and who reads its output."""
    program = [options.neardup, "similar", options.folder, "--threads", "1", "--threshold", str(level)]
    peers = HERE / "peers/similar"
    return {
        "neardup": (program, None, of_neardup),
        "verify": ([*program, "--verify"], None, of_neardup),
        "ssdeep": (["ssdeep", "-d", "-r", "-c", "-s", options.folder], None, of_ssdeep),
        "tlsh": (["tlsh_unittest", "-xref", "-r", options.folder, "-T", "100"], None, of_tlsh),
        "copydetect": ([options.peers_python, peers / "copydetect_job.py", options.folder], None, rows),
        "sim_text": (["sim_text", "-e", "-a", "-p", "-i"], "".join(f"{file}\n" for file in files), of_sim_text),
        "dolos": (["node", peers / "dolos.mjs", os.path.abspath(options.dolos), *files], None, rows),
    }[tool]


def run(command, text):
    """Returns the lines of the output, seconds of CPU, and the peak in MB."""
    with tempfile.TemporaryFile("w+", errors="replace") as output, tempfile.TemporaryFile("w+") as given:
        given.write(text or "")
        given.seek(0)
        process = subprocess.Popen(list(map(str, command)), stdin=given, stdout=output, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        lines = output.readlines()
        if not lines:
            raise SystemExit(f"{command[0]} printed nothing (exit status {process.returncode})")
        return lines, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000


def scores_of(found):
    """Returns the best score of each pair of files."""
    scores, place = {}, functools.cache(os.path.realpath)
    for score, a, b in found:
        a, b = sorted((place(a), place(b)))
        if a != b:
            scores[a, b] = max(score, scores.get((a, b), float("-inf")))
    return scores


def recall_precision(true, right, listed):
    return right / max(1, true), right / max(1, listed)


def f1(recall, precision):
    return 2 * recall * precision / max(1e-9, recall + precision)


def best(scores, truth):
    """Returns recall and precision at the threshold with the best F1."""
    result, right, ordered = (0.0, 0.0), 0, sorted(scores.items(), key=lambda item: -item[1])
    for i, (pair, score) in enumerate(ordered):
        right += pair in truth
        if i + 1 == len(ordered) or ordered[i + 1][1] != score:
            result = max(result, recall_precision(len(truth), right, i + 1), key=lambda both: f1(*both))
    return result


def quality(tool, level, lines, reader, truth):
    scores = scores_of(reader(lines))
    true = {pair for pair, share in truth.items() if share >= level}
    if tool in ("neardup", "verify"):
        return recall_precision(len(true), sum(pair in true for pair in scores), len(scores))
    return best(scores, true)


def find_truth(options):
    with tempfile.TemporaryDirectory() as work:
        path = f"{work}/truth.tsv"
        subprocess.run([options.truth, options.folder, "--truth", path], check=True, stdout=subprocess.DEVNULL)
        with open(path, encoding="utf-8") as file:
            return scores_of(rows(file))


def measure(options):
    files = sorted(str(path) for path in pathlib.Path(options.folder).rglob("*") if path.is_file())
    megabytes = sum(map(os.path.getsize, files)) / 1e6
    truth = find_truth(options)
    print(f"{len(files)} files, {megabytes:.1f} MB, {sum(share >= LEVELS[0] for share in truth.values())} pairs from a quarter,"
          f" {sum(share >= LEVELS[1] for share in truth.values())} from a half")
    print("| tool | from a quarter: recall, precision, F1 | from a half: recall, precision, F1 | CPU s | MB a CPU second | peak MB |")
    print("|---|---|---|---|---|---|")
    seconds, peaks, found = {}, {}, {}
    for turn in range(options.rounds):
        for tool in options.tools:
            for level in LEVELS if turn == 0 and tool in ("neardup", "verify") else LEVELS[:1]:
                command, text, reader = command_of(tool, level, options, files)
                lines, cpu, peak = run(command, text)
                if level == LEVELS[0]:
                    seconds.setdefault(tool, []).append(cpu)
                    peaks[tool] = max(peak, peaks.get(tool, 0))
                if turn > 0:
                    continue
                for asked in [level] if tool in ("neardup", "verify") else LEVELS:
                    found[tool, asked] = quality(tool, asked, lines, reader, truth)
    for tool in options.tools:
        cells = [f"{r:.3f}, {p:.3f}, {f1(r, p):.3f}" for r, p in (found[tool, level] for level in LEVELS)]
        cpu = statistics.median(seconds[tool])
        print(f"| {tool} | {cells[0]} | {cells[1]} | {cpu:.2f} | {megabytes / cpu:.2f} | {peaks[tool]:.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neardup", nargs="?")
    parser.add_argument("truth", nargs="?")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--make", metavar="FOLDER", type=pathlib.Path)
    parser.add_argument("--tools", type=lambda text: text.split(","),
                        default=["neardup", "verify", "ssdeep", "tlsh", "copydetect", "sim_text", "dolos"])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--peers-python", default="out/similar-peers/bin/python")
    parser.add_argument("--dolos", default="out/dolos")
    options = parser.parse_args()
    if options.make:
        return make_set(options.make)
    if not options.folder:
        parser.error("NEARDUP, TRUTH and FOLDER are needed, or --make")
    return measure(options)


if __name__ == "__main__":
    main()
