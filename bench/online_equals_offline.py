#!/usr/bin/env python3
"""Replays sets through a store and counts the verdicts that differ from those of dedup --keep first.

    bench/online_equals_offline.py PROGRAM SET.jsonl...

Each set three times: with runs of words weighed alike, by the counts that dedup learns from the set, and by what the
store learns as documents come ("nearby", against dedup as it is). Prints a line of JSON each; of the third only who is
removed, and for whom, is compared, as the similarities are by other counts.
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
    given = () if commonness == "nearby" else ("--commonness", commonness)
    run(*dedup, folder / "offline", *given)
    run(program, "index", "create", folder / "store", "--recipe", "default", *given)
    run(program, "index", "add", folder / "store", path, "-o", folder / "verdicts.jsonl")
    return fates(folder / "offline/duplicates.jsonl", "kind"), fates(folder / "verdicts.jsonl", "verdict")


def compare(offline, online, commonness):
    if commonness != "nearby":
        return {"differ": sum(offline.get(key) != online.get(key) for key in offline.keys() | online.keys())}
    return {"by_the_store": len(online),
            "store_only": len(online.keys() - offline.keys()),
            "dedup_only": len(offline.keys() - online.keys()),
            "other_original": sum(offline[key][1] != online[key][1] for key in offline.keys() & online.keys())}


def main():
    program, sets = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    for path in map(pathlib.Path, sets):
        for commonness in ("none", "learnt", "nearby"):
            with tempfile.TemporaryDirectory() as folder:
                offline, online = replay(program, path, pathlib.Path(folder), commonness)
            print(json.dumps({"set": path.stem, "commonness": commonness, "duplicates": len(offline)}
                             | compare(offline, online, commonness)), flush=True)


if __name__ == "__main__":
    main()
