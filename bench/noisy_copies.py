#!/usr/bin/env python3
"""noisy_copies.py PROGRAM NAME=PATH...: what dedup finds of copies with misread letters, words left out and other words.

PATH is a file of JSON lines with a "text" each (.zst as well), or a folder of text files (.gz as well). Of each, up to
600 texts of at least 150 words are drawn by chance that is the same in each run; each is put beside one noisy copy of
its own, and PROGRAM dedup runs over all of them, by each rule. Printed: the part of the copies that are found as a pair
with their text, and the number of other pairs. Needs python3 and zstd.
"""
import gzip
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

MOST_TEXTS = 600
LEAST_WORDS = 150
RULES = ("content", "origin")


def texts_of(path):
    if path.is_dir():
        files = sorted(p for p in path.rglob("*") if p.is_file() and not p.is_symlink())
        raw = [gzip.open(p).read() if p.suffix == ".gz" else p.read_bytes() for p in files]
        return [data.decode("utf-8", "replace") for data in raw]
    command = ["zstd", "-dc", "--long=27", path] if path.suffix == ".zst" else ["cat", path]
    lines = subprocess.run(command, capture_output=True, check=True).stdout.decode().split("\n")
    return [json.loads(line)["text"] for line in lines if line]


def misread(rate):
    """Letters replaced by others of the text (7 of 10), left out, or doubled by another."""

    def noise(text, draw, _):
        letters = sorted({c for c in text if c.isalpha()})
        out = []
        for c in text:
            if not c.isalnum() or draw.random() >= rate:
                out.append(c)
                continue
            kind = draw.random()
            out.append(draw.choice(letters) if kind < 0.7 else "" if kind < 0.85 else c + draw.choice(letters))
        return "".join(out)

    return noise


def left_out(rate):
    return lambda text, draw, _: " ".join(word for word in text.split() if draw.random() >= rate)


def replaced(rate):
    """Words replaced by words drawn from all texts."""

    def noise(text, draw, words):
        return " ".join(
            draw.choice(words) if word.isalpha() and draw.random() < rate else word for word in text.split())

    return noise


NOISES = {"1 % letters": misread(0.01), "3 % letters": misread(0.03), "10 % left out": left_out(0.1),
          "10 % other words": replaced(0.1), "20 % other words": replaced(0.2)}


def found(program, texts, copies, rule, folder):
    source = folder / "texts.jsonl"
    with source.open("w") as out:
        for kind, some in (("text", texts), ("copy", copies)):
            for number, text in enumerate(some):
                out.write(json.dumps({"id": f"{number}/{kind}", "text": text}) + "\n")
    subprocess.run([program, "dedup", source, "-o", folder / "out", "--overwrite", "--pairs", "--verify", rule,
                    "--progress", "off"], check=True, capture_output=True)
    pairs = [json.loads(line) for line in (folder / "out" / "pairs.jsonl").open()]
    own = sum(pair["a"].split("/")[0] == pair["b"].split("/")[0] for pair in pairs)
    return own / len(texts), len(pairs) - own


def main():
    program = sys.argv[1]
    print(f"{'texts':<12} {'noise':<18}" + "".join(f" {rule:>16}" for rule in RULES))
    for argument in sys.argv[2:]:
        name, path = argument.split("=", 1)
        draw = random.Random(11)
        texts = [text for text in texts_of(Path(path)) if len(text.split()) >= LEAST_WORDS]
        texts = draw.sample(texts, min(MOST_TEXTS, len(texts)))
        words = [word for text in texts for word in text.split() if word.isalpha()]
        for noise, make in NOISES.items():
            copies = [make(text, draw, words) for text in texts]
            row = f"{name + ' ' + str(len(texts)):<12} {noise:<18}"
            for rule in RULES:
                with tempfile.TemporaryDirectory() as folder:
                    recall, others = found(program, texts, copies, rule, Path(folder))
                row += f" {recall:>9.3f} {others:>6}"
            print(row, flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main()
