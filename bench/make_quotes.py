#!/usr/bin/env python3
"""Makes a labelled set of texts that quote others from real ones, and measures `neardup dedup --contained` on it.

Usage: make_quotes.py make JSONL OUT [--quotes N] [--characters] [--seed S]
       make_quotes.py measure PROGRAM SET WORK [-- FLAGS OF DEDUP...]

JSONL holds one object a line with id and text. SET gets id, text, kind, and for short documents `share` (of its words, that its
hosts hold) and `hosts`. A short document has 50 to 400 words (--characters: characters, for Chinese); its host is 4 to 100 times as
long. What the hosts quote is in no other document, so a find that the labels do not have is wrong, or natural: those are counted apart.
Kinds of short documents:
  whole       the host has all of it                            contained
  edited      and one word in fifty is another one              contained
  part        of nine tenths; the rest is its own               contained
  two         two documents have it, the one in part            contained (in the one that has all)
  half        the host has 45 to 65 % of it                     stays
  beside      the host quotes what stood behind it              stays
  licence     15 % of its own below a licence that one document in ten has    stays
  frame       nothing but that licence                          stays
"""
import argparse, collections, json, random, subprocess, sys

LENGTHS = [50, 75, 100, 200, 400]
CONTAINED = ["whole", "edited", "part", "two"]
STAYS = ["half", "beside", "licence", "frame"]


def read(path):
    if path.endswith(".zst"):
        data = subprocess.run(["zstd", "-dc", "--long=27", path], check=True, capture_output=True).stdout.decode("utf8")
    else:
        data = open(path, encoding="utf8").read()
    return [json.loads(line) for line in data.split("\n") if line]


