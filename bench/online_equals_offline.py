#!/usr/bin/env python3
"""Replays sets through a store and counts the verdicts that differ from those of dedup --keep first.

    bench/online_equals_offline.py PROGRAM SET.jsonl...

Each set twice: with runs of words weighed alike, and by the counts that dedup learns from the set. Prints a line of JSON each.
"""
import json
import pathlib
import subprocess
import sys
import tempfile


def run(*words):
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def fates(path, kind):
    lines = map(json.loads, path.read_text().splitlines())
    return {line["id"]: tuple(line[name] for name in (kind, "duplicate_of", "distance", "similarity"))
            for line in lines if line[kind] != "new"}


def replay(program, path, folder, commonness):
    dedup = [program, "dedup", path, "--keep", "first", "--progress", "off", "-o"]
    if commonness == "learnt":
        run(*dedup, folder / "learning")
        commonness = folder / "learning/commonness.bin"
    run(*dedup, folder / "offline", "--commonness", commonness)
    run(program, "index", "create", folder / "store", "--recipe", "default", "--commonness", commonness)
    run(program, "index", "add", folder / "store", path, "-o", folder / "verdicts.jsonl")
    return fates(folder / "offline/duplicates.jsonl", "kind"), fates(folder / "verdicts.jsonl", "verdict")


def main():
    program, sets = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    for path in map(pathlib.Path, sets):
        for commonness in ("none", "learnt"):
            with tempfile.TemporaryDirectory() as folder:
                offline, online = replay(program, path, pathlib.Path(folder), commonness)
            differ = sum(offline.get(key) != online.get(key) for key in offline.keys() | online.keys())
            print(json.dumps({"set": path.stem, "commonness": commonness, "duplicates": len(offline), "differ": differ}),
                  flush=True)


if __name__ == "__main__":
    main()
