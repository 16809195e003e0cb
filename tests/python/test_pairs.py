"""pairs() against `neardup pairs`, and against all pairs."""
import itertools
import json

import neardup
import numpy
import pytest
from conftest import CURRENT, HISTORY, TEXTS, rows_of
from test_index import sample


def brute(left, right=None, k=3):
    """Returns (a, b, distance) of all pairs of rows of which some fingerprint is within k bits."""
    def distance(x, y):
        return int(numpy.bitwise_count(numpy.atleast_1d(x) ^ numpy.atleast_1d(y)).min())

    if right is None:
        rows = itertools.combinations(range(len(left)), 2)
        found = ((a, b, distance(left[a], left[b])) for a, b in rows)
    else:
        rows = itertools.product(range(len(left)), range(len(right)))
        found = ((a, b, distance(left[a], right[b])) for a, b in rows)
    return [hit for hit in found if hit[2] <= k]


@pytest.mark.parametrize("k", [0, 3, 8])
def test_one_array(k):
    values = sample(300)
    assert neardup.pairs(values, distance=k).tolist() == brute(values, k=k)


def test_two_arrays_of_several_fingerprints():
    left, right = (numpy.stack([sample(120, seed), sample(120, seed + 2)], axis=1) for seed in (1, 2))
    right[::7, 0] = left[::7, 0] ^ numpy.uint64(5)
    found = neardup.pairs(left, right)
    assert found.dtype.names == ("a", "b", "distance") and found.tolist() == brute(left, right)
    assert len(found) >= 18


def test_zeros_stand_for_nothing():
    assert neardup.pairs(numpy.zeros(50, numpy.uint64)).tolist() == []
    assert neardup.pairs(numpy.zeros((0, 2), numpy.uint64)).tolist() == []


def test_threads_change_nothing():
    values = sample(3000)
    assert neardup.pairs(values, threads=1).tolist() == neardup.pairs(values, threads=4).tolist()


def lines(text, types):
    return [tuple(kind(word) for kind, word in zip(types, line.split("\t"))) for line in text.splitlines()]


def test_files_and_texts_as_the_program(run, tmp_path, history):
    run("fingerprint", HISTORY, "--output-format", "bin", "-o", tmp_path / "prints.bin")
    expected = lines(run("pairs", tmp_path / "prints.bin", "--distance", 6), (str, str, int))
    assert [tuple(row.values()) for row in neardup.pairs(tmp_path / "prints.bin", distance=6)] == expected
    found = neardup.pairs(history, distance=6)
    assert [tuple(row.values()) for row in found] == expected and list(found[0]) == ["a", "b", "distance"]


def test_signatures_as_the_program(run, tmp_path, history):
    run("fingerprint", HISTORY, "--family", "minhash", "--output-format", "bin", "-o", tmp_path / "signatures.bin")
    expected = lines(run("pairs", tmp_path / "signatures.bin", "--verify", "jaccard:0.7"), (str, str, float, float))
    for given in (tmp_path / "signatures.bin", history):
        found = neardup.pairs(given, verify="jaccard:0.7", family="minhash")
        assert [tuple(row.values())[:2] for row in found] == [row[:2] for row in expected]
        assert all(abs(row["similarity"] - line[2]) < 0.001 for row, line in zip(found, expected))
    signatures = neardup.fingerprint(history, family="minhash")
    found = neardup.pairs(signatures, verify="jaccard:0.7")
    assert found.dtype.names == ("a", "b", "similarity", "error") and len(found) == len(expected)
    assert [(history[a]["id"], history[b]["id"]) for a, b, *_ in found.tolist()] == [row[:2] for row in expected]


def test_between_two(run, tmp_path, history, current):
    for name, path in (("a", HISTORY), ("b", CURRENT)):
        run("fingerprint", path, "--output-format", "bin", "-o", tmp_path / name)
    expected = lines(run("pairs", tmp_path / "a", tmp_path / "b"), (str, str, int))
    assert [tuple(row.values()) for row in neardup.pairs(history, current)] == expected
    mixed = neardup.pairs(tmp_path / "a", current)
    assert [tuple(row.values()) for row in mixed] == expected


