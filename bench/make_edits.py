#!/usr/bin/env python3
"""Makes a labelled set of edited copies from real texts, for recipes that no labelled set fits: source code, single lines.

Usage: make_edits.py code|lines JSONL OUT [--originals N] [--copies C] [--seed S]

JSONL holds one object a line with id and text. OUT gets id, text, cluster (one per original) and edit; measure with
quality.py FOLDER --set NAME=cluster after zstd OUT. Half of the originals get C copies, each with one or two edits; the other
half stay alone, so that false pairs can show. `code` takes texts that look like source code by their id's ending.
Edits of code: rename (identifiers, all of a name), layout (indentation, blank lines, braces on lines of their own), comments (taken out or
other ones), header (another licence notice), body (a tenth of the lines replaced by those of another file), cut (the last quarter gone).
Edits of lines: digits (every number another one), word (one word replaced), typo (two letters), case, tail (words added or cut at the end).
"""
import argparse, collections, json, random, re

CODE = re.compile(r"\.(c|cc|cpp|h|hpp|java|py|js|ts|go|rs|rb|php|cs|pl|sh|scala|kt|swift|m)$", re.I)
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
KEYWORDS = set("""if else for while do return break continue switch case default class struct public private protected static const
int char void float double long short unsigned signed bool true false null None True False import from include define def
function var let new this self try catch except finally throw raise package namespace using template typename in is not and or""".split())


def rename(lines, rng, _):
    names = sorted({w for line in lines for w in WORD.findall(line) if w not in KEYWORDS and len(w) > 2})
    chosen = {w: w[0] + "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(5)) + "_" + w[-1]
              for w in rng.sample(names, len(names) // 4)}
    return [WORD.sub(lambda m: chosen.get(m.group(), m.group()), line) for line in lines]


def layout(lines, rng, _):
    out = []
    for line in lines:
        bare = line.lstrip()
        indent = line[:len(line) - len(bare)].replace("    ", "\t").replace("  ", "\t")
        if bare.endswith("{") and len(bare) > 1 and rng.random() < .8:
            out += [indent + bare[:-1].rstrip(), indent + "{"]
        else:
            out.append(indent + bare)
        if rng.random() < .1:
            out.append("")
    return out


def comments(lines, rng, other):
    words = [w for line in other for w in WORD.findall(line)] or ["text"]
    out = []
    for line in lines:
        bare = line.strip()
        if bare.startswith(("//", "#", "*", "/*")) and not bare.startswith("#include"):
            if rng.random() < .5:
                continue
            line = line[:len(line) - len(line.lstrip())] + bare[:2] + " " + " ".join(rng.choice(words) for _ in range(8))
        out.append(line)
    return out


def header(lines, rng, other):
    notice = ["/*", " * Copyright (c) %d %s" % (rng.randint(1990, 2025), rng.choice(["Example Inc.", "The Authors", "A. Person"]))]
    notice += [" * " + line.strip() for line in other[:rng.randint(5, 15)]] + [" */"]
    first = next((i for i, line in enumerate(lines) if line.strip() and not line.strip().startswith(("/", "*", "#", "'"))), 0)
    return notice + lines[min(first, len(lines) // 3):]


def body(lines, rng, other):
    out = list(lines)
    for at in rng.sample(range(len(out)), max(1, len(out) // 10)):
        out[at] = rng.choice(other)
    return out


def cut(lines, _rng, _other):
    return lines[:len(lines) - len(lines) // 4]


def digits(text, rng, _):
    return re.sub(r"\d+", lambda m: "".join(str(rng.randint(0, 9)) for _ in m.group()), text)


def word(text, rng, other):
    words = text.split()
    words[rng.randrange(len(words))] = rng.choice(other.split())
    return " ".join(words)


def typo(text, rng, _):
    chars = list(text)
    for _ in range(2):
        chars[rng.randrange(len(chars))] = rng.choice("abcdefghijklmnopqrstuvwxyz")
    return "".join(chars)


def case(text, rng, _):
    return text.upper() if rng.random() < .5 else text.title()


def tail(text, rng, other):
    words = text.split()
    return " ".join(words[:-2]) if len(words) > 8 and rng.random() < .5 else text + " " + " ".join(other.split()[:2])


EDITS = {"code": {e.__name__: e for e in (rename, layout, comments, header, body, cut)},
         "lines": {e.__name__: e for e in (digits, word, typo, case, tail)}}


def runs_of(unit, length):
    """The distinct runs of `length` words of a unit, digits apart."""
    words = re.findall(r"[^\W\d]+", "\n".join(unit) if isinstance(unit, list) else unit)
    return {hash(tuple(w.lower() for w in words[i:i + length])) for i in range(len(words) - length + 1)}


def unlike(units, length, wanted):
    """The first units that share at most a quarter of their runs with any one before: real copies would count as false."""
    places, kept = collections.defaultdict(list), []
    for unit in units:
        runs = runs_of(unit, length)
        shared = collections.Counter(at for run in runs for at in places.get(run, ()))
        if not runs or (shared and max(shared.values()) * 4 > len(runs)):
            continue
        for run in runs:
            if len(places[run]) < 200:
                places[run].append(len(kept))
        kept.append(unit)
        if len(kept) == wanted:
            break
    return kept


def read_units(kind, path, rng, wanted):
    """The originals: texts of code files as lists of lines, or single lines; no two alike."""
    units = []
    with open(path, encoding="utf8", newline="\n") as f:
        for document in map(json.loads, f):
            if kind == "code":
                lines = document["text"].split("\n")
                if CODE.search(document["id"]) and 40 <= len(lines) <= 2000:
                    units.append(lines)
            else:
                units += [line.strip() for line in document["text"].split("\n") if 40 <= len(line.strip()) <= 200]
    rng.shuffle(units)
    return unlike(units, 5 if kind == "code" else 2, wanted)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=sorted(EDITS))
    parser.add_argument("jsonl")
    parser.add_argument("out")
    parser.add_argument("--originals", type=int, default=4000)
    parser.add_argument("--copies", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    units = read_units(args.kind, args.jsonl, rng, args.originals)
    edits = EDITS[args.kind]
    to_text = "\n".join if args.kind == "code" else str
    rows = []
    for number, unit in enumerate(units):
        rows.append((number, "original", unit))
        for _ in range(args.copies if number % 2 == 0 else 0):
            names = rng.sample(sorted(edits), rng.choice((1, 1, 2)))
            copy = unit
            for name in names:
                copy = edits[name](copy, rng, units[rng.randrange(len(units))])
            rows.append((number, "+".join(names), copy))
    rng.shuffle(rows)
    with open(args.out, "w", encoding="utf8", newline="\n") as f:
        for i, (cluster, edit, unit) in enumerate(rows):
            f.write(json.dumps({"id": f"d{i}", "text": to_text(unit), "cluster": cluster, "edit": edit}, ensure_ascii=False) + "\n")
    print(f"{len(rows)} documents, {len(units)} originals")


if __name__ == "__main__":
    main()
