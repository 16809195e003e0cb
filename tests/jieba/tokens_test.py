#!/usr/bin/env python3
"""usage: tokens_test.py NEARDUP: the tokens of the recipe jieba are the words of jieba.cut(), but for signs, and for folded letters.

On sentences with characters that simplified and traditional texts share, and with numbers and letters beside Han characters. Passes over where
python3-jieba is not installed (exit status 77).
"""
import json, subprocess, sys

sys.path.append("/usr/lib/python3/dist-packages")  # Debian's packages, whichever Python runs this
try:
    import jieba
except ImportError:
    sys.exit(77)

TEXTS = [
    "著名的俱乐部在瞭望塔旁，成绩显著，著作权人和藉口。",
    "2018年3月11日增长3.5%，达12.8万亿元，占40%；第636.2节。",
    "T恤、X射线、4S店、AA制和卡拉OK都有，IP地址是192.168.1.1。",
    "未经著作权人许可，复制、发行、表演、放映、广播、汇编、通过信息网络向公众传播其作品的，应当承担民事责任。",
    "向112个国家和地区提供了120.1万剂次，旅客超2.5亿人次",
    "GPT-4 and C++ 3.14 at 5 % v2.0b",
]


def is_word(word):
    return any(c.isalnum() for c in word)


def tokens_of(neardup, texts):
    lines = "".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts)
    run = subprocess.run([neardup, "tokens", "-", "--format", "jsonl", "--recipe", "jieba", "--output-format", "jsonl"], check=True,
                         input=lines.encode("utf8"), stdout=subprocess.PIPE)
    return [json.loads(line)["tokens"] for line in run.stdout.decode("utf8").splitlines()]


def main():
    jieba.setLogLevel(60)
    # Characters fold one by one, and case does not change lengths here.
    for text, tokens in zip(TEXTS, tokens_of(sys.argv[1], TEXTS), strict=True):
        words = [word for word in jieba.cut(text) if is_word(word)]
        if [len(token) for token in tokens] != [len(word) for word in words]:
            sys.exit(f"{text}\n  jieba   {words}\n  neardup {tokens}")


main()
