"""Parquet through the command line: the rows that stay are those of JSONL, and equal to what came in, type by type."""
import datetime
import decimal
import gzip
import json
import os
import pathlib
import random
import subprocess

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import TEXTS, lines_of

import neardup

MODULE = pathlib.Path(neardup.__file__).parent / "libneardup_parquet.so"
MUST_RUN = os.environ.get("NEARDUP_TEST_PARQUET") == "1"  # where the module was built, its absence is a failure
pytestmark = pytest.mark.skipif(not MODULE.exists() and not MUST_RUN, reason="built without NEARDUP_BUILD_PARQUET")


def texts_of(count, seed=3):
    """Returns texts of which about every third repeats another one, exactly or with a word changed."""
    rng = random.Random(seed)
    words = [f"{a}{b}" for a in ("sun", "sea", "fog", "oak", "rye", "tin") for b in ("rise", "side", "wood", "light", "ward")]
    texts = []
    for _ in range(count):
        kind = rng.random()
        if texts and kind < 0.2:
            texts.append(rng.choice(texts))
        elif texts and kind < 0.4:
            parts = rng.choice(texts).split(" ")
            parts[rng.randrange(len(parts))] = "changed"
            texts.append(" ".join(parts))
        else:
            texts.append(" ".join(rng.choice(words) + str(rng.randrange(400)) for _ in range(60)))
    return texts


def table_of(texts, text_type=None):
    """Returns a table with columns of all kinds beside the texts; both levels of its schema have metadata."""
    n = len(texts)
    rng = random.Random(9)
    nested = pa.struct([("score", pa.float64()), ("tags", pa.list_(pa.string())), ("deep", pa.struct([("n", pa.int32())]))])
    columns = {
        "url": pa.array([f"https://a.org/{i}" for i in range(n)]),
        "text": pa.array(texts, text_type or pa.string()),
        "number": pa.array([i if i % 5 else None for i in range(n)], pa.int64()),
        "flag": pa.array([rng.choice([True, False, None]) for _ in range(n)]),
        "day": pa.array([datetime.date(2024, 1, 1) + datetime.timedelta(days=i % 400) for i in range(n)]),
        "time": pa.array([1_700_000_000_000_000 + i for i in range(n)], pa.timestamp("us", tz="UTC")),
        "price": pa.array([decimal.Decimal(i) / 100 for i in range(n)], pa.decimal128(12, 2)),
        "raw": pa.array([bytes([i % 256]) * (i % 7) for i in range(n)], pa.binary()),
        "fixed": pa.array([bytes([i % 256]) * 4 for i in range(n)], pa.binary(4)),
        "words": pa.array([None if i % 11 == 0 else [f"w{j}" for j in range(i % 4)] for i in range(n)]),
        "nested": pa.array([None if i % 13 == 0 else {"score": i / 7, "tags": ["x", None][: i % 3], "deep": {"n": i}}
                            for i in range(n)], nested),
        "map": pa.array([[(f"k{j}", j) for j in range(i % 3)] for i in range(n)], pa.map_(pa.string(), pa.int16())),
        "lists": pa.array([[[i], [], [i, i + 1]][: i % 4] for i in range(n)], pa.list_(pa.list_(pa.int64()))),
        "source": pa.array([f"site{i % 3}" for i in range(n)]).dictionary_encode(),
    }
    fields = [pa.field(name, column.type, metadata={"about": name}) for name, column in columns.items()]
    return pa.table(list(columns.values()), schema=pa.schema(fields, metadata={"made by": "a test", "more": "ü"}))


def write_jsonl(table, path, columns=("url", "text", "number", "source")):
    rows = table.select(list(columns)).to_pylist()
    pathlib.Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def written(table, path, **settings):
    """Returns `table` as pyarrow reads it again: it gives the items of lists another name."""
    pq.write_table(table, path, **settings)
    return pq.read_table(path)


def removed_of(folder):
    return {row["id"] for row in lines_of(pathlib.Path(folder) / "duplicates.jsonl")}


def kept_rows(table, folder, id_name="url"):
    """Returns the rows of `table` that a run into `folder` must have kept."""
    removed = removed_of(folder)
    texts = table["text"].to_pylist()
    stays = [i for i, key in enumerate(table[id_name].to_pylist()) if str(key) not in removed and texts[i] is not None]
    return table.take(stays)


def plain(table):
    """Dictionaries are decoded: pyarrow compares them by their codes."""
    for i, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            table = table.set_column(i, field.with_type(field.type.value_type), table[field.name].cast(field.type.value_type))
    return table.combine_chunks()


