#!/usr/bin/env python3
"""usage: jieba_test.py BENCH_SEGMENT SEGMENT_AGREEMENT: the segmenter cuts as the Python package jieba does, in every mode.

On passages of Chinese laws (not subject to copyright, PRC) and on made-up strings: characters of the dictionary, ASCII
runs, white space, invalid code points and characters that jieba does not know, in random order. Passes over where
python3-jieba is not installed (exit status 77).
"""
import json, random, subprocess, sys, tempfile

sys.path.append("/usr/lib/python3/dist-packages")  # Debian's packages, whichever Python runs this
try:
    import jieba
except ImportError:
    sys.exit(77)

LAWS = [
    "中华人民共和国的一切权力属于人民。人民行使国家权力的机关是全国人民代表大会和地方各级人民代表大会。",
    "第二条　民法调整平等主体的自然人、法人和非法人组织之间的人身关系和财产关系。",
    "国家工作人员利用职务上的便利，索取他人财物的，或者非法收受他人财物，为他人谋取利益的，是受贿罪。",
    "县级以上地方各级人民代表大会常务委员会由主任、副主任若干人、委员若干人组成。(2018年3月11日修正)",
    "用人单位自用工之日起即与劳动者建立劳动关系。用人单位应当建立职工名册备查。",
    "未经著作权人许可，复制、发行、表演、放映、广播、汇编、通过信息网络向公众传播其作品的，应当承担民事责任。",
]
PIECES = ["T恤", "B超", "卡拉OK", "c++", "c#", "AT&T", "v2.0beta", "3.14%", "-", "_", "1999", "a.b.c", " ", "\t", "\r\n", "\n\r",
          "\u3000", "\u2028", "\u0085", "，", "。", "《", "𠀀", "〇", "龥", "鿕", "鿖", "㐀", "ひらがな", "한국어", "é", "\ufffd",
          "杭研大厦", "小明", "欧阳锋", "杨洋的", "石墨烯", "奥巴马", "的", "了", "是", "在"]


def made_up(count):
    maker = random.Random(1)
    characters = "".join(LAWS) + "龘靐齉爩鬱灪麤乄丂七万丈三上下不与丐丑专且世丘丙业丛东丝"
    for _ in range(count):
        pieces = [maker.choice(PIECES) if maker.random() < .4 else maker.choice(characters)
                  for _ in range(maker.randrange(60))]
        yield "".join(pieces)


def idf_of_the_user(folder):
    """Every third word of jieba's own, with weights that many words share: ties are the rule."""
    with open(folder + "/analyse/idf.txt", encoding="utf8") as f:
        words = [line.split(" ")[0] for line in f][::3]
    return "".join(f"{word} {1 + i % 4 / 2}\n" for i, word in enumerate(words))


def main():
    folder = jieba.__file__.rsplit("/", 1)[0]
    with (tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf8", newline="\n") as f,
          tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf8") as idf):
        for text in LAWS + list(made_up(400)) + ["中" * 3000]:
            f.write(json.dumps({"text": text}, ensure_ascii=False) + "\n")
        f.flush()
        idf.write(idf_of_the_user(folder))
        idf.flush()
        for mode in ["accurate", "accurate --hmm off", "search", "search --hmm off", "full", "keywords",
                     "keywords --top 0 --idf " + idf.name]:
            command = [sys.executable, sys.argv[2], sys.argv[1], folder, f.name, "--mode", *mode.split()]
            if subprocess.run(command).returncode != 0:
                sys.exit(f"{mode}: the words differ from jieba's")


main()
