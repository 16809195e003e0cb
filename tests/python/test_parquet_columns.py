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
