#!/usr/bin/env python3
"""Makes a labelled set of copies that write the same text with other letters, or with other spaces.

Usage: make_letters.py OUT [--originals N] [--only EDIT] [--seed S] JSONL...

Each JSONL holds texts of one language, one object a line with id and text; give one file a language. OUT gets id, text, cluster
(one per original) and edit ("LANGUAGE EDIT", the language being the file's name): measure with quality.py FOLDER --set NAME=cluster
--table edits after zstd OUT. Half of the originals get a copy of each kind that changes them, the other half stay alone.

accents      without accents (Latin, Greek)            yo           io of Cyrillic as ie
forms        Arabic and Persian ya and kaf of the other keyboard, alif without hamza, ha for ta marbuta, ASCII digits
vowels       vowel marks behind half of the Arabic letters    tatweel      one in a fifth of the Arabic words
numbers      characters beyond ASCII as &#48372; or &#xBCF4;   names        Latin letters as &eacute;, signs as &amp;
cp1252       UTF-8 read as Windows code page 1252              latin1       the same as Latin-1
look_alikes  a fifth of the letters that look the same in Latin and Cyrillic, of the other script
spaces       of Hangul: 15 % of the spaces gone, and as many more between syllables
"""
import argparse, html.entities, json, os, random, re, unicodedata

LATIN, CYRILLIC = "aceopxyABCEHKMOPTX", "асеорхуАВСЕНКМОРТХ"
STROKES = str.maketrans("đĐøØłŁħıæœÆŒ", "dDoOlLhi" + "aoAO")
FORMS = str.maketrans("یکيكىةأإآؤئ۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩", "يكیکيهااا" + "وي" + "01234567890123456789")


def accents(text, _):
    if not re.search("[A-Za-z\u0370-\u03ff\u1e00-\u1fff]", text) or re.search("[\u0400-\u04ff]", text):
        return text
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFC", bare).translate(STROKES)


def yo(text, _):
    return text.replace("ё", "е").replace("Ё", "Е")


def forms(text, _):
    return text.translate(FORMS) if re.search("[\u0620-\u06ff]", text) else text


def vowels(text, rng):
    return re.sub("[\u0621-\u064a\u06a9\u06af\u06cc]", lambda m: m.group() + (rng.choice("\u064b\u064e\u064f\u0650\u0651\u0652") if rng.random() < .5 else ""), text)


def tatweel(text, rng):
    return re.sub("[\u0628-\u062e\u0633-\u0647](?=[\u0620-\u064a])", lambda m: m.group() + ("\u0640" if rng.random() < .2 else ""), text)


def numbers(text, rng):
    form = rng.choice(["&#%d;", "&#x%X;"])
    return "".join(c if ord(c) < 0x80 else form % ord(c) for c in text)


def names(text, _):
    known = html.entities.codepoint2name
    if not any(ord(c) in known and ord(c) > 0x80 for c in text):
        return text
    return "".join(f"&{known[ord(c)]};" if ord(c) in known else c for c in text)


def misread(text, high):
    if text.isascii():
        return text
    return "".join(chr(b) if b < 0x80 or b > 0x9F else high(b) for b in text.encode("utf8"))


def cp1252(text, _):
    return misread(text, lambda b: bytes([b]).decode("cp1252", "ignore") or chr(b))


def latin1(text, _):
    return misread(text, chr)


def look_alikes(text, rng):
    if not re.search("[\u0400-\u04ff]|[A-Za-z]{4}", text):
        return text
    other = dict(zip(LATIN + CYRILLIC, CYRILLIC + LATIN))
    return "".join(other[c] if c in other and rng.random() < .2 else c for c in text)


def spaces(text, rng):
    hangul = "[\uac00-\ud7a3]"
    if not re.search(hangul, text):
        return text
    text = re.sub(f"(?<={hangul}) (?={hangul})", lambda _: "" if rng.random() < .15 else " ", text)
    return re.sub(f"(?<={hangul}{{2}})(?={hangul}{{2}})", lambda _: " " if rng.random() < .06 else "", text)


EDITS = {e.__name__: e for e in (accents, yo, forms, vowels, tatweel, numbers, names, cp1252, latin1, look_alikes, spaces)}


def unlike(texts, wanted):
    """The first texts of which at most a fifth of the runs of 15 letters came before."""
    seen, kept = set(), []
    for text in texts:
        letters = [c for c in text.lower() if c.isalpha()]
        runs = {hash("".join(letters[i:i + 15])) for i in range(len(letters) - 14)}
        if runs and len(runs & seen) * 5 <= len(runs):
            kept.append(text)
        seen |= runs
        if len(kept) == wanted:
            break
    return kept


def copies_of(text, edits, rng):
    for name in edits:
        copy = EDITS[name](text, rng)
        if copy != text:
            yield name, copy


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("jsonl", nargs="+")
    parser.add_argument("--originals", type=int, default=200)
    parser.add_argument("--only", action="append", choices=list(EDITS))
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    rows, cluster = [], 0
    for path in args.jsonl:
        language = os.path.basename(path).split(".")[0]
        with open(path, encoding="utf8", newline="\n") as f:
            texts = [unicodedata.normalize("NFC", json.loads(line)["text"]) for line in f]
        rng.shuffle(texts)
        for number, text in enumerate(unlike(texts, args.originals)):
            edited = list(copies_of(text, args.only or EDITS, rng)) if number % 2 == 0 else []
            rows.append((text, cluster, "original" if edited else "single"))
            rows += [(copy, cluster, f"{language} {name}") for name, copy in edited]
            cluster += 1
    rng.shuffle(rows)
    with open(args.out, "w", encoding="utf8", newline="\n") as f:
        for i, (text, number, edit) in enumerate(rows):
            f.write(json.dumps({"id": f"d{i}", "text": text, "cluster": number, "edit": edit}, ensure_ascii=False) + "\n")
    print(f"{len(rows)} documents, {cluster} originals")


if __name__ == "__main__":
    main()
