"""text= as --text-key takes it: several columns, fields of structs, lists, for every kind of table."""
import json

import datasets
import neardup
import numpy
import pandas
import polars
import pyarrow
import pytest
from conftest import FERRY, FERRY_EDITED, FERRY_LOUD, OTHER, write_rows

CHATS = [
    {"id": "a", "title": "Fog", "meta": {"body": FERRY}, "messages": [{"role": "user", "content": FERRY}, {"role": "bot", "content": None}]},
    {"id": "b", "title": None, "meta": {"body": OTHER}, "messages": [{"role": "user", "content": OTHER}, {"role": "bot", "content": "It is a ferry."}]},
    {"id": "c", "title": "Fog", "meta": {"body": FERRY_EDITED}, "messages": [{"role": "user", "content": FERRY_EDITED}]},
    {"id": "d", "title": "fog", "meta": {"body": FERRY_LOUD}, "messages": [{"role": "bot", "content": "harbour"}, {"role": "user", "content": FERRY_LOUD}]},
    {"id": "e", "title": "", "meta": None, "messages": []},
    {"id": "f", "title": "Only a title", "meta": {"body": None}, "messages": None},
]
KINDS = {
    "dicts": lambda rows: rows,
    "tuple": tuple,
    "pandas": pandas.DataFrame,
    "pandas of Arrow": lambda rows: pyarrow.Table.from_pylist(rows).to_pandas(types_mapper=pandas.ArrowDtype),
    "pandas of arrays": lambda rows: pyarrow.Table.from_pylist(rows).to_pandas(),  # lists are numpy arrays
    "polars": polars.DataFrame,
    "Arrow": pyarrow.Table.from_pylist,
    "Arrow batch": lambda rows: pyarrow.RecordBatch.from_pylist(rows),
    "Arrow in pieces": lambda rows: pyarrow.concat_tables([pyarrow.Table.from_pylist(rows * 2).slice(i + len(rows), 1) for i in range(len(rows))]),
    "datasets": lambda rows: datasets.Dataset.from_list(rows),
}


def removed_by(found):
    rows = found.duplicates
    if isinstance(rows, list):
        rows = {name: [row[name] for row in rows] for name in ("id", "duplicate_of")}
    columns = [[getattr(value, "as_py", lambda value=value: value)() for value in rows[name]] for name in ("id", "duplicate_of")]
    return list(zip(*columns)), found.rejected


@pytest.fixture(scope="module")
def of_program(run, tmp_path_factory):
    """What the program makes of the same rows: the removed ones, and the numbers of the rejected ones."""
    folder = tmp_path_factory.mktemp("chats")
    path = write_rows(folder / "chats.jsonl", CHATS)
    found = {}

    def ask(text):
        if text not in found:
            out = folder / f"out{len(found)}"
            run("dedup", path, "-o", out, "--text-key", text)
            kept = {row["id"] for row in map(json.loads, (out / "kept" / "chats.jsonl").read_text().splitlines())}
            removed = [(row["id"], row["duplicate_of"]) for row in map(json.loads, (out / "duplicates.jsonl").read_text().splitlines())]
            gone = kept | {id for id, _ in removed}
            found[text] = removed, [number for number, row in enumerate(CHATS) if row["id"] not in gone]
        return found[text]

    return ask


@pytest.mark.parametrize("text", ["messages[].content", "title,meta.body", "meta.body|title", "meta.body", "title"])
def test_each_kind_of_table(of_program, text):
    for name, make in KINDS.items():
        assert removed_by(neardup.dedup(make(CHATS), text=text)) == of_program(text), name


def test_what_the_text_is():
    rows = [{"a": "one", "b": ["two", None, "three"], "c": {"d": "four"}, "e,f": "five"}]
    for make in KINDS.values():
        texts = {text: neardup.fingerprint(make(rows), text=text).tolist() for text in ("a,b[],c.d", "e,f", '"a"')}
        wanted = ["one\n\ntwo\n\nthree\n\nfour", "five", "one"]
        assert list(texts.values()) == [neardup.fingerprint([each]).tolist() for each in wanted]


def test_the_other_functions():
    rows = [{"id": i, "a": each, "b": each[::-1]} for i, each in enumerate([FERRY, OTHER, FERRY])]
    assert neardup.pairs(rows, text="a,b") == [{"a": 0, "b": 2, "distance": 0}]
    assert neardup.unique_lines(rows, text="a,b").rows == [0, 1]
    assert neardup.unique_lines(rows, text="a,b", minus=[{"a": OTHER, "b": OTHER[::-1]}]).rows == [0]
    labelled = [{**row, "cluster": i % 2} for i, row in enumerate(rows)]
    assert neardup.evaluate(labelled, text="a,b").data["documents"] == 3
    assert neardup.dedup(rows, text="a,b", against=rows[:1]).counts["exact"] == 2


