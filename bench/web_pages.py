#!/usr/bin/env python3
"""web_pages: how well near-duplicate articles are found on web pages that differ in all else.

usage: web_pages.py NEARDUP SET.jsonl[.zst]... [--work DIR] [--seed S] [--copies C]

A line of a set is an object with "html" and "text", its true main text. Makes a folder of pages from them and prints
precision, recall and F1 of the duplicate pairs that `neardup dedup --pairs` finds there by several recipes, and of the
default recipe on the texts that trafilatura extracts (Python packages lxml and, for that, trafilatura).

The pages: each article as it stands, and of half of the articles C copies, each put in place of the article of another
page, its site: so pages of a site share header, navigation, related links and footer, but not the article, and copies
of an article share nothing else. There are as many sites as a tenth of the pages. Each copy has other dates, counters, share bars, ad
blocks, links with tracking parameters and session ids, other white space between its tags, and every third one another
encoding (UTF-16, GB18030, windows-1251, windows-1252: the first of a random order that can express the page). Half of the copies
have their text edited: its last third is gone, every twentieth word is replaced, paragraphs are put in another order, or two
paragraphs of another article stand before it. The article of a page is the smallest element that holds nine tenths of the words of
its true text; pages where it holds as much else again are left out, as are those of less than 600 bytes of text.
Labels are articles; of pages whose texts have half of the shorter one's 5-word runs in common only the first is taken.
"""
import argparse
import collections
import itertools
import json
import random
import re
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import lxml.html

WORD = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
ENCODINGS = ["utf-16", "gb18030", "windows-1251", "windows-1252"]
BLOCKS = ("p", "div", "ul", "ol", "table", "section", "blockquote", "h1", "h2", "h3", "figure", "pre")
MONTHS = "January February March April May June July August September October November December".split()


def words(text):
    return WORD.findall(text.lower())


def visible_words(element):
    parts = []
    for node in element.iter():
        if isinstance(node.tag, str) and node.tag not in ("script", "style", "noscript") and node.text:
            parts.append(node.text)
        if node.tail and node is not element:
            parts.append(node.tail)
    return collections.Counter(words(" ".join(parts)))


def article_of(root, text):
    """Returns the smallest element that holds nine tenths of the words of `text`; None where it holds too much else."""
    truth = collections.Counter(words(text))
    size = sum(truth.values())
    at = root.find("body") if root.find("body") is not None else root
    while True:
        inner = [child for child in at if isinstance(child.tag, str) and
                 sum((visible_words(child) & truth).values()) >= .9 * size]
        if not inner:
            break
        at = inner[0]
    return at if sum(visible_words(at).values()) <= 2 * size and at.tag != "body" else None


def read_set(path):
    data = subprocess.run(["zstd", "-dcq", "--long=27", str(path)], check=True, capture_output=True).stdout \
        if path.suffix == ".zst" else path.read_bytes()
    return [json.loads(line) for line in data.split(b"\n") if line.strip()]


def parse(html):
    return lxml.html.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", html))


def usable(pages):
    out = []
    for page in pages:
        if len(page["text"].encode()) >= 600 and article_of(parse(page["html"]), page["text"]) is not None:
            out.append(page)
    return out


