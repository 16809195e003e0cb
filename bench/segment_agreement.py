#!/usr/bin/env python3
"""Compares the words of bench_segment with those of the Python package jieba (python3-jieba), text by text.

Usage: segment_agreement.py BENCH_SEGMENT JIEBA_FOLDER FILE.jsonl [--mode accurate|search|full|keywords] [--hmm off]
           [--idf FILE] [--top N] [--limit N] [--show N]

For accurate mode prints how many word boundaries agree; for search and full mode how many words, in order; for keywords
(extract_tags; --idf sets the IDF file, --top 0 takes all) how many words and weights, bit for bit. Exit status 1 where a
text differs.
"""
import argparse, importlib, json, os, subprocess, sys, tempfile


def boundaries(words):
    at, ends = 0, set()
    for word in words:
        at += len(word)
        ends.add(at)
    return ends


def expected(jieba, text, args):
    if args.mode == "search":
        return jieba.lcut_for_search(text, HMM=args.hmm == "on")
    if args.mode == "keywords":
        tags = importlib.import_module("jieba.analyse").extract_tags(text, topK=args.top or None, withWeight=True)
        return [[word, weight] for word, weight in tags]
    return jieba.lcut(text, cut_all=args.mode == "full", HMM=args.hmm == "on")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench_segment")
    parser.add_argument("jieba_folder")
    parser.add_argument("file")
    parser.add_argument("--mode", default="accurate", choices=["accurate", "search", "full", "keywords"])
    parser.add_argument("--hmm", default="on", choices=["on", "off"])
    parser.add_argument("--idf")
    parser.add_argument("--top", type=int, default=20)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--show", type=int, default=5)
    args = parser.parse_args()
    sys.path.insert(0, os.path.dirname(os.path.abspath(args.jieba_folder)))
    jieba = importlib.import_module("jieba")
    jieba.setLogLevel(60)
    if args.idf:
        importlib.import_module("jieba.analyse").set_idf_path(args.idf)
    with open(args.file, encoding="utf8", newline="\n") as f:
        texts = [json.loads(line)["text"] for line in f]
    texts = texts[:args.limit]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf8", newline="\n") as f:
        for text in texts:
            f.write(json.dumps({"text": text}, ensure_ascii=False) + "\n")
        f.flush()
        mode = args.mode + ("_no_hmm" if args.hmm == "off" else "")
        command = [args.bench_segment, args.jieba_folder, f.name, "--cut", mode, str(args.top)]
        run = subprocess.run(command + ([args.idf] if args.idf else []), check=True, stdout=subprocess.PIPE)
    total = equal = different = 0
    for text, line in zip(texts, run.stdout.decode("utf8").split("\n")):
        ours, theirs = json.loads(line), expected(jieba, text, args)
        if args.mode == "accurate":
            a, b = boundaries(ours), boundaries(theirs)
            total, equal = total + len(a | b), equal + len(a & b)
        else:
            total += max(len(ours), len(theirs))
            equal += sum(a == b for a, b in zip(ours, theirs))
        if ours != theirs:
            different += 1
            if different <= args.show:
                at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), 0)
                print(f"ours {ours[max(0, at - 2):at + 6]}\njieba {theirs[max(0, at - 2):at + 6]}")
    print(f"{mode}: {len(texts)} texts, {equal} of {total} equal ({100 * equal / max(1, total):.5f} %), "
          f"{different} texts differ")
    return 1 if different else 0


sys.exit(main())
