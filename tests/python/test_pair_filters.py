"""bands=, within= and size_within=: which texts are compared at all; the results are those of the program."""

import json

import pytest
from conftest import duplicates_of_program, files_of, named, write_rows

import neardup


@pytest.fixture(scope="module")
def documents(history):
    """Documents with a category each, of which neighbours have different ones, and a row without one."""
    rows = [{"id": row["id"], "text": row["text"], "part": number % 3} for number, row in enumerate(history[:150])]
    del rows[7]["part"]
    return rows


OPTIONS = [
    ({"bands": 2}, ["--bands", "2"]),
    ({"within": "part"}, ["--within", "part"]),
    ({"size_within": 0.05}, ["--size-within", "5%"]),
    ({"bands": 16, "within": "part", "size_within": 0.2}, ["--bands", "16", "--within", "part", "--size-within", "20%"]),
]


@pytest.mark.parametrize("words,flags", OPTIONS, ids=lambda value: None)
def test_rows_as_the_program(run, documents, tmp_path, words, flags):
    expected = duplicates_of_program(run, tmp_path, documents, *flags)
    found = named(neardup.dedup(documents, **words).duplicates)
    assert found == expected and 5 < len(expected) < len(neardup.dedup(documents).duplicates)


def test_against_as_the_program(run, documents, tmp_path):
    rows, others = documents[:60], documents[60:]
    expected = duplicates_of_program(run, tmp_path, rows, "--within", "part", others=others)
    found = neardup.dedup(rows, against=others, within="part").duplicates
    assert named(found) == expected and len(expected) > 5


def test_files_as_the_program(run, documents, tmp_path):
    path = write_rows(tmp_path / "rows.jsonl", documents)
    run("dedup", path, "-o", tmp_path / "one", "--bands", "16", "--within", "part", "--size-within", "20%")
    neardup.dedup(path, out=tmp_path / "two", bands=16, within="part", size_within=0.2)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_evaluate_as_the_program(run, documents, tmp_path):
    rows = [{**row, "cluster": row["id"].partition("/")[0]} for row in documents]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    expected = json.loads(run("evaluate", path, "--bands", "16", "--within", "part", "--json"))
    for data in (path, rows):
        assert neardup.evaluate(data, bands=16, within="part").data == expected
    assert expected != json.loads(run("evaluate", path, "--json"))


def test_tables_have_categories_of_any_type(documents):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(documents)
    found = neardup.dedup(frame, within="part").duplicates
    assert list(found.id) == [row["id"] for row in neardup.dedup(documents, within="part").duplicates]


def test_few_bands_find_no_candidates():
    text = "The harbour was closed yesterday because of thick fog, and the late ferry struck the northern pier. Nobody was hurt."
    edited = text.replace("yesterday", "today").replace("late", "last").replace("Nobody", "No one")
    assert not neardup.explain(text, edited, bands=1).are_candidates
    assert neardup.explain(text, edited, bands=4).are_candidates and neardup.explain(text, edited).are_candidates


@pytest.mark.parametrize(
    "words,error,match",
    [
        ({"bands": 0}, neardup.InvalidArgument, "bands is a number of bands, 1 or more, found 0"),
        ({"bands": -9}, neardup.InvalidArgument, "bands is a number of bands, 1 or more"),
        ({"bands": 1 << 40}, neardup.InvalidArgument, "bands: signatures of 128 values make at most"),
        ({"bands": 2, "family": "simhash"}, neardup.InvalidArgument, "bands counts bands of MinHash .* family asks for SimHash"),
        ({"bands": "many"}, TypeError, "bands is a whole number"),
        ({"within": "none"}, neardup.InvalidArgument, "there is no column 'none'; there are: id, text"),
        ({"within": 7}, TypeError, "within is a str"),
        ({"size_within": 5}, neardup.InvalidArgument, "size_within is a number from 0 to 1"),
        ({"size_within": float("nan")}, neardup.InvalidArgument, "size_within is a number from 0 to 1"),
        ({"size_within": "5%"}, TypeError, "size_within is a number from 0 to 1"),
    ],
    ids=lambda value: None,
)
def test_mistakes_are_told(words, error, match):
    with pytest.raises(error, match=match):
        neardup.dedup([{"id": "a", "text": "a text"}], **words)


def test_texts_alone_have_no_categories():
    with pytest.raises(TypeError, match="texts alone have no column 'part'"):
        neardup.dedup(["a text"], within="part")