def assert_same_rows(path, expected):
    found = pq.read_table(path)
    assert found.schema.equals(expected.schema, check_metadata=True)
    assert plain(found).equals(plain(expected))
    found.validate(full=True)


@pytest.mark.parametrize("row_group_size", [1, 17, 100, 100000])
@pytest.mark.parametrize("settings", [
    {"compression": "snappy"}, {"compression": "zstd", "data_page_version": "2.0"}, {"compression": "none", "use_dictionary": False},
    {"compression": "gzip", "data_page_size": 2000, "write_page_index": True}], ids=str)
def test_kept_rows_are_equal_to_what_came_in(tmp_path, run, row_group_size, settings):
    source = tmp_path / "in.parquet"
    table = written(table_of(texts_of(300)), source, row_group_size=row_group_size, **settings)
    write_jsonl(table, tmp_path / "in.jsonl")
    for threads, batch in ((1, 1000), (3, 50000)):
        run("dedup", source, "-o", tmp_path / "out", "--id-key", "url", "--overwrite", "--threads", threads, "--batch-bytes", batch)
        run("dedup", tmp_path / "in.jsonl", "-o", tmp_path / "lines", "--id-key", "url", "--overwrite")
        assert lines_of(tmp_path / "out/duplicates.jsonl") == lines_of(tmp_path / "lines/duplicates.jsonl")
        assert_same_rows(tmp_path / "out/kept/in.parquet", kept_rows(table, tmp_path / "out"))
    assert 20 < len(removed_of(tmp_path / "out")) < 250


def test_row_groups_codecs_and_encodings_stay(tmp_path, run):
    table = table_of(texts_of(200))
    codecs = {name: codec for name, codec in zip(table.column_names, ["ZSTD", "SNAPPY", "GZIP", "NONE"] * 4)}
    codecs = {name: codec for name, codec in codecs.items() if name not in ("words", "nested", "map", "lists")}
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=64, compression=codecs,
                   use_dictionary=["url", "source"], column_encoding={"number": "DELTA_BINARY_PACKED"},
                   sorting_columns=[pq.SortingColumn(0)])
    run("dedup", tmp_path / "in.parquet", "-o", tmp_path / "out", "--id-key", "url")
    before, after = pq.ParquetFile(tmp_path / "in.parquet").metadata, pq.ParquetFile(tmp_path / "out/kept/in.parquet").metadata
    assert after.num_row_groups == before.num_row_groups == 4
    removed = removed_of(tmp_path / "out")
    for group in range(4):
        rows = pq.ParquetFile(tmp_path / "in.parquet").read_row_group(group)["url"].to_pylist()
        assert after.row_group(group).num_rows == sum(url not in removed for url in rows)
        assert after.row_group(group).sorting_columns == before.row_group(group).sorting_columns
        for column in range(before.num_columns):
            one, two = before.row_group(group).column(column), after.row_group(group).column(column)
            assert (one.path_in_schema, one.compression) == (two.path_in_schema, two.compression)
            assert set(two.encodings) == set(one.encodings)
    assert after.schema.equals(before.schema)
    assert after.metadata == before.metadata


@pytest.mark.parametrize("text_type", [pa.string(), pa.large_string(), pa.binary(), pa.dictionary(pa.int32(), pa.string()),
                                       pa.string_view()], ids=str)
def test_types_of_texts(tmp_path, run, text_type):
    texts = texts_of(60)
    table = pa.table({"id": pa.array(range(60), pa.int16()), "text": pa.array(texts).cast(text_type) if not pa.types.is_dictionary(text_type)
                      else pa.array(texts).dictionary_encode()})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=25)
    write_jsonl(pa.table({"id": range(60), "text": texts}), tmp_path / "in.jsonl", ("id", "text"))
    run("dedup", tmp_path / "in.parquet", "-o", tmp_path / "out")
    run("dedup", tmp_path / "in.jsonl", "-o", tmp_path / "lines")
    assert lines_of(tmp_path / "out/duplicates.jsonl") == lines_of(tmp_path / "lines/duplicates.jsonl")
    assert pq.read_table(tmp_path / "out/kept/in.parquet").num_rows == 60 - len(removed_of(tmp_path / "out"))