class Maker:
    def __init__(self, options):
        self.rng = random.Random(options.seed)
        self.glue = "" if options.characters else " "
        cut = (lambda text: [c for c in text if not c.isspace()]) if options.characters else str.split
        texts = [cut(document["text"]) for document in read(options.jsonl)]
        self.texts = [text for text in texts if len(text) >= 1000]
        self.rng.shuffle(self.texts)
        hosts = len(self.texts) // 3
        self.hosts, quoted = self.texts[:hosts], self.texts[hosts:]
        longest = 2 * LENGTHS[-1]
        self.pieces = [text[at:at + longest] for text in quoted for at in range(0, len(text) - longest + 1, longest)]
        self.rng.shuffle(self.pieces)
        self.vocabulary = [word for text in self.texts[:50] for word in text]
        self.licence = self.take(300)
        self.documents = []
        self.num_hosts = 0

    def take(self, count):
        """Words that no other document gets."""
        if not self.pieces:
            sys.exit("too few texts of 1,000 words; ask for fewer --quotes")
        return self.pieces.pop()[:count]

    def edited(self, words):
        count = max(1, len(words) // 50)
        for at in self.rng.sample(range(5, len(words) - 5), count):
            words = words[:at] + [self.rng.choice(self.vocabulary)] + words[at + 1:]
        return words

    def add(self, kind, words, **labels):
        name = f"{kind}/{len(self.documents)}"
        self.documents.append({"id": name, "kind": kind, "text": self.glue.join(words), **labels})
        return name

    def host(self, quote, length):
        """A text around `quote`, 4 to 100 times as long as `length`. Its own words are of texts that other hosts have, too."""
        wanted = length * min(100, 4 * 25 ** self.rng.random())
        words = []
        while len(words) < wanted:
            text = self.rng.choice(self.hosts)
            piece = min(len(text), 200)
            at = self.rng.randrange(len(text) - piece + 1)
            words += text[at:at + piece]
        at = self.rng.randrange(len(words))
        words = words[:at] + quote + words[at:]
        if self.rng.random() < .1:
            words = words + self.licence
        self.num_hosts += 1
        return self.add("host", words)

    def whole(self, length):
        words = self.take(length)
        self.add("whole", words, share=1, hosts=[self.host(words, length)])

    def edited_quote(self, length):
        words = self.take(length)
        self.add("edited", self.edited(words), share=.98, hosts=[self.host(words, length)])

    def part(self, length):
        words = self.take(length)
        quoted = length * 9 // 10
        self.add("part", words, share=.9, hosts=[self.host(words[:quoted], length)])

    def two(self, length):
        words = self.take(length)
        self.host(words[:length // 2], length)
        self.add("two", words, share=1, hosts=[self.host(words, length)])

    def half(self, length):
        words = self.take(length)
        share = self.rng.uniform(.45, .65)
        at = self.rng.randrange(length - int(length * share))
        self.add("half", words, share=share, hosts=[self.host(words[at:at + int(length * share)], length)])

    def beside(self, length):
        words = self.take(2 * length)
        self.host(words[length:], length)
        self.add("beside", words[:length], share=0, hosts=[])

    def with_licence(self, length):
        own = self.take(max(50, len(self.licence) * 15 // 85))
        self.add("licence", own + self.licence, share=.85, hosts=[])

    def frame(self, _):
        cut = self.rng.randrange(100)
        self.add("frame", self.licence[cut:cut + 200], share=1, hosts=[])

    def run(self, count):
        makers = [self.whole] * 3 + [self.edited_quote] * 2 + [self.part, self.two, self.half, self.beside]
        for i in range(count):
            makers[i % len(makers)](LENGTHS[i // len(makers) % len(LENGTHS)])
        for _ in range(count // 50):
            self.with_licence(0)
        self.frame(0)  # of several, one would go for the other
        self.rng.shuffle(self.documents)


def make(options):
    maker = Maker(options)
    maker.run(options.quotes)
    with open(options.out, "w", encoding="utf8") as file:
        for document in maker.documents:
            file.write(json.dumps(document, ensure_ascii=False) + "\n")
    kinds = collections.Counter(document["kind"] for document in maker.documents)
    print(len(maker.documents), "documents:", ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))


def held_share(short, long):
    """The share of the words of `short` in runs of 8 that `long` has: by words as they stand, unlike the program."""
    runs = {tuple(long[at:at + 8]) for at in range(len(long) - 7)}
    held = set()
    for at in range(len(short) - 7):
        if tuple(short[at:at + 8]) in runs:
            held.update(range(at, at + 8))
    return len(held) / max(1, len(short))


def words_of(text):
    words = text.split()
    return words if len(words) > len(text) / 20 else list(text)


def measure(options):
    command = [options.program, "dedup", options.set, "-o", options.work, "--overwrite", "--progress", "off", *options.flags]
    if "--contained" not in options.flags:
        command += ["--contained", "0.8"]
    subprocess.run(command, check=True, capture_output=True)
    documents = {document["id"]: document for document in read(options.set)}
    removed = {line["id"]: line for line in read(options.work + "/duplicates.jsonl")}
    right = wrong = missed = natural = 0
    by_kind = collections.defaultdict(collections.Counter)
    for name, document in documents.items():
        kind, line = document["kind"], removed.get(name)
        if line is not None and line["kind"] != "contained":
            by_kind[kind][line["kind"]] += 1
            continue
        is_right = line is not None and line["duplicate_of"] in document.get("hosts", []) and kind in CONTAINED
        if line is not None and not is_right:
            holder = documents[line["duplicate_of"]]
            if held_share(words_of(document["text"]), words_of(holder["text"])) >= .72:
                natural += 1
                by_kind[kind]["natural"] += 1
                continue
        by_kind[kind]["right" if is_right else "wrong" if line else "missed" if kind in CONTAINED else "stays"] += 1
        right, wrong, missed = right + is_right, wrong + (line is not None and not is_right), missed + (line is None and kind in CONTAINED)
    for kind in CONTAINED + STAYS + ["host"]:
        print(f"{kind:8}", ", ".join(f"{what} {count}" for what, count in sorted(by_kind[kind].items())))
    print(f"right {right}, wrong {wrong}, natural {natural}, missed {missed}: precision {right / max(1, right + wrong):.4f}, recall {right / max(1, right + missed):.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    making = commands.add_parser("make")
    making.add_argument("jsonl")
    making.add_argument("out")
    making.add_argument("--quotes", type=int, default=2000)
    making.add_argument("--characters", action="store_true")
    making.add_argument("--seed", type=int, default=1)
    making.set_defaults(run=make)
    measuring = commands.add_parser("measure")
    measuring.add_argument("program")
    measuring.add_argument("set")
    measuring.add_argument("work")
    measuring.add_argument("flags", nargs="*")
    measuring.set_defaults(run=measure)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
