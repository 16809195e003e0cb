#!/usr/bin/env python3
"""table_dialects: reads tables in thirty dialects as neardup, DuckDB and polars do, and compares row by row.

usage: table_dialects.py --program build/release/neardup        (pip install duckdb polars)

A row of the output: the dialect, how many rows each reads, and whether ids and texts are the same. "-" is a reader that refuses the file; what
neardup rejects stands behind a +. Texts are compared by `neardup fingerprint` of the table and of the same rows as JSONL.
"""
import argparse
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


def lines_of(program, path):
    run = subprocess.run([program, "fingerprint", path], capture_output=True, text=True, errors="replace")
    return [line.split("\t") for line in run.stdout.splitlines() if line and not line.startswith("#")]


def of_rows(program, rows, folder):
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps({"id": str(i), "text": "" if t is None else str(t)}) + "\n" for i, t in rows))
    return lines_of(program, path)


def rejected(program, path, folder):
    subprocess.run([program, "dedup", path, "-o", folder / "out", "--overwrite", "--progress", "off"], capture_output=True)
    return len((folder / "out" / "rejected.jsonl").read_text().splitlines())


def by_duckdb(path, separator):
    table = duckdb.sql(f"SELECT id, text FROM read_csv('{path}', delim='{separator}', header=true, all_varchar=true)")
    return table.fetchall()


def by_polars(path, separator):
    return polars.read_csv(path, separator=separator, infer_schema=False).select("id", "text").rows()


def compare(program, name, text, separator, folder):
    path = folder / ("table.tsv" if separator == "\t" else "table.csv")
    path.write_bytes(text.encode())
    ours = lines_of(program, path)
    words = [f"{len(ours)}+{rejected(program, path, folder)}"]
    for read in (by_duckdb, by_polars):
        try:
            theirs = of_rows(program, read(path, separator), folder)
            words.append(f"{len(theirs)} {'same' if theirs == ours else 'other'}")
        except Exception:  # noqa: BLE001: whatever a reader says, it refuses the file
            words.append("-")
    print(f"| {name} | {' | '.join(words)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    print("| dialect | neardup: rows + rejected | DuckDB | polars |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for separator, dialects in ((",", CSV), ("\t", TSV)):
            for name, text in dialects.items():
                compare(program, name, text, separator, Path(folder))


if __name__ == "__main__":
    main()
