#!/usr/bin/env python3
"""table_dialects: reads tables in many dialects as neardup, DuckDB, polars and Python's csv do, and compares row by row.

usage: table_dialects.py --program build/release/neardup        (pip install duckdb polars)

A row of the output: the dialect, how many rows each reads, and whether ids and texts are the same. "-" is a reader that refuses the file, " " one
that has no such option; what neardup rejects stands behind a +. Texts are compared by `neardup fingerprint` of the table and of the same rows as
JSONL. The second table is of dialects that readers are told: neardup by --table, the others by their options.
"""
import argparse
import csv
import json
import subprocess
import tempfile
from pathlib import Path

import duckdb
import polars

CSV = {
    "plain": "id,text\n1,one\n2,two\n",
    "CRLF": "id,text\r\n1,one\r\n2,two\r\n",
    "no line end at the end": "id,text\n1,one\n2,two",
    "byte order mark": "\ufeffid,text\n1,one\n",
    "blank lines": "id,text\n\n1,one\n\n2,two\n\n",
    "quoted": 'id,text\n"1","one, two"\n"2","three"\n',
    "doubled quotes": 'id,text\n1,"say ""yes"" now"\n2,""""\n',
    "embedded line ends": 'id,text\n1,"a\nb"\n2,"c\r\nd"\n',
    "empty fields": "id,text,x\n1,one,\n2,two,\n",
    "header in quotes": '"id","text"\n1,one\n',
    "quote in the middle": 'id,text\n1,5" disk\n2,two "quoted" words\n',
    "columns in another order": "x,text,id\n1,one,a\n2,two,b\n",
    "spaces around": "id,text\n1, one \n2, two\n",
    "NUL in a text": "id,text\n1,a\0b\n2,two\n",
    "comment as a row": "id,text\n# a,comment\n2,two\n",
    "header repeated": "id,text\n1,one\nid,text\n2,two\n",
    "ragged: too few": "id,text\n1\n2,two\n",
    "ragged: too many": "id,text\n1,one,x\n2,two\n",
    "unterminated quote": 'id,text\n1,one\n2,"two\n3,three\n',
    "text behind a quote": 'id,text\n1,"one" x\n2,two\n',
    "space before a quote": 'id,text\n1, "one, two"\n2,two\n',
    "backslash before a quote": 'id,text\n1,"a \\"b\\" c"\n2,two\n',
    "CR alone": "id,text\r1,one\r2,two\r",
    "semicolons": "id;text\n1;one\n",
    "pipes": "id|text\n1|one\n",
}
TSV = {
    "tabs": "id\ttext\n1\tone\n2\ttwo\n",
    "tabs, quote at the front": 'id\ttext\n1\t"one two\n2\tthree\n3\tfour"\n4\tfive\n',
    "tabs, quotes on two lines": 'id\ttext\n1\t"one\n2\ttwo"\n3\tthree\n',
    "tabs, quoted": 'id\ttext\n1\t"one ""two"""\n2\t"three"\n',
    "tabs, tab in quotes": 'id\ttext\n1\t"a\tb"\n2\tc\n',
    "tabs, line end in quotes": 'id\ttext\n1\t"a\nb"\n2\tc\n',
    "tabs, a quote alone": 'id\ttext\n1\t"\n2\t"\n3\tc\n',
    "tabs, backslashes": "id\ttext\n1\ta\\tb\n2\t\\N\n",
}

# The kinds of csv-spectrum (github.com/maxogden/csv-spectrum), with a column of texts.
SPECTRUM = {
    "comma in quotes": 'id,text\n1,"120 any st., ""x"""\n2,"a, b"\n',
    "empty": 'id,text\n1,""\n2,two\n3,""\n',
    "empty, CRLF": 'id,text\r\n1,""\r\n2,two\r\n',
    "escaped quotes": 'id,text\n1,"ha ""ha"" ha"\n3,4\n',
    "JSON": 'id,text\n1,"{""type"": ""Point"", ""coordinates"": [102.0, 0.5]}"\n',
    "newlines": 'id,text\n1,"Once upon \na time"\n3,4\n',
    "newlines, CRLF": 'id,text\r\n1,"Once upon \r\na time"\r\n3,4\r\n',
    "quotes and newlines": 'id,text\n1,"ha \n""ha"" \nha"\n3,4\n',
    "simple": "id,text\n1,2\n",
    "simple, CRLF": "id,text\r\n1,2\r\n",
    "UTF-8": "id,text\n1,2\n4,\u02a4\n",
    "locations": 'id,text\n"41.89, -87.62","41.89, -87.62"\n',
}
BACKSLASH = {"escapechar": "\\", "doublequote": False}
# name: (words of --table, separator, bytes, options of DuckDB, of polars, of csv; None: it has none)
TOLD = {
    "semicolons": ("separator=semicolon", ";", 'id;text\n1;one, "two"\n2;"a;b"\n', {}, {}, {}),
    "pipes": ("separator=pipe", "|", "id|text\n1|one\n", {}, {}, {}),
    "colons, CRLF": ("separator=:", ":", "id:text\r\n1:one\r\n", {}, {}, {}),
    "no quotes": ("quotes=none", ",", 'id,text\n1,"one\n2,two"\n3,""\n', {"quote": ""}, {"quote_char": None}, {"quoting": csv.QUOTE_NONE}),
    "tabs, no quotes": ("quotes=none", "\t", 'id\ttext\n1\t"one"\n2\t"two\n', {"quote": ""}, {"quote_char": None},
                        {"quoting": csv.QUOTE_NONE}),
    "tabs, quoted lines": ("quotes=csv", "\t", 'id\ttext\n1\t"one\n2\ttwo"\n3\tc\n', {"quote": '"'}, {}, {}),
    "backslash before a quote": ("escape=quote", ",", 'id,text\n1,"a \\"b\\" c"\n2,"two, \\\\"\n', {"quote": '"', "escape": "\\"}, None, BACKSLASH),
    "the same, and commas": ("escape=quote", ",", 'id,text\n1,"a \\",\\" c"\n2,"x\ny"\n', {"quote": '"', "escape": "\\"}, None, BACKSLASH),
    "a space before a quote": ("spaces=skip", ",", 'id,text\n1, "one, two"\n2,  three\n', None, None, {"skipinitialspace": True}),
    "backslash before a separator": ("quotes=none,escape=backslash", ",", "id,text\n1,a\\,b\n2,c\\\\d\n", None, None,
                                     {"quoting": csv.QUOTE_NONE, "escapechar": "\\"}),
    "backslash before a line end": ("quotes=none,escape=backslash", "\t", "id\ttext\n1\ta\\\nb\\\tc\n2\td\n", None, None,
                                    {"quoting": csv.QUOTE_NONE, "escapechar": "\\"}),
}
# What databases write, with the rows that they were given: no reader of these has the escapes.
DATABASES = {
    "Postgres, COPY": ("escape=backslash", "\t", 'id\ttext\n1\ta\\tb\\nc\\\\d\n2\t"as it is"\n', [("1", "a\tb\nc\\d"), ("2", '"as it is"')]),
    "MySQL, INTO OUTFILE": ("escape=backslash", "\t", "id\ttext\n1\ta\\\tb\\\nc\n2\ttwo \\\\\n", [("1", "a\tb\nc"), ("2", "two \\")]),
    "MySQL, ENCLOSED BY": ("escape=backslash", ",", 'id,text\n"1","say \\"no\\"\\\nand, \\\\"\n', [("1", 'say "no"\nand, \\')]),
    "ClickHouse, TSVWithNames": ("escape=backslash", "\t", "id\ttext\n1\tit\\'s\\n\n2\tb\n", [("1", "it's\n"), ("2", "b")]),
    "Postgres, csv with ESCAPE": ("escape=quote", ",", 'id,text\n1,"C:\\new, \\"x\\""\n', [("1", 'C:\\new, "x"')]),
}


