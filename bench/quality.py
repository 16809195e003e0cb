#!/usr/bin/env python3
"""Runs `neardup dedup --pairs` on labelled sets and prints precision, recall and F1 of the duplicate pairs.

Usage: quality.py NEARDUP DATA_FOLDER [--table NAME] [--set NAME=TRUTH] [--only NAME] [--work DIR] [--json OUT]
                  [-- MORE DEDUP OPTIONS]

DATA_FOLDER holds NAME.jsonl.zst (fields id, text, perhaps cluster and edit) and NAME.pairs.txt (columns i j jaccard
containment). --table main (the default), distance, recipes or edits says what is measured: docs/quality.md shows all four.
--set measures sets of your own in place of those in SETS (may be repeated): TRUTH is "cluster" or a number T.
Also counts broken invariants: a removed document whose kept one is not kept or not verified similar to it, and
kept + removed + rejected != read.
"""
import argparse, collections, itertools, json, os, shutil, subprocess, sys, tempfile

# (set, truth): truth "cluster" = same label, or a number T = listed pairs with Jaccard >= T.
SETS = [("en_reprint", "cluster"), ("zh_reprint", "cluster"), ("en_reuters", 0.7), ("en_spamassassin", 0.8),
        ("en_pep_revisions", 0.8)]
PAPER = ["--recipe", "paper", "--distance", "3", "--verify", "none"]


def rule(truth):
    return ["--verify", "origin" if truth == "cluster" else f"jaccard:{truth}"]


def rules(truth):
    """Reprints are measured by the default rule as well as by the one that is made for them."""
    return [["--verify", "content"], rule(truth)] if truth == "cluster" else [rule(truth)]


def parse_set(text):
    """"news=cluster" or "news=0.8" -> (set, truth)."""
    name, _, truth = text.rpartition("=")
    return name, truth if truth == "cluster" else float(truth)


def jobs(table, sets):
    """Returns the (set, truth, options) of a table. Sets with clusters are those of edited copies."""
    reprints = [(name, truth) for name, truth in sets if truth == "cluster"]
    if table == "main":
        return [(n, t, options) for n, t in sets for options in rules(t)] + [(n, t, PAPER) for n, t in reprints]
    if table == "distance":
        return [(n, t, rule(t) + ["--distance", str(k)]) for n, t in reprints or sets for k in (3, 6, 8, 10, 12, 13, 14)]
    if table == "recipes":
        return [(n, t, rule(t) + ["--recipe", r]) for n, t in sets for r in ("default", "thorough", "grams", "paper")]
    return [(n, t, options) for n, t in reprints for options in [*rules(t), PAPER]]


def with_more(options, more):
    """Returns both, but for what cannot go together: --family beside a distance, --templates beside another rule."""
    if "--distance" in options:
        names = [at for at, option in enumerate(more) if option == "--family"]
        dropped = {at + i for at in names for i in (0, 1)}
        more = [o for at, o in enumerate(more) if at not in dropped and not o.startswith("--family=")]
    if "--verify" in options and options[options.index("--verify") + 1] != "origin":
        more = [o for o in more if o != "--templates"]
    return options + more


def read_documents(path):
    with open(path, "rb") as packed:
        data = subprocess.run(["zstd", "-dc", "--long=27"], stdin=packed, check=True, stdout=subprocess.PIPE).stdout
    return [json.loads(line) for line in data.decode("utf8").split("\n") if line]


def pair(a, b):
    return (a, b) if a < b else (b, a)


def true_pairs(folder, name, truth, documents):
    if truth == "cluster":
        members = collections.defaultdict(list)
        for i, document in enumerate(documents):
            if document.get("cluster") not in (None, "", -1):
                members[document["cluster"]].append(i)
        return {pair(a, b) for m in members.values() for a, b in itertools.combinations(m, 2)}
    pairs = set()
    with open(f"{folder}/{name}.pairs.txt", encoding="utf8") as f:
        for line in f:
            columns = line.split()
            if len(columns) >= 3 and columns[0].isdigit() and float(columns[2]) >= truth:
                pairs.add(pair(int(columns[0]), int(columns[1])))
    return pairs


def lines(path):
    with open(path, encoding="utf8", newline="\n") as f:
        return [json.loads(line) for line in f]


