"""The text of a row of Parquet that stands in several columns: it is that of the same rows in JSONL."""
import json
import os
import subprocess

import pyarrow as pa
import pyarrow.parquet as pq
from conftest import lines_of
from test_parquet import pytestmark, texts_of  # noqa: F401: the tests below are left out where those are


def test_several_columns_are_one_text(tmp_path, run):
    rows = [{"title": None if i % 7 == 0 else f"the title of {i % 40}", "number": i, "page": {"body": None if i % 9 == 0 else text}}
            for i, text in enumerate(texts_of(90))]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in.parquet", row_group_size=40, data_page_size=300)
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for number, key in enumerate(["title,page.body", 'none|title,"page".body|page.body']):
        found = []
        for name in ("in.parquet", "in.jsonl"):
            out = tmp_path / f"{number}_{name}"
            run("dedup", tmp_path / name, "-o", out, "--text-key", key, "--id-key", "number", "--batch-bytes", 900)
            total = json.loads((out / "report.json").read_text())["total"]
            rejected = [(row["line"], row["reason"]) for row in lines_of(out / "rejected.jsonl")]
            found.append((lines_of(out / "duplicates.jsonl"), rejected, total["kept"]))
        assert found[0] == found[1], key
        assert found[0][0] and found[0][1], key
    for key, reason in (("title,none", "missing_text"), ("number,title", "not_a_string")):
        command = [os.environ["NEARDUP_PROGRAM"], "dedup", tmp_path / "in.parquet", "-o", tmp_path / key, "--text-key", key]
        assert subprocess.run(command, capture_output=True).returncode == 2
        assert [row["reason"] for row in lines_of(tmp_path / key / "rejected.jsonl")] == [reason]


def chats_of(texts):
    """Messages of a row: none, null, empty, one, or several with nulls, of strings and of parts."""
    kinds = [
        lambda text: [{"role": "user", "content": text, "parts": [{"type": "text", "text": text}, {"type": "image", "text": None}]}],
        lambda text: [{"role": "user", "content": half, "parts": [{"type": "text", "text": half}]} for half in (text[:40], "", text[40:])],
        lambda text: [{"role": "bot", "content": None, "parts": None}, None, {"role": "user", "content": text, "parts": [None, {"type": "text", "text": text}]}],
        lambda text: [{"role": "bot", "content": None, "parts": []}],
        lambda text: [{"role": "user", "content": "", "parts": [{"type": "text", "text": ""}]}],
        lambda text: [],
        lambda text: None,
    ]
    return [kinds[i % 3 if i % 5 else i % len(kinds)](text) for i, text in enumerate(texts)]


def test_lists_are_one_text(tmp_path, run):
    """Rows that begin and end within pages, in the midst of a page, and go on over several."""
    texts = texts_of(90)
    rows = [{"number": i, "meta": {"tags": None if messages is None else [m and m["content"] for m in messages]}, "x.y": messages}
            for i, messages in enumerate(chats_of(texts))]
    long = [{"role": "user", "content": f"message {i} of a long chat", "parts": [{"type": "text", "text": f"part {i}"}]} for i in range(400)]
    rows[20]["x.y"] = rows[70]["x.y"] = long
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    table = pa.Table.from_pylist(rows)
    for version, coded in (("1.0", True), ("2.0", False)):
        pq.write_table(table, tmp_path / f"in_{version}.parquet", row_group_size=50, data_page_size=300, write_batch_size=7,
                       data_page_version=version, use_dictionary=coded, compression="zstd")
    for number, key in enumerate(['"x.y"[].content', '"x.y"[].parts[].text', '"x.y"[].content,meta.tags[]|meta.tags[]']):
        found = {}
        for name in ("in.jsonl", "in_1.0.parquet", "in_2.0.parquet"):
            out = tmp_path / f"{number}_{name}"
            run("dedup", tmp_path / name, "-o", out, "--text-key", key, "--id-key", "number", "--batch-bytes", 900)
            report = json.loads((out / "report.json").read_text())
            rejected = [(row["line"], row["reason"]) for row in lines_of(out / "rejected.jsonl")]
            found[name] = lines_of(out / "duplicates.jsonl"), rejected, report["total"]["kept"]
            command = [os.environ["NEARDUP_PROGRAM"], "fingerprint", tmp_path / name, "--text-key", key, "--id-key", "number"]
            prints = subprocess.run(command, capture_output=True).stdout
            found[name] += (prints,)
        assert found["in.jsonl"][0] and found["in.jsonl"][1] and found["in.jsonl"][3], key
        assert found["in_1.0.parquet"] == found["in.jsonl"] == found["in_2.0.parquet"], key
    kept = pq.read_table(tmp_path / "0_in_1.0.parquet/kept/in_1.0.parquet")
    assert kept.to_pylist() == [row for row in table.to_pylist() if row["number"] in set(kept["number"].to_pylist())]


def test_a_list_that_is_no_text(tmp_path, run):
    pq.write_table(pa.Table.from_pylist([{"m": [{"n": 1, "c": "a text"}], "t": ["x"], "s": "y", "i": [1]}]), tmp_path / "in.parquet")
    for key, told in {
        "m.c": "column 'm' is a list; 'm[].c' takes its texts",
        "m": "column 'm' is a list; 'm[].c' takes its texts",
        "m[]": "column 'm' is a list; 'm[].c' takes its texts",
        "t": "column 't' is a list; 't[]' takes its texts",
        "m[].none": "column 'm' is a list, and 'm[].none' names no texts in it",
        "s[]": "column 's' is a single value, and 's[]' names no texts in it",
        "i[]": "column 'i[]' holds no strings",
        "none[]": "no column 'none[]'",
    }.items():
        out = tmp_path / key
        assert subprocess.run([os.environ["NEARDUP_PROGRAM"], "dedup", tmp_path / "in.parquet", "-o", out, "--text-key", key], capture_output=True).returncode == 2
        assert told in lines_of(out / "rejected.jsonl")[0]["message"], key
    assert "is a list (--within takes" in subprocess.run(
        [os.environ["NEARDUP_PROGRAM"], "dedup", tmp_path / "in.parquet", "-o", tmp_path / "w", "--text-key", "s", "--within", "t"],
        capture_output=True, text=True).stderr


def test_items_of_another_name(tmp_path, run):
    """Items of lists are called otherwise than the format has it."""
    rows = [{"t": [text[:50], text[50:]]} for text in texts_of(30)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in.parquet", use_compliant_nested_type=False)
    found = []
    for name in ("in.jsonl", "in.parquet"):
        run("dedup", tmp_path / name, "-o", tmp_path / f"out_{name}", "--text-key", "t[]")
        found.append(json.loads((tmp_path / f"out_{name}" / "report.json").read_text())["total"]["kept"])
    assert found[0] == found[1]


def test_a_list_of_a_long_text_takes_no_memory(tmp_path, run):
    """A text of a list that is too long for a record is rejected, and none of it is held but its beginning."""
    rows = [{"t": ["a word " * 20] * 40000}, {"t": ["a text"]}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in.parquet")
    out = tmp_path / "out"
    run("dedup", tmp_path / "in.parquet", "-o", out, "--text-key", "t[]", "--max-record-bytes", "1M")
    assert [(row["line"], row["reason"]) for row in lines_of(out / "rejected.jsonl")] == [(1, "too_long")]
