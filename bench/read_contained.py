#!/usr/bin/env python3
"""Real sets under `neardup dedup --contained`: a sample of what was removed, to be read, and what was missed.

  read_contained.py sample SET.jsonl OUT [--pairs 15] [--seed 1]   pairs removed as contained, for a reader
  read_contained.py missed SET.jsonl OUT [--share 0.8]             against all runs of all documents

OUT is the folder of a run over SET.jsonl (members "id" and "text"). Words are runs of letters and digits, single
characters in Han, kana and the scripts of South East Asia: about the tokens of the default recipe.

`missed` looks up every run of 8 words of every document in all others: no selection, no pair left out but those whose
every common run is in more than 200 documents. Of each document of 24 words and more it finds whether a longer one (by 1 / share) holds the share of it, and says
what became of it: removed (as whatever), or kept, and then how many documents have its rarest runs.
"""
import argparse
import bisect
import collections
import json
import random
import re

RUN = 8
MOST = 200
WORD = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]|[^\W_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]+")


def words_of(text):
    return WORD.findall(text.lower())


def runs_of(words):
    return [hash(tuple(words[i : i + RUN])) for i in range(len(words) - RUN + 1)]


def marks_of(words, has):
    """Returns of each word whether it lies in a run that `has` accepts."""
    marks = bytearray(len(words))
    for begin, run in enumerate(runs_of(words)):
        if has(run):
            marks[begin : begin + RUN] = b"\1" * RUN
    return marks


def read(set_path, out):
    texts = {}
    with open(set_path, encoding="utf-8", newline="\n") as file:
        for line in file:
            document = json.loads(line)
            texts[str(document["id"])] = document["text"]
    with open(f"{out}/duplicates.jsonl", encoding="utf-8", newline="\n") as file:
        removed = {str(line["id"]): line for line in map(json.loads, file)}
    return texts, removed


def shown(words, marks):
    """Returns the words, those that are not held in brackets."""
    out, was_held = [], True
    for word, held in zip(words, marks):
        if bool(held) != was_held:
            out.append("[[" if was_held else "]]")
            was_held = bool(held)
        out.append(word)
    return " ".join(out + ([] if was_held else ["]]"]))


def sample(arguments):
    texts, removed = read(arguments.set, arguments.out)
    contained = sorted(id for id, line in removed.items() if line["kind"] == "contained")
    for id in random.Random(arguments.seed).sample(contained, min(arguments.pairs, len(contained))):
        line = removed[id]
        short, long = words_of(texts[id]), words_of(texts[str(line["duplicate_of"])])
        have = set(runs_of(long))
        print(f"=== {id} in {line['duplicate_of']}: {line['similarity']} of {len(short)} words; {len(long)} words")
        print(shown(short, marks_of(short, have.__contains__))[: arguments.characters])
        print(f"--- begins: {' '.join(long[:40])}"[: arguments.characters])
    print(f"{len(contained)} were removed as contained")


def missed(arguments):
    texts, removed = read(arguments.set, arguments.out)
    ids = list(texts)
    words = [words_of(texts[id]) for id in ids]
    holders = collections.defaultdict(list)
    for number, one in enumerate(words):
        for run in set(runs_of(one)):
            holders[run].append(number)
    lengths = [len(one) for one in words]
    counts, kept = collections.Counter(), []
    for number, one in enumerate(words):
        if len(one) < arguments.words:
            continue
        runs, least = runs_of(one), arguments.share * len(one)
        met = collections.Counter(
            holder
            for run in runs
            if len(holders[run]) <= MOST
            for holder in holders[run]
            if lengths[holder] * arguments.share >= len(one)
        )
        containers = [
            holder
            for holder in met
            if holder != number and sum(marks_of(one, lambda run: contains(holders[run], holder))) >= least
        ]
        if not containers:
            continue
        line = removed.get(ids[number])
        went = [removed[ids[holder]]["duplicate_of"] for holder in containers if ids[holder] in removed]
        fate = line["kind"] if line else "the longer one went for it" if ids[number] in map(str, went) else "kept"
        counts[fate] += 1
        if fate == "kept":
            rare = sorted(len(holders[run]) for run in runs)
            kept.append((ids[number], len(one), rare[len(rare) // 4], len(containers)))
    total = sum(counts.values())
    settled = 1 - counts["kept"] / max(1, total)
    print(f"{total} documents are held by a longer one: {dict(counts)}; {settled:.3f} are settled")
    few = [one for one in kept if one[2] <= 16]
    print(f"of those kept {len(few)} have a quarter of their runs in 16 documents or fewer")
    for id, size, rare, number in few[:20]:
        print(f"  {id}: {size} words, {number} hold it; a quarter of its runs are in {rare} documents or fewer")


def contains(ascending, number):
    place = bisect.bisect_left(ascending, number)
    return place < len(ascending) and ascending[place] == number


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["sample", "missed"])
    parser.add_argument("set")
    parser.add_argument("out")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--words", type=int, default=50, help="of the shortest that are looked at")
    parser.add_argument("--share", type=float, default=0.8)
    parser.add_argument("--characters", type=int, default=700, help="shown of a text")
    arguments = parser.parse_args()
    {"sample": sample, "missed": missed}[arguments.what](arguments)


if __name__ == "__main__":
    main()