def test_clusters(run, tmp_path):
    values = sample(400)
    (tmp_path / "prints.tsv").write_text("".join(f"{i}\t{value:016x}\n" for i, value in enumerate(values.tolist())))
    for kind in ("star", "components"):
        expected = lines(run("pairs", tmp_path / "prints.tsv", "--clusters", kind), (int, int, int))
        found = neardup.pairs(values, clusters=kind)
        assert found.dtype.names == ("id", "duplicate_of", "distance") and found.tolist() == expected


def test_tables_of_the_same_library():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    columns = {"text": [*TEXTS, None], "id": ["w", "x", "y", "z", "n"]}
    for library in (pandas, polars):
        found = neardup.pairs(library.DataFrame(columns), distance=16)
        assert isinstance(found, library.DataFrame) and list(found.columns) == ["a", "b", "distance"]
        assert list(found["a"]) == ["w", "w", "y"] and list(found["b"]) == ["y", "z", "z"]
        assert list(found["distance"])[1] == 0


def test_rows_are_numbers_without_ids():
    assert [(row["a"], row["b"]) for row in neardup.pairs([None, *TEXTS], distance=16)] == [(1, 3), (1, 4), (3, 4)]


@pytest.mark.parametrize(
    "wrong,match",
    [
        ({"data": numpy.zeros(3)}, "uint64 of shape"),
        ({"data": numpy.zeros((2, 2, 2), numpy.uint64)}, "uint64 of shape"),
        ({"data": sample(3), "distance": 17}, "0 to 16"),
        ({"data": sample(3), "verify": "origin"}, "'data' holds SimHash fingerprints, and verify"),
        ({"data": numpy.ones((2, 128), numpy.uint16), "distance": 3}, "'data' holds MinHash signatures, and distance"),
        ({"data": sample(3), "clusters": "rings"}, "none, star or components"),
        ({"data": numpy.ones((2, 2), numpy.uint64), "clusters": "star"}, "one fingerprint"),
        ({"data": ["a"], "recipe": "nothing"}, "nothing"),
    ],
    ids=str,
)
def test_what_cannot_be(wrong, match):
    with pytest.raises(neardup.Error, match=match):
        neardup.pairs(**wrong)


def test_what_cannot_be_compared():
    with pytest.raises(neardup.Mismatch, match="'data' has 1 fingerprint.*'other' has 2"):
        neardup.pairs(sample(3), numpy.ones((2, 2), numpy.uint64))
    with pytest.raises(neardup.NotFound):
        neardup.pairs("no/such/file.bin")
    with pytest.raises(neardup.OutOfMemory):
        neardup.pairs(sample(100_000), memory=1 << 16)


def test_progress_is_told():
    heard = []
    neardup.pairs(rows_of(CURRENT), progress=lambda *news: heard.append(news))
    assert heard


IDS = [f"d{i}" for i in range(len(TEXTS))]


def rows_with_ids():
    return [{"id": id, "text": text} for id, text in zip(IDS, TEXTS)]


def test_arrays_beside_what_has_ids(run, tmp_path):
    """Numbers of rows on one side, ids on the other: each side keeps its own."""
    pandas = pytest.importorskip("pandas")
    array, rows = neardup.fingerprint(TEXTS), rows_with_ids()
    expected = [(a, f"d{b}") for a, b, _ in neardup.pairs(array, array, distance=8).tolist()]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("fingerprint", tmp_path / "in.jsonl", "--recipe", "grams", "--output-format", "bin", "-o", tmp_path / "prints.bin")
    assert expected and isinstance(neardup.pairs(array, array), numpy.ndarray)
    for other in (rows, tmp_path / "prints.bin"):
        found = neardup.pairs(array, other, distance=8)
        assert [(row["a"], row["b"]) for row in found] == expected and list(found[0]) == ["a", "b", "distance"]
        assert sorted((row["b"], row["a"]) for row in neardup.pairs(other, array, distance=8)) == expected
    frame = neardup.pairs(array, pandas.DataFrame({"id": [0.5, 1.5, 2.5, 3.5], "text": TEXTS}), distance=8)
    assert isinstance(frame, pandas.DataFrame) and frame["b"].tolist() == [int(id[1:]) + 0.5 for _, id in expected]