def broken_invariants(out, pairs):
    report = json.load(open(f"{out}/report.json", encoding="utf8"))
    total = report["total"]
    removed = lines(f"{out}/duplicates.jsonl")
    gone = {d["id"] for d in removed}
    broken = int(total["read"] != total["kept"] + total["removed_exact"] + total["removed_near"] + total["rejected"])
    for d in removed:
        broken += d["duplicate_of"] in gone or pair(d["id"], d["duplicate_of"]) not in pairs
    return broken


def recall_by_edit(documents, found):
    """Returns for each edit how many edited documents there are and which part was paired with its original; several
    edits of one document count as "mixed"."""
    original = {d["cluster"]: i for i, d in enumerate(documents) if d.get("edit") == "original"}
    tally = collections.defaultdict(lambda: [0, 0])
    for i, document in enumerate(documents):
        edit = document.get("edit")
        if edit in (None, "single", "original"):
            continue
        row = tally[f"mixed, {edit.count('+') + 1}" if "+" in edit else edit]
        row[0] += 1
        row[1] += pair(i, original[document["cluster"]]) in found
    return {edit: {"documents": n, "recall": round(hits / n, 4)} for edit, (n, hits) in sorted(tally.items())}


def run_job(neardup, folder, name, truth, options, work):
    documents = read_documents(f"{folder}/{name}.jsonl.zst")
    corpus, out = f"{work}/{name}.jsonl", f"{work}/{name}.out"
    with open(corpus, "w", encoding="utf8", newline="\n") as f:
        for i, document in enumerate(documents):
            f.write(json.dumps({"id": str(i), "text": document["text"]}, ensure_ascii=False) + "\n")
    shutil.rmtree(out, ignore_errors=True)
    subprocess.run([neardup, "dedup", corpus, "-o", out, "--pairs", "--progress", "off", *options], check=True,
                   stderr=subprocess.PIPE)
    by_id = {pair(p["a"], p["b"]) for p in lines(f"{out}/pairs.jsonl")}
    found = {pair(int(a), int(b)) for a, b in by_id}
    true = true_pairs(folder, name, truth, documents)
    hits = len(found & true)
    precision, recall = hits / max(1, len(found)), hits / max(1, len(true))
    report = json.load(open(f"{out}/report.json", encoding="utf8"))
    return {"set": name, "truth": truth, "options": " ".join(options), "pairs": len(true), "found": len(found),
            "precision": round(precision, 4), "recall": round(recall, 4),
            "f1": round(2 * precision * recall / max(1e-9, precision + recall), 4),
            "candidates_per_document": round(report["pairs"]["candidates"] / len(documents), 3),
            "broken_invariants": broken_invariants(out, by_id),
            "recall_by_edit": recall_by_edit(documents, found)}


def main():
    argv, more = sys.argv[1:], []
    if "--" in argv:
        at = argv.index("--")
        argv, more = argv[:at], argv[at + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neardup")
    parser.add_argument("folder")
    parser.add_argument("--table", choices=["main", "distance", "recipes", "edits"], default="main")
    parser.add_argument("--set", action="append", type=parse_set)
    parser.add_argument("--work")
    parser.add_argument("--json")
    parser.add_argument("--only", action="append")
    args = parser.parse_args(argv)
    work = args.work or tempfile.mkdtemp(prefix="neardup-quality-")
    os.makedirs(work, exist_ok=True)
    results = []
    print(f"{'set':18} {'truth':>8} {'pairs':>7} {'found':>7} {'P':>7} {'R':>7} {'F1':>7} {'c/doc':>8} {'broken':>6}  options")
    for name, truth, options in jobs(args.table, args.set or SETS):
        if args.only and name not in args.only:
            continue
        r = run_job(args.neardup, args.folder, name, truth, with_more(options, more), work)
        results.append(r)
        print(f"{r['set']:18} {str(r['truth']):>8} {r['pairs']:>7} {r['found']:>7} {r['precision']:>7.4f} {r['recall']:>7.4f} "
              f"{r['f1']:>7.4f} {str(r['candidates_per_document']):>8} {r['broken_invariants']:>6}  {r['options']}", flush=True)
        if args.table == "edits":
            for edit, row in r["recall_by_edit"].items():
                print(f"  {edit:16} {row['documents']:>6} {row['recall']:.4f}")
    if args.json:
        with open(args.json, "w", encoding="utf8") as f:
            json.dump(results, f, indent=1)
    if not args.work:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