def test_fields_of_structs_and_nulls(tmp_path, run):
    texts = texts_of(50)
    docs = [None if i == 7 else {"body": None if i % 10 == 0 else text, "n": i} for i, text in enumerate(texts)]
    table = pa.table({"doc": docs, "more.text": texts})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=9)
    (tmp_path / "in.jsonl").write_text("".join(json.dumps({"doc": doc}) + "\n" for doc in docs))
    for name in ("in.parquet", "in.jsonl"):
        run("dedup", tmp_path / name, "-o", tmp_path / ("of_" + name), "--text-key", "doc.body", "--id-key", "doc.n")
    one, two = (lines_of(tmp_path / f"of_{name}/duplicates.jsonl") for name in ("in.parquet", "in.jsonl"))
    assert one == two
    rejected = lines_of(tmp_path / "of_in.parquet/rejected.jsonl")
    assert [(row["line"], row["reason"]) for row in rejected] == [(i + 1, "not_a_string") for i in (0, 7, 10, 20, 30, 40)]
    report = json.loads((tmp_path / "of_in.parquet/report.json").read_text())["total"]
    assert report["read"] == 50 == report["kept"] + report["removed_exact"] + report["removed_near"] + report["rejected"]
    assert pq.read_table(tmp_path / "of_in.parquet/kept/in.parquet").num_rows == report["kept"]
    run("dedup", tmp_path / "in.parquet", "-o", tmp_path / "dots", "--text-key", "more.text")
    pq.write_table(pa.table({"a|b,": texts}), tmp_path / "signs.parquet")
    run("dedup", tmp_path / "signs.parquet", "-o", tmp_path / "signs", "--text-key", '"a|b,"')
    assert json.loads((tmp_path / "signs/report.json").read_text())["total"]["read"] == 50


@pytest.mark.parametrize("options", [("--keep", "max:number"), ("--within", "source"), ("--keep", "priority:source=site2,site1"),
                                     ("--group-key", "source"), ("--keep", "max:day"), ("--keep", "longest")], ids=str)
def test_columns_decide_as_fields_of_lines_do(tmp_path, run, options):
    table = table_of(texts_of(200))
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=64)
    rows = table.select(["url", "text", "number", "source", "day"]).to_pylist()
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))
    reports = []
    for name in ("in.parquet", "in.jsonl"):
        run("dedup", tmp_path / name, "-o", tmp_path / ("of_" + name), "--id-key", "url", *options)
        reports.append(json.loads((tmp_path / f"of_{name}/report.json").read_text()))
    assert lines_of(tmp_path / "of_in.parquet/duplicates.jsonl") == lines_of(tmp_path / "of_in.jsonl/duplicates.jsonl")
    assert reports[0]["by_group"] == reports[1]["by_group"] and reports[0]["warnings"] == reports[1]["warnings"]


def test_annotated_rows(tmp_path, run):
    table = written(table_of(texts_of(120)), tmp_path / "in.parquet", row_group_size=50)
    source = tmp_path / "in.parquet"
    for turn in ("one", "two"):  # of the second, the notes of the first are replaced
        run("dedup", source, "-o", tmp_path / turn, "--id-key", "url", "--mode", "annotate")
        source = tmp_path / turn / "annotated/in.parquet"
        found = pq.read_table(source)
        assert found.column_names == [*table.column_names, "neardup_duplicate_of", "neardup_cluster"]
        assert found.schema.metadata == table.schema.metadata
        assert plain(found.select(table.column_names)).equals(plain(table))
        of = {row["id"]: row["duplicate_of"] for row in lines_of(tmp_path / turn / "duplicates.jsonl")}
        assert found["neardup_duplicate_of"].to_pylist() == [of.get(url) for url in table["url"].to_pylist()]
    assert found.schema.field("neardup_cluster").type == pa.int64()


def test_shards_resume_and_other_commands(tmp_path, run):
    table = table_of(texts_of(300))
    (tmp_path / "in").mkdir()
    for i in range(3):
        pq.write_table(table.slice(100 * i, 100), tmp_path / f"in/{i}.parquet", row_group_size=30)
    nothing = written(table.slice(0, 0), tmp_path / "in/none.parquet")
    run("dedup", tmp_path / "in", "-o", tmp_path / "whole", "--id-key", "url")
    for shard in range(3):
        run("dedup", tmp_path / "in", "-o", tmp_path / "parts", "--id-key", "url", "--shard", f"{shard}/3")
    run("dedup", tmp_path / "in", "-o", tmp_path / "parts", "--id-key", "url", "--merge-shards", 3)
    run("dedup", tmp_path / "in", "-o", tmp_path / "whole", "--id-key", "url", "--resume")
    for name in ("0", "1", "2", "none"):
        assert (tmp_path / f"parts/kept/{name}.parquet").read_bytes() == (tmp_path / f"whole/kept/{name}.parquet").read_bytes()
    assert_same_rows(tmp_path / "whole/kept/none.parquet", nothing)
    kept = pa.concat_tables([pq.read_table(tmp_path / f"whole/kept/{i}.parquet") for i in range(3)])
    assert plain(kept).equals(plain(kept_rows(pa.concat_tables([pq.read_table(tmp_path / f"in/{i}.parquet") for i in range(3)]),
                                              tmp_path / "whole")))
    first = lines_of(tmp_path / "whole/duplicates.jsonl")[0]
    shown = run("explain", first["id"], first["duplicate_of"], "--input", tmp_path / "in", "--id-key", "url")
    assert "dedup would keep one of the two" in shown
    count = len(run("fingerprint", tmp_path / "in", "--id-key", "url").splitlines())
    assert count == 300