def test_tables_of_no_rows():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for empty in (pandas.DataFrame({"text": [], "id": []}), polars.DataFrame({"text": [], "id": []}, schema={"text": str, "id": str})):
        found = neardup.pairs(empty)
        assert type(found) is type(empty) and list(found.columns) == ["a", "b", "distance"]
    assert list(neardup.pairs(pandas.DataFrame({"text": TEXTS}), empty).columns) == ["a", "b", "distance"]


def test_rows_without_an_id_are_called_by_their_numbers():
    pandas = pytest.importorskip("pandas")
    rows = rows_with_ids()
    number = str(len(rows))
    expected = neardup.pairs([*rows, {"id": number, "text": TEXTS[0]}], distance=8)
    assert number in [row[side] for row in expected for side in ("a", "b")]
    for last in ({"id": None, "text": TEXTS[0]}, {"text": TEXTS[0]}, {"id": float("nan"), "text": TEXTS[0]}):
        assert neardup.pairs([*rows, last], distance=8) == expected
        assert neardup.pairs(pandas.DataFrame([*rows, last]), distance=8).to_dict("records") == expected
    table = pandas.DataFrame([*rows, last]).astype({"id": "string"})
    assert neardup.pairs(table, distance=8).to_dict("records") == expected


@pytest.mark.parametrize("dtype,shape", [(">u8", (50,)), (">u8", (50, 2)), (">u2", (50, 128))], ids=str)
def test_bytes_in_another_order(dtype, shape):
    values = numpy.random.default_rng(2).integers(1, 1 << 14, shape).astype(numpy.dtype(dtype).newbyteorder("="))
    values[1::2] = values[::2]
    assert neardup.pairs(values.astype(dtype)).tolist() == neardup.pairs(values).tolist() != []


def test_clusters_are_of_one_set(tmp_path):
    for other in (sample(3), TEXTS):
        with pytest.raises(neardup.InvalidArgument, match="clusters is about the documents of one set: leave 'other' out"):
            neardup.pairs(sample(3) if other is not TEXTS else TEXTS, other, clusters="star", recipe="paper", distance=3)


@pytest.mark.parametrize(
    "words,match",
    [
        ({"distance": 3.0}, "distance is a whole number, not 3.0"),
        ({"distance": -1}, "0 to 16"),
        ({"distance": 1 << 40}, "0 to 16"),
        ({"memory": -1}, "memory is 0 bytes or more"),
        ({"memory": 4e9}, "memory is bytes"),
        ({"memory": 1 << 70}, "memory is 0 bytes or more"),
        ({"threads": 1.5}, "threads is a whole number"),
        ({"threads": -1}, "threads is 0 to"),
        ({"clusters": None}, "clusters is a str such as 'star', not None"),
        ({"verify": None}, "verify is a str such as 'origin', not None"),
        ({"family": None, "data": TEXTS}, "family is a str"),
        ({"data": numpy.ones((2, 2), numpy.uint64), "clusters": "star"}, 'use a recipe with one, such as "paper"'),
        ({"data": numpy.ones(20_000, numpy.uint64), "memory": 9_000_000}, "do not fit into memory; raise it, or lower distance$"),
        ({"data": numpy.ones(20_000, numpy.uint64), "memory": 9_000}, "raise memory$"),
        ({"verify": "origin"}, 'take distance K instead, or fingerprint with family="minhash"$'),
    ],
    ids=str,
)
def test_messages_are_of_python(words, match):
    with pytest.raises((neardup.Error, TypeError), match=match) as raised:
        neardup.pairs(**{"data": sample(3)} | words)
    assert "--" not in str(raised.value) and "incompatible function" not in str(raised.value)
