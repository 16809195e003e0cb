#!/usr/bin/env python3
"""Compares the words of bench_segment with those of the Python package jieba (python3-jieba), text by text.

Usage: segment_agreement.py BENCH_SEGMENT JIEBA_FOLDER FILE.jsonl [--mode accurate] [--limit N] [--show N]

For accurate modes prints how many word boundaries agree; for search and full mode and keywords (extract_tags) how many words. In full mode jieba
gives empty words between white space, which are left out here. Exit status 1 where a text differs.
"""
import argparse, importlib, json, os, subprocess, sys, tempfile


def boundaries(words):
    at, ends = 0, set()
    for word in words:
        at += len(word)
        ends.add(at)
    return ends


def expected(jieba, text, mode):
    hmm = not mode.endswith("_no_hmm")
    if mode.startswith("search"):
        return jieba.lcut_for_search(text, HMM=hmm)
    if mode == "keywords":
        return importlib.import_module("jieba.analyse").extract_tags(text)
    if mode == "full":
        return [word for word in jieba.lcut(text, cut_all=True) if word]
    return jieba.lcut(text, HMM=hmm)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench_segment")
    parser.add_argument("jieba_folder")
    parser.add_argument("file")
    parser.add_argument("--mode", default="accurate")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--show", type=int, default=5)
    args = parser.parse_args()
    sys.path.insert(0, os.path.dirname(os.path.abspath(args.jieba_folder)))
    jieba = importlib.import_module("jieba")
    jieba.setLogLevel(60)
    with open(args.file, encoding="utf8", newline="\n") as f:
        texts = [json.loads(line)["text"] for line in f]
    texts = texts[:args.limit]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf8", newline="\n") as f:
        for text in texts:
            f.write(json.dumps({"text": text}, ensure_ascii=False) + "\n")
        f.flush()
        run = subprocess.run([args.bench_segment, args.jieba_folder, f.name, "--cut", args.mode], check=True,
                             stdout=subprocess.PIPE)
    total = equal = different = 0
    for text, line in zip(texts, run.stdout.decode("utf8").split("\n")):
        ours, theirs = json.loads(line), expected(jieba, text, args.mode)
        if args.mode.startswith("accurate"):
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
    print(f"{args.mode}: {len(texts)} texts, {equal} of {total} equal ({100 * equal / max(1, total):.5f} %), "
          f"{different} texts differ")
    return 1 if different else 0


sys.exit(main())
