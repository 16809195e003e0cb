#!/usr/bin/env python3
"""at_size.py PROGRAM BENCH_AT_SIZE [--documents 1e5,1e6] [--words 60] [--memory 4G] [--mix COPIES,FRAMES,FAMILIES]
[--folder DIR] [-- OPTIONS OF DEDUP]: what dedup takes at size, and what it finds of what is planted.

Makes each corpus with bench_at_size (whose head says what is planted, and how ids tell it) as a file of DIR, runs
PROGRAM dedup over it, and prints a row of a Markdown table: documents, bytes, CPU seconds and microseconds a document,
seconds, peak of memory (of the report; the system's count of resident pages of mapped files is among it) and of the
temporary disk, recall of planted copies, and texts that are no planted ones and were removed. The last row has the
exponent with which CPU time grows. Files are removed afterwards.
"""
import argparse
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path


def copies_found(folder):
    """Returns how many copies are removed for their text or another copy of it, and how many other texts are removed."""
    found = others = 0
    with (folder / "duplicates.jsonl").open() as lines:
        for line in lines:
            row = json.loads(line)
            parts, kept = row["id"].split("/"), row["duplicate_of"].split("/")
            if parts[0] == "c":
                found += parts[2] in (kept[1], kept[-1] if kept[0] == "c" else None)
            elif parts[0] == "o":
                others += not (kept[0] == "c" and kept[2] == parts[1])
    return found, others


def disk_bytes(folder):
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_blocks * 512
        except FileNotFoundError:
            pass
    return total


class Disk(threading.Thread):
    """Looks at the size of a folder twice a second."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder, self.most, self.over = folder, 0, threading.Event()

    def run(self):
        while not self.over.wait(0.5):
            self.most = max(self.most, disk_bytes(self.folder))


def measure(arguments, count, folder):
    corpus, out = folder / "corpus.jsonl", folder / "out"
    with corpus.open("wb") as file:
        subprocess.run([arguments.generator, str(count), arguments.words, *arguments.mix.split(",")], stdout=file, check=True)
    copies = sum(line.startswith(b'{"id":"c/') for line in corpus.open("rb"))
    disk = Disk(out)
    disk.start()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([arguments.program, "dedup", corpus, "-o", out, "--mode", "ids", "--memory", arguments.memory,
                    "--progress", "off", *arguments.options], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    disk.over.set()
    disk.join()
    user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    run = json.loads((out / "report.json").read_text())["run"]
    found, others = copies_found(out)
    row = [f"{count:,}", f"{corpus.stat().st_size / 1e6:,.0f} MB", f"{user:.1f} + {system:.1f}", f"{(user + system) / count * 1e6:.1f}",
           f"{run['seconds']:.0f}", f"{run['peak_memory_bytes'] / 1e6:,.0f} MB", f"{disk.most / 1e6:,.0f} MB",
           f"{found / copies:.4f}" if copies else "", f"{others:,}"]
    print("| " + " | ".join(row) + " |", flush=True)
    corpus.unlink()
    shutil.rmtree(out)
    return user + system


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("generator", type=os.path.abspath)
    parser.add_argument("--documents", default="1e5,1e6")
    parser.add_argument("--words", default="60")
    parser.add_argument("--memory", default="4G")
    parser.add_argument("--mix", default=".1,0,0")
    parser.add_argument("--folder")
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    print("| documents | text | CPU s: user + kernel | us each | seconds | peak memory | disk | recall of copies | others removed |")
    print("|---|---|---|---|---|---|---|---|---|")
    counts = [int(float(count)) for count in arguments.documents.split(",")]
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        times = [measure(arguments, count, Path(folder)) for count in counts]
    if len(counts) > 1 and counts[0] != counts[-1]:
        print(f"\nCPU time grows with an exponent of {math.log(times[-1] / times[0]) / math.log(counts[-1] / counts[0]):.2f}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