def lines_of(program, path, *flags):
    run = subprocess.run([program, "fingerprint", path, *flags], capture_output=True, text=True, errors="replace")
    return [line.split("\t") for line in run.stdout.splitlines() if line and not line.startswith("#")]


def of_rows(program, rows, folder):
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps({"id": str(i), "text": "" if t is None else str(t)}) + "\n" for i, t in rows))
    return lines_of(program, path)


def rejected(program, path, folder, *flags):
    subprocess.run([program, "dedup", path, *flags, "-o", folder / "out", "--overwrite", "--progress", "off"], capture_output=True)
    return len((folder / "out" / "rejected.jsonl").read_text().splitlines())


def by_duckdb(path, separator, options):
    given = "".join(f", {name}='{value}'" for name, value in options.items())
    table = duckdb.sql(f"SELECT id, text FROM read_csv('{path}', delim='{separator}', header=true, all_varchar=true{given})")
    return table.fetchall()


def by_polars(path, separator, options):
    return polars.read_csv(path, separator=separator, infer_schema=False, **options).select("id", "text").rows()


def by_csv(path, separator, options):
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = [row for row in csv.DictReader(file, delimiter=separator, strict=True, **options)]
    return [(row["id"], row["text"]) for row in rows]


READERS = (by_duckdb, by_polars, by_csv)


def compare(program, name, text, separator, folder, words="", options=({}, {}, {})):
    path = folder / ("table.tsv" if separator == "\t" else "table.csv")
    path.write_bytes(text.encode())
    flags = ["--table", words] if words else []
    ours = lines_of(program, path, *flags)
    cells = [f"{len(ours)}+{rejected(program, path, folder, *flags)}"]
    for read, given in zip(READERS, options):
        try:
            theirs = None if given is None else of_rows(program, read(path, separator, given), folder)
            cells.append("" if theirs is None else f"{len(theirs)} {'same' if theirs == ours else 'other'}")
        except Exception:  # noqa: BLE001: whatever a reader says, it refuses the file
            cells.append("-")
    print(f"| {name} | {' | '.join([f'`{words}`'] * bool(words) + cells)} |")


def compare_rows(program, name, words, separator, text, rows, folder):
    path = folder / ("table.tsv" if separator == "\t" else "table.csv")
    path.write_bytes(text.encode())
    ours = lines_of(program, path, "--table", words)
    verdict = "same" if ours == of_rows(program, rows, folder) else "other"
    print(f"| {name} | `{words}` | {len(ours)}+{rejected(program, path, folder, '--table', words)} | {len(rows)} {verdict} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    with tempfile.TemporaryDirectory() as folder:
        print("| as it comes | neardup: rows + rejected | DuckDB | polars | csv |\n|---|---|---|---|---|")
        for separator, dialects in ((",", CSV), (",", SPECTRUM), ("\t", TSV)):
            for name, text in dialects.items():
                compare(program, name, text, separator, Path(folder))
        print("\n| as told | `--table` | neardup: rows + rejected | DuckDB | polars | csv |\n|---|---|---|---|---|---|")
        for name, (words, separator, text, *options) in TOLD.items():
            compare(program, name, text, separator, Path(folder), words, options)
        print("\n| written by | `--table` | neardup: rows + rejected | the rows |\n|---|---|---|---|")
        for name, (words, separator, text, rows) in DATABASES.items():
            compare_rows(program, name, words, separator, text, rows, Path(folder))


if __name__ == "__main__":
    main()
