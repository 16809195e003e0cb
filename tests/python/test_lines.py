"""unique_lines() of lists, tables and files: what the obvious way gives, and what the program writes."""
import gzip
import random

import neardup
import pytest
from conftest import lines_of


def obvious(lines, key=lambda line: line):
    """Returns the first of each and how often it comes."""
    times = {}
    for line in lines:
        times.setdefault(key(line), [line, 0])[1] += 1
    return [line for line, _ in times.values()], [count for _, count in times.values()]


def some_lines(seed, count=3000):
    rng = random.Random(seed)
    return ["".join(rng.choice("aAbß ,\n\r\0") for _ in range(rng.randrange(5))) for _ in range(count)]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_lists(threads):
    lines = some_lines(threads)
    found = neardup.unique_lines(lines, threads=threads)
    kept, times = obvious(lines)
    assert (found.kept, found.times, len(found)) == (kept, times, len(kept))
    assert [lines[row] for row in found.rows] == kept
    assert found.counts == {"read": 3000, "kept": len(kept), "removed": 3000 - len(kept), "minus": 0, "without_key": 0, "similar": 0}
    assert repr(found) == f"UniqueLines(read=3,000, kept={len(kept):,})"


def test_what_came_in_comes_back():
    assert neardup.unique_lines([b"a\n", b"\xff", b"a\n"]).kept == [b"a\n", b"\xff"]
    assert neardup.unique_lines(("a", "b", "a")).kept == ("a", "b")
    assert neardup.unique_lines([]).kept == []
    rows = [{"text": "x", "n": 1}, {"text": "y", "n": 2}, {"text": "x", "n": 3}]
    assert neardup.unique_lines(rows).kept == rows[:2]


def test_tables():
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    columns = {"line": ["b", "a", "b", "ä"], "n": [1, 2, 3, 4]}
    assert neardup.unique_lines(polars.DataFrame(columns), text="line").kept["n"].to_list() == [1, 2, 4]
    assert neardup.unique_lines(pandas.Series(columns["line"])).kept.tolist() == ["b", "a", "ä"]
    sorted_rows = neardup.unique_lines(pandas.DataFrame(columns), text="line", order="sorted")
    assert sorted_rows.kept["line"].tolist() == ["a", "b", "ä"]


def test_words():
    lines = ["b 1", "a 2", "B 1", "c 1", "a 2", ""]
    assert neardup.unique_lines(lines, ignore_case=True).kept == ["b 1", "a 2", "c 1", ""]
    assert neardup.unique_lines(lines, order="sorted").kept == ["", "B 1", "a 2", "b 1", "c 1"]
    assert neardup.unique_lines(lines, only="duplicates").kept == ["a 2"]
    assert neardup.unique_lines(lines, only="uniques").kept == ["b 1", "B 1", "c 1", ""]
    assert neardup.unique_lines(lines, minus=["a 2", "", "not there"]).kept == ["b 1", "B 1", "c 1"]
    assert neardup.unique_lines(lines, fast=True).times == [1, 2, 1, 1, 1]
    by_field = neardup.unique_lines(lines, field=2)
    assert (by_field.kept, by_field.counts["without_key"]) == (["b 1", "a 2", ""], 1)
    assert neardup.unique_lines(["a;1", "b;1"], field=2, delimiter=";").kept == ["a;1"]
    assert neardup.unique_lines(lines, regex="[a-z]").kept == ["b 1", "a 2", "B 1", "c 1", ""]
    assert neardup.unique_lines(["a,b", "ab", "a b"], ignore_punctuation=True, ignore_space=True).kept == ["a,b"]


TITLES = [
    "How to install Python on Windows", "news", "How to instal Python on Windows!", "How to install Java on Windows",
    "Sales increase in the second quarter", "Sales decrease in the second quarter", "news",
]


def test_similar():
    found = neardup.unique_lines(TITLES, similar=0.7)
    assert (found.rows, found.times) == ([0, 1, 3, 4, 5], [2, 2, 1, 1, 1])
    assert found.duplicates == [{"row": 2, "duplicate_of": 0, "of_minus": False, "similarity": 0.9062}]
    assert found.counts["similar"] == 1 and found.counts["removed"] == 2
    assert neardup.unique_lines(TITLES, similar=0.7, verify="origin").rows == [0, 1, 3, 4]
    assert neardup.unique_lines(TITLES, similar=0.95).rows == [0, 1, 2, 3, 4, 5]
    against = neardup.unique_lines(TITLES, similar=0.7, minus=["How to install Python on window"])
    assert against.rows == [1, 3, 4, 5]
    assert [(row["row"], row["duplicate_of"], row["of_minus"]) for row in against.duplicates] == [(0, 0, True), (2, 0, True)]
    with pytest.raises(neardup.InvalidArgument, match="0.5 to 1"):
        neardup.unique_lines(TITLES, similar=70)
    with pytest.raises(neardup.InvalidArgument, match="verify is one of content, origin"):
        neardup.unique_lines(TITLES, similar=0.7, verify="code")
    with pytest.raises(neardup.InvalidArgument, match="verify is about similar lines: ask for them by similar"):
        neardup.unique_lines(TITLES, verify="origin")