def edit_text(blocks, other, rng):
    """Edits the paragraphs of an article; returns the edit's name."""
    kind = rng.choice(["cut", "words", "order", "preface"])
    if kind == "cut":
        for block in blocks[len(blocks) * 2 // 3:]:
            block.drop_tree()
    elif kind == "words":
        pool = words(" ".join(other))
        for block in blocks:
            for node in block.iter():
                if isinstance(node.tag, str) and node.text:
                    node.text = " ".join(rng.choice(pool) if rng.random() < .05 else word for word in node.text.split(" "))
    elif kind == "order" and len(blocks) > 3:
        first, second = rng.sample(range(len(blocks)), 2)
        a, b = blocks[first], blocks[second]
        a.text, b.text = b.text, a.text
        a[:], b[:] = list(b), list(a)
    else:
        for line in other[:2]:
            new = lxml.html.Element("p")
            new.text = line
            blocks[0].addprevious(new)
        kind = "preface"
    return kind


def furniture(rng):
    """What changes from one visit of a page to the next."""
    date = f"{rng.choice(MONTHS)} {rng.randint(1, 28)}, {rng.randint(2015, 2026)}"
    number = rng.randint(1000, 99999)
    before = (f'<div class="meta"><span class="author">By Staff Writer {number}</span> <time>{date} {rng.randint(1, 12)}:{rng.randint(10, 59)} pm</time>'
              f'<span class="views">{number:,} views</span></div><ul class="share-buttons"><li><a href="#s">Share</a></li>'
              f'<li><a href="#t">Tweet</a></li><li>{number % 977} comments</li></ul>')
    ad = f'<div class="ad-slot" id="ad-{number}"><p>Advertisement: offer number {number} ends on {date}, order now.</p></div>'
    after = (f'<div class="tags">Tags: <a href="/t/{number}">news</a>, <a href="/t/x">more</a></div>'
             f'<div class="newsletter"><p>Sign up for letter {number} and never miss a story.</p></div>')
    return before, ad, after


def fragments(html):
    return lxml.html.fragments_fromstring(html)


def tracked(root, rng):
    for link in root.iter("a"):
        href = link.get("href")
        if href and not href.startswith("#") and rng.random() < .8:
            link.set("href", href + ("&" if "?" in href else "?") + f"utm_source=s{rng.randint(1, 99)}&sid={rng.getrandbits(64):x}")


def laid_out(html, rng):
    if rng.random() < .5:
        return re.sub(r">\s+<", "> <", html)
    indent = " " * rng.choice([1, 2, 4])
    return re.sub(r"(</?(?:" + "|".join(BLOCKS) + r")\b[^>]*>)", lambda m: "\n" + indent + m.group(1), html)


def encoded(html, rng):
    html = re.sub(r"<meta[^>]*charset[^>]*>", "", html, flags=re.I)
    for name in rng.sample(ENCODINGS, len(ENCODINGS)) if rng.random() < 1 / 3 else []:
        try:
            tag = "" if name == "utf-16" else f'<meta charset="{name}">'
            return re.sub(r"(<head[^>]*>)", lambda m: m.group(1) + tag, html, count=1, flags=re.I).encode(name)
        except UnicodeEncodeError:
            continue
    return re.sub(r"(<head[^>]*>)", r'\1<meta charset="utf-8">', html, count=1, flags=re.I).encode("utf-8", "replace")


def copy_of(page, site, other, rng):
    """Returns the bytes of `page`'s article on the page of `site`, and the edit's name."""
    article = article_of(parse(page["html"]), page["text"])
    root = parse(site["html"])
    place = article_of(root, site["text"])
    for script in list(article.iter("script", "style")):
        script.drop_tree()
    kind = "none"
    blocks = [p for p in article.iter("p") if len(" ".join(p.itertext()).split()) > 5]
    if rng.random() < .5 and len(blocks) > 3:
        kind = edit_text(blocks, [line for line in other["text"].split("\n") if len(line) > 60], rng)
    before, ad, after = furniture(rng)
    inner = list(article)
    middle = len(inner) // 2
    place.text = article.text
    place[:] = fragments(before) + inner[:middle] + fragments(ad) + inner[middle:] + fragments(after)
    tracked(root, rng)
    title = root.find(".//title")
    if title is not None:
        title.text = " ".join(page["text"].split()[:8]) + " | " + (title.text or "").split("|")[-1].strip()
    return encoded(laid_out(lxml.html.tostring(root, encoding="unicode", doctype="<!DOCTYPE html>"), rng), rng), kind


def without_repeated(pages):
    """Returns the pages whose article no page before them has."""
    taken, runs = [], []
    for page in pages:
        w = words(page["text"])
        own = {tuple(w[i:i + 5]) for i in range(len(w) - 4)}
        if all(len(own & other) < .5 * max(1, min(len(own), len(other))) for other in runs):
            taken.append(page)
            runs.append(own)
    return taken


def make(pages, folder, copies, rng):
    """Writes the pages; returns their labels and edits by file name."""
    labels, edits = {}, {}
    long = [i for i, page in enumerate(pages) if len(page["text"]) >= 3000]
    sites = rng.sample(range(len(pages)), max(2, len(pages) // 10))

    def write(data, cluster, edit):
        name = f"{len(labels):05}.html"
        (folder / name).write_bytes(data)
        labels[name], edits[name] = cluster, edit

    for i, page in enumerate(pages):
        write(page["html"].encode("utf-8", "surrogatepass"), i, "original")
    for i in rng.sample(range(len(pages)), len(pages) // 2):
        for site in rng.sample([s for s in sites if s != i], min(copies, len(sites) - 1)):
            other = pages[rng.choice([o for o in long if o != i])]
            data, kind = copy_of(pages[i], pages[site], other, rng)
            write(data, i, kind)
    return labels, edits


def pair(a, b):
    return (a, b) if a < b else (b, a)


def lines(path):
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def found_pairs(out):
    """Pairs of --pairs, with exact copies standing for each other."""
    copies = collections.defaultdict(set)
    for row in lines(out / "duplicates.jsonl"):
        if row["kind"] == "exact":
            copies[row["duplicate_of"]].add(row["id"])
    group = {member: {kept, *members} for kept, members in copies.items() for member in {kept, *members}}
    pairs = set()
    for kept, members in copies.items():
        pairs |= {pair(a, b) for a, b in itertools.combinations(sorted({kept, *members}), 2)}
    for row in lines(out / "pairs.jsonl"):
        pairs |= {pair(a, b) for a in group.get(row["a"], {row["a"]}) for b in group.get(row["b"], {row["b"]}) if a != b}
    return pairs


def measure(neardup, name, inputs, labels, edits, work, options):
    out = work / "out"
    shutil.rmtree(out, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    ran = subprocess.run([neardup, "dedup", str(inputs), "-o", str(out), "--pairs", "--progress", "off", "--threads", "1", *options],
                         capture_output=True, text=True)
    if ran.returncode != 0:
        raise SystemExit(f"{' '.join(options)}: {ran.stderr}")
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    found = found_pairs(out)
    members = collections.defaultdict(list)
    for page, label in labels.items():
        members[label].append(page)
    true = {pair(a, b) for m in members.values() for a, b in itertools.combinations(m, 2)}
    hits = len(found & true)
    p, r = hits / max(1, len(found)), hits / max(1, len(true))
    original = {labels[page]: page for page, edit in reversed(edits.items()) if edit == "original"}
    recall = collections.defaultdict(list)
    for page, edit in edits.items():
        if edit != "original":
            recall[edit].append(pair(page, original[labels[page]]) in found)
    by_edit = ", ".join(f"{edit} {sum(r) / len(r):.3f}" for edit, r in sorted(recall.items()))
    print(f"| {name} | {p:.4f} | {r:.4f} | {2 * p * r / max(1e-9, p + r):.4f} | {len(found)} | {seconds:.2f} | {by_edit} |", flush=True)


def trafilatura_texts(pages_folder, labels, out):
    import trafilatura

    before = time.process_time()
    with open(out, "w", encoding="utf-8") as file:
        for name in labels:
            text = trafilatura.extract((pages_folder / name).read_bytes(), favor_precision=True, include_comments=False) or ""
            file.write(json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n")
    return time.process_time() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neardup")
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--copies", type=int, default=3)
    args = parser.parse_args()
    work = args.work or Path(tempfile.mkdtemp(prefix="neardup-web-"))
    folder = work / "pages"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    pages = without_repeated(usable([page for path in args.sets for page in read_set(path)]))
    labels, edits = make(pages, folder, args.copies, random.Random(args.seed))
    counts = collections.Counter(edits.values())
    size = sum((folder / name).stat().st_size for name in labels) / 1e6
    print(f"{len(labels)} pages, {size:.0f} MB; " + ", ".join(f"{n} {edit}" for edit, n in counts.items()) + "\n")
    print("| what | P | R | F1 | pairs found | CPU s | share of copies found with their original, by edit |\n|---|---|---|---|---|---|---|")
    for name, options in [("`web`", ["--recipe", "web"]), ("`web --family simhash`", ["--recipe", "web", "--family", "simhash"]),
                          ("`default`", []), ("`default`, raw HTML", ["--extraction", "none"]),
                          ("`default --family simhash`, raw HTML", ["--extraction", "none", "--family", "simhash"])]:
        measure(args.neardup, name, folder, labels, edits, work, ["--verify", "origin", *options])
    try:
        seconds = trafilatura_texts(folder, labels, work / "texts.jsonl")
    except ImportError:
        return
    measure(args.neardup, f"`default`, trafilatura's texts (+ {seconds:.0f} s)", work / "texts.jsonl", labels, edits, work,
            ["--verify", "origin"])


if __name__ == "__main__":
    main()
