"""dedup() decides as `neardup dedup` does, and writes the same bytes."""
import json

import neardup
import pytest
from conftest import CURRENT, HISTORY, LANGUAGES, files_of, lines_of, rows_of


def of_program(run, folder, *arguments):
    """Returns duplicates.jsonl and clusters.jsonl of a run of the program."""
    run("dedup", *arguments, "-o", folder)
    return lines_of(folder / "duplicates.jsonl"), lines_of(folder / "clusters.jsonl")


def check(result, rows, duplicates, clusters):
    """The same are kept, and each removed one names the same document, with the same figures."""
    names = ("id", "duplicate_of", "kind", "distance", "similarity")
    assert [row for row in result.duplicates] == [{name: each[name] for name in names} for each in duplicates]
    gone = {each["id"] for each in duplicates}
    assert [row["id"] for row in result.kept] == [row["id"] for row in rows if row["id"] not in gone]
    assert result.clusters == [{"kept": each["kept"], "members": each["members"]} for each in clusters]


@pytest.mark.parametrize("path", [HISTORY, LANGUAGES, CURRENT], ids=lambda path: path.stem)
def test_defaults(run, tmp_path, path):
    rows = rows_of(path)
    check(neardup.dedup(rows), rows, *of_program(run, tmp_path / "out", path))


@pytest.mark.parametrize(
    "words",
    [
        {"family": "simhash"},
        {"family": "simhash", "distance": 6},
        {"verify": "origin"},
        {"verify": "jaccard:0.7"},
        {"verify": "none"},
        {"keep": "longest"},
        {"recipe": "web"},
    ],
    ids=str,
)
def test_words(run, tmp_path, history, words):
    flags = [word for name, value in words.items() for word in (f"--{name}", value)]
    check(neardup.dedup(history, **words), history, *of_program(run, tmp_path / "out", HISTORY, *flags))


def numbered(rows):
    return [{**row, "rank": i * 7 % 11, "from": "ab"[i % 2]} for i, row in enumerate(rows)]


@pytest.mark.parametrize("keep", ["max:rank", "priority:from=b,a"])
def test_keep_by_a_column(run, tmp_path, history, keep):
    rows = numbered(history)
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    check(neardup.dedup(rows, keep=keep), rows, *of_program(run, tmp_path / "out", path, "--keep", keep))


def test_against(run, tmp_path, history, current):
    expected = of_program(run, tmp_path / "out", HISTORY, "--reference", CURRENT)
    result = neardup.dedup(history, against=current)
    check(result, history, *expected)
    assert {row["duplicate_of"] for row in result.duplicates} & {row["id"] for row in current}


def test_against_without_ids(history, current):
    with_ids = neardup.dedup(history, against=current)
    texts = neardup.dedup([row["text"] for row in history], against=[row["text"] for row in current])
    assert (texts.mask == with_ids.mask).all()


def test_threads_change_nothing(history):
    one, four = (neardup.dedup(history, threads=threads) for threads in (1, 4))
    assert one.duplicates == four.duplicates and one.clusters == four.clusters


def test_little_memory_changes_nothing(history):
    assert neardup.dedup(history, memory="300M").duplicates == neardup.dedup(history).duplicates


@pytest.mark.parametrize(
    "words,flags",
    [({}, []), ({"keep": "longest"}, ["--keep", "longest"]), ({"against": CURRENT}, ["--reference", CURRENT])],
    ids=["defaults", "longest", "against"],
)
def test_out_has_the_same_bytes(run, tmp_path, words, flags):
    counts = neardup.dedup(HISTORY, out=tmp_path / "ours", **words)
    run("dedup", HISTORY, *flags, "-o", tmp_path / "theirs")
    assert files_of(tmp_path / "ours") == files_of(tmp_path / "theirs")
    report = json.loads((tmp_path / "ours" / "report.json").read_text())
    assert counts["read"] == counts["kept"] + counts["exact"] + counts["near"] + counts["rejected"] == 421, report


def test_out_of_several_paths(run, tmp_path):
    neardup.dedup([str(HISTORY), CURRENT], out=tmp_path / "ours")
    run("dedup", HISTORY, CURRENT, "-o", tmp_path / "theirs")
    assert files_of(tmp_path / "ours") == files_of(tmp_path / "theirs")


def test_out_is_not_overwritten_unasked(tmp_path):
    neardup.dedup(LANGUAGES, out=tmp_path / "out")
    with pytest.raises(neardup.Error, match="overwrite"):
        neardup.dedup(LANGUAGES, out=tmp_path / "out")
    assert neardup.dedup(LANGUAGES, out=tmp_path / "out", overwrite=True)["read"] == 39


def test_tables_are_read_as_told(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text('id;text\n1; "one; two"\n2;"one; two"\n3;"another"\n')
    counts = neardup.dedup(path, out=tmp_path / "out", table="separator=semicolon,spaces=skip")
    assert (counts["read"], counts["exact"], counts["rejected"]) == (3, 1, 0)
    assert (tmp_path / "out" / "kept" / "in.csv").read_text() == 'id;text\n1; "one; two"\n3;"another"\n'
    with pytest.warns(neardup.DedupWarning, match="table=\"separator=semicolon\""):
        assert neardup.dedup(path, out=tmp_path / "unsaid")["rejected"] == 3
    with pytest.raises(neardup.InvalidArgument, match="a table is described by separator="):
        neardup.dedup(path, out=tmp_path / "other", table="comma")
    for call in (neardup.dedup, neardup.evaluate):
        with pytest.raises(TypeError, match="table= tells how"):
            call([{"text": "a"}], table="quotes=none")


def test_paths_need_out_and_out_needs_paths(tmp_path):
    with pytest.raises(TypeError, match="out="):
        neardup.dedup(str(HISTORY))
    with pytest.raises(TypeError, match="into="):
        neardup.dedup(["a"], into=tmp_path / "store")
    with pytest.raises(TypeError, match="paths"):
        neardup.dedup([{"text": "a"}], out=tmp_path / "out")


def test_into_makes_a_store(tmp_path, history):
    counts = neardup.dedup(HISTORY, out=tmp_path / "out", into=tmp_path / "store")
    with neardup.Store(tmp_path / "store") as store:
        assert len(store) == counts["added"] > 0
        assert store.check(history[0]["text"]).kind == "exact"


def test_counts_of_the_learnt_can_be_given_again(tmp_path, history):
    neardup.dedup(HISTORY, out=tmp_path / "out")
    again = neardup.dedup(history, commonness=tmp_path / "out" / "commonness.bin")
    assert again.duplicates == neardup.dedup(history).duplicates