def test_memory_is_bounded_whatever_a_row_group_has(tmp_path, run):
    rng = random.Random(1)
    texts = ["".join(rng.choice("abcdefgh ") for _ in range(2000)) for _ in range(2000)]
    big = pa.table({"id": range(60000), "text": [texts[i % 2000] + str(i) for i in range(60000)]})
    pq.write_table(big, tmp_path / "big.parquet", row_group_size=60000, compression="zstd", use_dictionary=False)
    run("dedup", tmp_path / "big.parquet", "-o", tmp_path / "out", "--memory", "256M", "--verify", "none", "--threads", "2")
    report = json.loads((tmp_path / "out/report.json").read_text())
    assert report["run"]["peak_memory_bytes"] < 256 << 20


def test_python_writes_the_same_bytes(tmp_path, run):
    table = table_of(texts_of(150))
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=40)
    run("dedup", tmp_path / "in.parquet", "-o", tmp_path / "line", "--id-key", "url")
    figures = neardup.dedup(str(tmp_path / "*.parquet"), out=tmp_path / "clean", id="url")
    assert (tmp_path / "clean/kept/in.parquet").read_bytes() == (tmp_path / "line/kept/in.parquet").read_bytes()
    assert figures["kept"] == pq.read_table(tmp_path / "clean/kept/in.parquet").num_rows


