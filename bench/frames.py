#!/usr/bin/env python3
"""frames: how many of a family of made-up texts `neardup dedup` removes.

usage: frames.py --program build/release/neardup [--store] [--only WORDS] [-- FLAGS OF DEDUP...]

Three families of which every text shares words with every other one:
  forms    each text has a frame that all share, and words of its own: one block of them, or scattered
  copies   each text is one article in a frame of its own (what stands around it on another page)
  sites    each text is one article on a page of one of 25 sites: the site's frame is on 20 pages, 5 words are the page's own
All words are drawn at random from 20,000 made-up ones. A cell says how many were removed of all but one.
"""
import argparse
import json
import random
import subprocess
import tempfile
from pathlib import Path

OWN = (0, 3, 6, 10, 15, 20, 30, 55, 88, 130, 200)
FORMS = ((50, 100), (400, 2), (400, 6), (400, 12), (400, 30), (400, 500), (2000, 500))
COPIES = (2, 6, 12, 20, 40)


class Words:
    def __init__(self, seed):
        self._random = random.Random(seed)
        self._all = [self._word() for _ in range(20000)]

    def _word(self):
        return "".join(self._random.choice("bdfgklmnprstv") + self._random.choice("aeiou") for _ in range(self._random.randint(2, 4)))

    def draw(self, number):
        return [self._random.choice(self._all) for _ in range(number)]

    def scattered(self, frame, number):
        """`frame` with `number` of its words replaced."""
        text = list(frame)
        for place, word in zip(self._random.sample(range(len(frame)), number), self.draw(number)):
            text[place] = word
        return text


def forms(frame_words, members, own, scattered):
    words = Words(frame_words + own)
    frame, middle = words.draw(frame_words), frame_words // 2
    if scattered:
        return [words.scattered(frame, own) for _ in range(members)]
    return [frame[:middle] + words.draw(own) + frame[middle:] for _ in range(members)]


def copies(number, own):
    words = Words(number + own)
    article = words.draw(300)
    return [words.draw(own // 2) + article + words.draw(own - own // 2) for _ in range(number)]


def sites(frame_words):
    words = Words(frame_words)
    article, texts = words.draw(300), []
    for _ in range(25):
        head, foot = words.draw(frame_words // 2), words.draw(frame_words // 2)
        texts += [head + article + words.draw(5) + foot for _ in range(20)]
    return texts


class Remover:
    def __init__(self, arguments):
        self._program, self._flags, self._only, self._to_store = arguments.program, arguments.flags, arguments.only, arguments.store

    def wants(self, name):
        return self._only in name

    def removed(self, texts):
        with tempfile.TemporaryDirectory(prefix="frames-") as folder:
            path = Path(folder) / "texts.jsonl"
            path.write_text("".join(json.dumps({"id": str(i), "text": " ".join(text)}) + "\n" for i, text in enumerate(texts)))
            out = Path(folder) / "out"
            if self._to_store:
                self._run("index", "create", out, path)
                return json.loads(self._run("index", "info", out, "--json"))["duplicates"]
            self._run("dedup", path, "-o", out)
            return len((out / "duplicates.jsonl").read_text().splitlines())

    def _run(self, *words):
        progress = () if "info" in words else ("--progress", "off", *self._flags)
        return subprocess.run([self._program, *words, *progress], check=True, capture_output=True).stdout


def row(name, cells):
    print(f"{name:28}" + "".join(f"{cell:>5}" for cell in cells), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/neardup")
    parser.add_argument("--store", action="store_true", help="a store is made of the texts instead: index create")
    parser.add_argument("--only", default="", metavar="WORDS", help="rows that have these words in their names")
    parser.add_argument("flags", nargs="*", help="behind --: of dedup, or of index create")
    arguments = parser.parse_args()
    remover = Remover(arguments)
    row("own words of each", OWN)
    for frame_words, members in FORMS:
        for scattered in (False, True):
            name = f"form of {frame_words}, {members}{' scattered' if scattered else ''}"
            if not remover.wants(name):
                continue
            row(name, [remover.removed(forms(frame_words, members, n, scattered)) if n < frame_words or not scattered else "" for n in OWN])
    for number in COPIES:
        if remover.wants(f"copies, {number}"):
            row(f"copies, {number}", [remover.removed(copies(number, n)) for n in OWN])
    for frame_words in (50, 150, 300):
        if remover.wants(f"sites, frames of {frame_words}, 500"):
            row(f"sites, frames of {frame_words}, 500", [remover.removed(sites(frame_words))])


if __name__ == "__main__":
    main()