def test_files(tmp_path):
    path = write_rows(tmp_path / "chats.jsonl", CHATS)
    counts = neardup.dedup(path, out=tmp_path / "out", text="messages[].content")
    assert (counts["read"], counts["kept"], counts["rejected"]) == (6, 2, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_there(kind):
    table = KINDS[kind](CHATS[2:4])
    for text, told in {
        "body": "there is no column 'body'; there are: id, title, meta, messages",
        "title,body": r"no row has what text names: no column 'body', of text 'title,body' \(A,B\|A takes A alone where there is no B\); "
                      "there are: id, title, meta, messages",
        "meta.nothing": "no row has what text names: no column 'meta.nothing'",
        "title.body": "no row has what text names: no column 'title.body'",
        "a,,b": "the text key 'a,,b' names a field that has no name",
    }.items():
        with pytest.raises(neardup.InvalidArgument, match=told):
            neardup.dedup(table, text=text)
    for text, told in {
        "messages": r"(holds no texts|not str).*; of a list text='messages\[\]' takes the strings, 'messages\[\].FIELD' a field",
        "meta": "(holds no texts|not str).*; text='meta.FIELD' takes a field",
        "messages[]": r"row \d: column 'messages\[\]' is not a string",
        "title[]": r"row \d: column 'title\[\]' is not a string",
    }.items():
        with pytest.raises(TypeError, match=told):
            neardup.dedup(table, text=text)


def test_lists_of_each_kind_of_arrow():
    texts = [[FERRY, None], None, [], [OTHER, "more"]]
    wanted = neardup.fingerprint([FERRY, None, None, OTHER + "\n\nmore"]).tolist()
    for type in (pyarrow.list_(pyarrow.string()), pyarrow.large_list(pyarrow.large_string()), pyarrow.list_view(pyarrow.string_view()),
                 pyarrow.list_(pyarrow.dictionary(pyarrow.int8(), pyarrow.string()))):
        column = pyarrow.array(texts, type)
        assert neardup.fingerprint(pyarrow.table({"t": column}), text="t[]").tolist() == wanted, type
        assert neardup.fingerprint(pyarrow.table({"t": column.slice(2)}), text="t[]").tolist() == wanted[2:], type
    fixed = pyarrow.array([["a b", "c d"], None, ["e f", None]], pyarrow.list_(pyarrow.string(), 2))
    wanted = neardup.fingerprint(["a b\n\nc d", None, "e f"]).tolist()
    assert neardup.fingerprint(pyarrow.table({"t": fixed}), text="t[]").tolist() == wanted
    assert neardup.fingerprint(pyarrow.table({"t": fixed.slice(2)}), text="t[]").tolist() == wanted[2:]
    structs = pyarrow.array([{"s": "a b"}, {"s": None}, None, {"s": "c d"}])
    wanted = neardup.fingerprint(["a b", None, None, "c d"]).tolist()
    for first in range(4):
        assert neardup.fingerprint(pyarrow.table({"t": structs.slice(first)}), text="t.s").tolist() == wanted[first:]


def test_rows_that_lack_a_field_are_rejected():
    rows = [{"title": "a b c d", "body": "e f g h"}, {"title": "i j k l"}, {"title": "m n o p", "body": None}, {"title": numpy.nan, "body": None}]
    assert neardup.dedup(rows, text="title,body").rejected == [1, 3]
    assert neardup.dedup(rows, text="title,body|title").rejected == [3]
    mixed = [{"m": [{"c": "a b c"}]}, {"m": [{"c": [{"type": "image"}]}]}]
    with pytest.raises(TypeError, match=r"row 1: column 'm\[\].c' is not a string"):
        neardup.dedup(mixed, text="m[].c")
    assert neardup.fingerprint([{"m": [{"c": "a"}, {"c": [{"t": "b"}, {"i": 1}]}, {"c": None}]}], text="m[].c[].t").tolist() == neardup.fingerprint(["a\n\nb"]).tolist()
    assert neardup.fingerprint([{"m": ["é", b"\xc3\xa9", "e"]}], text="m[]").tolist() == neardup.fingerprint(["é\n\né\n\ne"]).tolist()