def test_broken_files_are_rejected_by_name(tmp_path, run):
    (tmp_path / "in").mkdir()
    table = written(table_of(texts_of(200)), tmp_path / "in/good.parquet", row_group_size=50)
    whole = (tmp_path / "in/good.parquet").read_bytes()
    broken = {"cut": whole[: len(whole) // 2], "empty": b"", "tiny": b"PAR1", "text": b"no table at all, just words\n" * 9,
              "encrypted": b"PARE" + whole[4:-4] + b"PARE", "long_footer": whole[:-8] + b"\xff\xff\xff\x7fPAR1",
              "no_footer": b"PAR1" + bytes(100) + b"\x10\0\0\0PAR1"}
    for name, content in broken.items():
        (tmp_path / f"in/{name}.parquet").write_bytes(content)
    pq.write_table(pa.table({"other": [1, 2]}), tmp_path / "in/without.parquet")
    pq.write_table(pa.table({"text": [1, 2]}), tmp_path / "in/numbers.parquet")
    run("dedup", tmp_path / "in", "-o", tmp_path / "out", "--id-key", "url")
    rejected = {pathlib.Path(row["file"]).name: row["reason"] for row in lines_of(tmp_path / "out/rejected.jsonl")}
    assert rejected == {"cut.parquet": "truncated", "empty.parquet": "corrupt", "tiny.parquet": "truncated", "text.parquet": "corrupt",
                        "encrypted.parquet": "unsupported", "long_footer.parquet": "corrupt", "no_footer.parquet": "corrupt",
                        "without.parquet": "missing_text", "numbers.parquet": "not_a_string"}
    assert_same_rows(tmp_path / "out/kept/good.parquet", kept_rows(table, tmp_path / "out"))
    assert sorted(path.name for path in (tmp_path / "out/kept").iterdir()) == ["good.parquet"]


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


class Struct:
    """A struct of Thrift's compact protocol, of which Parquet's footer and page headers are made."""

    def __init__(self, **fields):
        self.fields = sorted((int(name[1:]), value) for name, value in fields.items())

    def encode(self):
        out, last = b"", 0
        for number, value in self.fields:
            kind, content = encode(value)
            out += bytes([(number - last) << 4 | kind]) + content
            last = number
        return out + b"\0"


class Int32(int):
    pass


def encode(value):
    if isinstance(value, int):
        return 5 if isinstance(value, Int32) else 6, varint(value << 1)
    if isinstance(value, bytes):
        return 8, varint(len(value)) + value
    if isinstance(value, Struct):
        return 12, value.encode()
    items, claimed = value if isinstance(value, tuple) else (value, len(value))
    kind = encode(items[0])[0] if items else 12
    kind = 5 if kind == 6 else kind
    return 9, bytes([0xF0 | kind]) + varint(claimed) + b"".join(encode(item)[1] for item in items)


def file_of(schema, num_rows, pages=b"", values=None, groups=None):
    chunk = Struct(f2=4, f3=Struct(f1=Int32(6), f2=[0, 3], f3=[b"text"], f4=Int32(0), f5=values or num_rows, f6=len(pages),
                                   f7=len(pages), f9=4))
    group = Struct(f1=[chunk], f2=len(pages), f3=num_rows)
    footer = Struct(f1=Int32(2), f2=schema, f3=num_rows, f4=groups or [group]).encode()
    return b"PAR1" + pages + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def root(children):
    return Struct(f4=b"schema", f5=Int32(children))


TEXT = Struct(f1=Int32(6), f3=Int32(1), f4=b"text")


def page_of(num_rows, content):
    return Struct(f1=Int32(0), f2=Int32(len(content)), f3=Int32(len(content)),
                  f5=Struct(f1=Int32(num_rows), f2=Int32(0), f3=Int32(3), f4=Int32(3))).encode() + content


def text_page(text):
    levels = bytes([2, 1])  # a run of one value, 1
    return page_of(1, len(levels).to_bytes(4, "little") + levels + len(text).to_bytes(4, "little") + text)


def null_page(num_rows):
    levels = varint(num_rows << 1) + b"\0"
    return page_of(num_rows, len(levels).to_bytes(4, "little") + levels)


BOMBS = {
    "rows of the footer": (file_of([root(1), TEXT], 1 << 40), "corrupt"),
    "rows without a page": (file_of([root(1), TEXT], 1 << 30), "corrupt"),
    "rows of a page": (file_of([root(1), TEXT], 1 << 30, null_page(1 << 30)), "corrupt"),
    "nulls": (file_of([root(1), TEXT], 1 << 20, null_page(1 << 20)), "not_a_string"),
    "columns": (file_of(([root(1), TEXT], 1 << 30), 1), "corrupt"),
    "groups": (file_of([root(1), TEXT], 1, groups=([Struct(f3=1)], 1 << 31 - 1)), "corrupt"),
    "depth": (file_of([root(1)] * 100000 + [TEXT], 1, text_page(b"a text")), "corrupt"),
    "length of a text": (file_of([root(1), TEXT], 1, text_page(b"a text").replace(b"\6\0\0\0", b"\6\0\0\x70")), "corrupt"),
}


def test_the_files_made_by_hand_are_read(tmp_path, run):
    (tmp_path / "a.parquet").write_bytes(file_of([root(1), TEXT], 1, text_page(b"a text")))
    assert pq.read_table(tmp_path / "a.parquet")["text"].to_pylist() == [b"a text"]
    run("dedup", tmp_path / "a.parquet", "-o", tmp_path / "out")
    assert pq.read_table(tmp_path / "out/kept/a.parquet")["text"].to_pylist() == [b"a text"]


@pytest.mark.parametrize("name", BOMBS)
def test_small_files_that_claim_much_take_no_memory(tmp_path, run, name):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/bomb.parquet").write_bytes(BOMBS[name][0])
    (tmp_path / "in/good.txt").write_text("a text")
    run("dedup", tmp_path / "in", "-o", tmp_path / "out", "--threads", 2, "--memory", "256M")
    rejected = lines_of(tmp_path / "out/rejected.jsonl")
    assert {row["reason"] for row in rejected} == {BOMBS[name][1]} and len(rejected) < 20, rejected
    assert json.loads((tmp_path / "out/report.json").read_text())["run"]["peak_memory_bytes"] < 200 << 20


def test_a_damaged_page_costs_its_row_group_alone(tmp_path, run):
    table = written(table_of(texts_of(200)), tmp_path / "in.parquet", row_group_size=50, compression="zstd",
                    write_page_checksum=True)
    chunk = pq.ParquetFile(tmp_path / "in.parquet").metadata.row_group(1).column(12)  # not that of the texts
    damaged = bytearray((tmp_path / "in.parquet").read_bytes())
    damaged[chunk.data_page_offset + chunk.total_compressed_size - 5] ^= 0xFF
    (tmp_path / "in.parquet").write_bytes(damaged)
    run("dedup", tmp_path / "in.parquet", "-o", tmp_path / "out", "--id-key", "url")
    (rejected,) = lines_of(tmp_path / "out/rejected.jsonl")
    assert (rejected["reason"], rejected["line"], rejected["unread_lines"]) == ("corrupt", 51, 50)
    assert "row group 2" in rejected["message"]
    rest = pa.concat_tables([table.slice(0, 50), table.slice(100)])
    assert plain(pq.read_table(tmp_path / "out/kept/in.parquet")).equals(plain(kept_rows(rest, tmp_path / "out")))


def test_a_damaged_page_of_texts_costs_its_batch_alone(tmp_path, run):
    table = written(table_of(texts_of(200)), tmp_path / "in.parquet", row_group_size=100, compression="zstd", use_dictionary=False,
                    data_page_size=4000, write_batch_size=5, write_page_checksum=True)
    chunk = pq.ParquetFile(tmp_path / "in.parquet").metadata.row_group(1).column(1)
    damaged = bytearray((tmp_path / "in.parquet").read_bytes())
    damaged[chunk.data_page_offset + chunk.total_compressed_size - 5] ^= 0xFF
    (tmp_path / "in.parquet").write_bytes(damaged)
    run("dedup", tmp_path / "in.parquet", "-o", tmp_path / "out", "--id-key", "url", "--batch-bytes", 9000)
    (rejected,) = lines_of(tmp_path / "out/rejected.jsonl")
    first, count = rejected["line"] - 1, rejected["unread_lines"]
    assert rejected["reason"] == "corrupt" and first >= 100 and 0 < count < 60
    rest = pa.concat_tables([table.slice(0, first), table.slice(first + count)])
    assert plain(pq.read_table(tmp_path / "out/kept/in.parquet")).equals(plain(kept_rows(rest, tmp_path / "out")))


def test_a_long_text_that_is_repeated_by_a_dictionary_is_held_once(tmp_path, run):
    text = " ".join(TEXTS) * 700  # about 1 MB, and 800 times
    table = pa.table({"text": pa.DictionaryArray.from_arrays(pa.array([0] * 800, pa.int32()), [text])})
    pq.write_table(table, tmp_path / "in.parquet", dictionary_pagesize_limit=1 << 24)
    assert (tmp_path / "in.parquet").stat().st_size < 1 << 20
    run("dedup", tmp_path / "in.parquet", "-o", tmp_path / "out", "--memory", "512M", "--threads", "2")
    report = json.loads((tmp_path / "out/report.json").read_text())
    assert report["total"]["kept"] == 1 and report["run"]["peak_memory_bytes"] < 512 << 20


NESTED = {
    "list": pa.array([["a"], ["b"]]), "map": pa.array([[("k", 1)], []], pa.map_(pa.string(), pa.int32())),
    "struct": pa.array([{"n": 1}, {"n": 2}]),
}


@pytest.mark.parametrize("option", ["--within", "--group-key", "--keep", "--text-key"])
@pytest.mark.parametrize("kind", NESTED)
def test_a_rule_that_names_a_nested_column_is_refused(tmp_path, kind, option):
    pq.write_table(pa.table({"text": TEXTS[:2], "g": NESTED[kind]}), tmp_path / "a.parquet")
    done = subprocess.run([os.environ["NEARDUP_PROGRAM"], "dedup", tmp_path / "a.parquet", "-o", tmp_path / "out", option,
                           "max:g" if option == "--keep" else "g"], capture_output=True, text=True)
    assert done.returncode == 2
    (rejected,) = lines_of(tmp_path / "out/rejected.jsonl")
    assert rejected["reason"] == ("not_a_string" if option == "--text-key" else "unsupported")
    assert f"column 'g' is a {kind}" in rejected["message"]
    assert (kind == "struct") == ("'g.n'" in rejected["message"])


@pytest.mark.parametrize("column", [
    pa.array([-2.5, 1.25, 65504, 6e-8], pa.float32()).cast(pa.float16()),
    pa.array([decimal.Decimal(text) for text in ("-1.50", "12345678901234567890123456789012345678901234567890.25", "0.00", "-0.01")],
             pa.decimal256(60, 2))], ids=lambda column: str(column.type))
def test_numbers_of_any_width_decide(tmp_path, run, column):
    values = column.to_pylist()
    pq.write_table(pa.table({"text": [TEXTS[0]] * 4, "n": column}), tmp_path / "in.parquet")
    run("dedup", tmp_path / "in.parquet", "-o", tmp_path / "out", "--keep", "max:n")
    assert pq.read_table(tmp_path / "out/kept/in.parquet")["n"].to_pylist() == [max(values)]
    run("dedup", tmp_path / "in.parquet", "-o", tmp_path / "of", "--group-key", "n")
    assert len(json.loads((tmp_path / "of/report.json").read_text())["by_group"]["values"]) == 4


@pytest.mark.parametrize("kind", [pa.binary(), pa.binary(20)], ids=str)
def test_ids_of_bytes_stay_apart(tmp_path, run, kind):
    ids = [bytes([200 + i]) * 20 for i in range(4)]
    pq.write_table(pa.table({"text": [TEXTS[0]] * 4, "id": pa.array(ids, kind)}), tmp_path / "in.parquet")
    run("dedup", tmp_path / "in.parquet", "-o", tmp_path / "out")
    assert [row["id"] for row in lines_of(tmp_path / "out/duplicates.jsonl")] == [key.hex() for key in ids[1:]]
    assert {row["duplicate_of"] for row in lines_of(tmp_path / "out/duplicates.jsonl")} == {ids[0].hex()}


def test_a_large_page_is_told_with_the_size_that_takes_it(tmp_path):
    values = ["<html>" + str(i) + "x" * 200_000 for i in range(900)]
    pq.write_table(pa.table({"text": [f"{TEXTS[0]} {i}" for i in range(900)], "html": values}), tmp_path / "a.parquet", use_dictionary=False)
    command = [os.environ["NEARDUP_PROGRAM"], "dedup", tmp_path / "a.parquet", "-o", tmp_path / "out", "--overwrite", "--max-record-bytes"]
    done = subprocess.run([*command, "1M"], capture_output=True, text=True)
    (rejected,) = lines_of(tmp_path / "out/rejected.jsonl")
    assert done.returncode == 2 and rejected["reason"] == "too_long" and str(tmp_path) not in rejected["message"]
    size = rejected["message"].split("--max-record-bytes ")[1].split(",")[0]
    assert subprocess.run([*command, size], capture_output=True).returncode == 0
    assert lines_of(tmp_path / "out/rejected.jsonl") == []


def test_a_damaged_arrow_schema_rejects_the_file(tmp_path):
    pq.write_table(pa.table({"text": TEXTS}), tmp_path / "in.parquet")
    table = pq.ParquetFile(tmp_path / "in.parquet")
    schema = table.metadata.metadata[b"ARROW:schema"]
    damaged = (tmp_path / "in.parquet").read_bytes().replace(schema, b"AAAA" * (len(schema) // 4))
    (tmp_path / "in.parquet").write_bytes(damaged)
    done = subprocess.run([os.environ["NEARDUP_PROGRAM"], "dedup", tmp_path / "in.parquet", "-o", tmp_path / "out"], capture_output=True)
    (rejected,) = lines_of(tmp_path / "out/rejected.jsonl")
    assert done.returncode == 2 and rejected["reason"] == "corrupt" and "Arrow schema" in rejected["message"]


def test_empty_row_groups_are_left_out(tmp_path, run):
    table = pa.table({"text": [*TEXTS[:2], "words of a third one", "and of the last"]})
    with pq.ParquetWriter(tmp_path / "in.parquet", table.schema) as writer:
        for piece in (table.slice(0, 2), table.slice(0, 0), table.slice(2)):
            writer.write_table(piece)
    assert pq.ParquetFile(tmp_path / "in.parquet").num_row_groups == 3
    run("dedup", tmp_path / "in.parquet", "-o", tmp_path / "out")
    kept = pq.ParquetFile(tmp_path / "out/kept/in.parquet")
    assert kept.num_row_groups == 2 and kept.read().equals(pq.read_table(tmp_path / "in.parquet"))


def test_standard_input_tells_itself(tmp_path):
    table = written(table_of(texts_of(50)), tmp_path / "in.parquet")
    with open(tmp_path / "in.parquet", "rb") as source:
        subprocess.run([os.environ["NEARDUP_PROGRAM"], "dedup", "-", "-o", tmp_path / "out", "--id-key", "url"], stdin=source, check=True)
    assert_same_rows(tmp_path / "out/kept/stdin.parquet", kept_rows(table, tmp_path / "out"))


def test_the_module_looks_for_its_libraries_in_no_current_folder():
    shown = subprocess.run(["readelf", "-d", MODULE], capture_output=True, text=True, check=True).stdout
    (folders,) = [line.split("[")[1].split("]")[0].split(":") for line in shown.splitlines() if "RUNPATH" in line or "RPATH" in line]
    assert folders and all(folder.startswith(("/", "$ORIGIN")) for folder in folders), folders


def list_table(values):
    """Returns a table whose first row has all of `values` in a list, and 39 rows with an empty one."""
    offsets = pa.array([0] + [len(values)] * 40, pa.int32())
    return pa.table({"text": texts_of(40), "list": pa.ListArray.from_arrays(offsets, values)})


LONG_LISTS = {
    "numbers": lambda: pa.nulls(20_000_000, pa.int32()).fill_null(0),
    "nulls": lambda: pa.nulls(60_000_000, pa.int32()),
    "strings": lambda: pa.DictionaryArray.from_arrays(pa.nulls(800, pa.int32()).fill_null(0), ["x" * 1_000_000]),
}


@pytest.mark.parametrize("has_index", [False, True])
@pytest.mark.parametrize("name", LONG_LISTS)
def test_a_long_list_takes_no_memory(tmp_path, run, name, has_index):
    """With a page index, a page ends where a row ends: a list that is longer than a page may be is refused."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in/good.txt").write_text("a text")
    pq.write_table(list_table(LONG_LISTS[name]()), tmp_path / "in/a.parquet", write_page_index=has_index,
                   dictionary_pagesize_limit=1 << 24)
    run("dedup", tmp_path / "in", "-o", tmp_path / "out", "--memory", "256M", "--threads", 1)
    assert json.loads((tmp_path / "out/report.json").read_text())["run"]["peak_memory_bytes"] < 256 << 20
    if name == "nulls" or (has_index and name == "numbers"):  # of long strings pyarrow writes no index
        (rejected,) = lines_of(tmp_path / "out/rejected.jsonl")
        assert rejected["reason"] == "too_long" and "column 'list.list.element'" in rejected["message"]
    else:
        assert lines_of(tmp_path / "out/rejected.jsonl") == []
        before, after = (pq.ParquetFile(tmp_path / name).metadata.row_group(0) for name in ("in/a.parquet", "out/kept/a.parquet"))
        assert after.column(1).num_values == before.column(1).num_values - len(lines_of(tmp_path / "out/duplicates.jsonl"))


def run_within(seconds, *arguments):
    """Runs the program, which must end well and in time; returns what it printed."""
    done = subprocess.run([os.environ["NEARDUP_PROGRAM"], *map(str, arguments)], capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("packing", ["gz", "zst", "pre"])
def test_packed_tables_are_rejected(tmp_path, packing):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/good.txt").write_text("a text")
    pq.write_table(table_of(texts_of(50)), tmp_path / "a.parquet")
    content = (tmp_path / "a.parquet").read_bytes()
    options = []
    if packing == "pre":
        (tmp_path / "in/a.parquet").write_bytes(content)
        (tmp_path / "in/good.txt").rename(tmp_path / "in/good.parquet")
        (tmp_path / "in/good.parquet").write_bytes(content)
        options = ["--pre", "cat", "--pre-glob", "a.*", "--format", "parquet"]
    else:
        packed = gzip.compress(content) if packing == "gz" else pa.compress(content, "zstd", asbytes=True)
        (tmp_path / f"in/a.parquet.{packing}").write_bytes(packed)
    run_within(60, "dedup", tmp_path / "in", "-o", tmp_path / "out", *options)
    (rejected,) = lines_of(tmp_path / "out/rejected.jsonl")
    assert rejected["reason"] == "unsupported"
    assert ("decompress" if packing != "pre" else "--pre") in rejected["message"]


def test_equal_entries_of_a_dictionary(tmp_path, run):
    """pyarrow writes them once, and leaves bytes of no meaning behind the last."""
    texts = texts_of(2)
    codes = pa.array([0, 0, 1, 0] * 10, pa.int32())
    for i in range(20):
        table = pa.table({"text": pa.DictionaryArray.from_arrays(codes, pa.array([texts[0], texts[0]]))})
        pq.write_table(table, tmp_path / "in.parquet")
        run("dedup", tmp_path / "in.parquet", "-o", tmp_path / "out", "--overwrite")
        assert lines_of(tmp_path / "out/rejected.jsonl") == []
        assert pq.read_table(tmp_path / "out/kept/in.parquet").num_rows == 1


def test_without_the_module_the_command_that_adds_it_is_told(tmp_path):
    import shutil

    program = shutil.copy(os.environ["NEARDUP_PROGRAM"], tmp_path / "neardup")
    pq.write_table(pa.table({"text": TEXTS}), tmp_path / "a.parquet")
    done = subprocess.run([program, "dedup", tmp_path / "a.parquet", "-o", tmp_path / "out"], capture_output=True, text=True)
    assert done.returncode == 2
    assert f"libneardup_parquet.so, which is not in {tmp_path}" in done.stderr and f"tools/parquet_module {tmp_path}" in done.stderr
    (tmp_path / "libneardup_parquet.so").write_bytes(b"no library")
    done = subprocess.run([program, "dedup", tmp_path / "a.parquet", "-o", tmp_path / "out"], capture_output=True, text=True)
    assert done.returncode == 2 and "cannot open the Parquet module" in done.stderr