def test_similar_in_files(run, tmp_path):
    (tmp_path / "a").write_text("\n".join(TITLES))
    neardup.unique_lines(tmp_path / "a", out=tmp_path / "out", similar=0.7, duplicates=tmp_path / "removed.jsonl")
    assert (tmp_path / "out").read_text().splitlines() == neardup.unique_lines(TITLES, similar=0.7).kept
    assert [(row["line"], row["duplicate_of"], row["text"]) for row in lines_of(tmp_path / "removed.jsonl")] == [(3, 1, TITLES[2])]
    with pytest.raises(neardup.InvalidArgument, match="similar"):
        neardup.unique_lines(tmp_path / "a", out=tmp_path / "out", duplicates=tmp_path / "more", overwrite=True)
    with pytest.raises(TypeError, match="duplicates="):
        neardup.unique_lines(TITLES, similar=0.7, duplicates=tmp_path / "more")


def test_files_as_the_program(run, tmp_path):
    (tmp_path / "a").write_bytes(b"x\ny\nx\r\nx\n\xff\n\n\nlast")
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"y\nz\nlast\n"))
    (tmp_path / "old").write_bytes(b"z\n")
    paths = [tmp_path / "a", tmp_path / "b.gz"]
    for words, flags in [
        ({}, []),
        ({"count": True}, ["--count"]),
        ({"only": "duplicates", "order": "sorted"}, ["--only", "duplicates", "--order", "sorted"]),
        ({"minus": tmp_path / "old", "ignore_space": True, "memory": "32M"}, ["--minus", tmp_path / "old", "--ignore-space"]),
    ]:
        counts = neardup.unique_lines(paths, out=tmp_path / "out", overwrite=True, **words)
        run("lines", *paths, "-o", tmp_path / "expected", "--overwrite", *flags)
        assert (tmp_path / "out").read_bytes() == (tmp_path / "expected").read_bytes()
        assert counts["read"] == 11 and counts["read"] == counts["kept"] + counts["removed"]
    neardup.unique_lines(tmp_path / "a", out=tmp_path / "out.gz")
    assert gzip.decompress((tmp_path / "out.gz").read_bytes()) == b"x\ny\nx\r\n\xff\n\nlast"
    (tmp_path / "z").write_bytes(b"a\0b\0a\0")
    neardup.unique_lines(tmp_path / "z", out=tmp_path / "out", zero_terminated=True, compression="none", overwrite=True)
    assert (tmp_path / "out").read_bytes() == b"a\0b\0"


def test_refusals(tmp_path):
    (tmp_path / "a").write_bytes(b"x\n")
    with pytest.raises(TypeError, match="out="):
        neardup.unique_lines("a")
    for name, value in [("count", True), ("zero_terminated", True), ("compression", "gzip"), ("overwrite", True)]:
        with pytest.raises(TypeError, match=f"{name}= is about the file of out="):
            neardup.unique_lines(["a"], **{name: value})
    with pytest.raises(TypeError, match="paths"):
        neardup.unique_lines([b"a"], out=tmp_path / "out")
    with pytest.raises(TypeError, match="row 1 is int"):
        neardup.unique_lines(["a", 2])
    with pytest.raises(neardup.InvalidArgument, match="row 1 of data has no text"):
        neardup.unique_lines(["a", None])
    with pytest.raises(neardup.InvalidArgument, match="only is one of all, duplicates, uniques"):
        neardup.unique_lines(["a"], only="some")
    with pytest.raises(neardup.InvalidArgument, match="numbered from 1"):
        neardup.unique_lines(["a"], field=0)
    with pytest.raises(neardup.InvalidArgument, match="regular expression"):
        neardup.unique_lines(["a"], regex="(")
    with pytest.raises(neardup.OutOfMemory, match="raise memory,"):
        neardup.unique_lines([str(number) for number in range(100_000)], memory="1M")
    with pytest.raises(neardup.InvalidArgument, match="also an input"):
        neardup.unique_lines(tmp_path / "a", out=tmp_path / "a", overwrite=True)
    (tmp_path / "b").write_bytes(b"kept")
    with pytest.raises(neardup.InvalidArgument, match="overwrite=True"):
        neardup.unique_lines(tmp_path / "a", out=tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == b"kept"
    with pytest.raises(neardup.NotFound):
        neardup.unique_lines(tmp_path / "none", out=tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
