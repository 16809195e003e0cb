"""evaluate() measures what `neardup evaluate` measures."""
import json

import neardup
import pytest
from conftest import LANGUAGES, ROOT, rows_of

JUDGED = ROOT / "tests" / "data" / "judged"


def of_program(run, *arguments):
    return json.loads(run("evaluate", *arguments, "--json"))


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    """Documents in clusters: each text of some languages, once as it is, once with its end cut."""
    rows = [{"id": row["id"], "text": row["text"], "cluster": f"c{i}"} for i, row in enumerate(rows_of(LANGUAGES)[:20])]
    rows += [{"id": f"{row['id']}-cut", "text": row["text"][: len(row["text"]) * 9 // 10], "cluster": row["cluster"]} for row in rows]
    path = tmp_path_factory.mktemp("labelled") / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path, rows


def test_clusters_as_the_program(run, labelled):
    path, rows = labelled
    expected = of_program(run, path)
    for data in (path, rows):
        found = neardup.evaluate(data)
        assert found.data == expected
    assert found.standard["recall"] > 0.5 and found.recommended == expected["recommended"]
    assert found.settings and found.figures and "dedup" in found.advice[-1] and str(found) == "\n".join(found.advice)


def test_words_as_the_program(run, labelled):
    path, rows = labelled
    found = neardup.evaluate(rows, verify=["jaccard:0.6", "none"], family="simhash", distance=10, least_precision=0.9)
    flags = ["--verify", "jaccard:0.6", "--verify", "none", "--family", "simhash", "--distance", 10, "--least-precision", 0.9]
    assert found.data == of_program(run, path, *flags)
    found = neardup.evaluate(rows, recipe="web", size_within=0.05, templates=True, verify="origin")
    flags = ["--recipe", "web", "--size-within", "5%", "--templates", "--verify", "origin"]
    assert found.data == of_program(run, path, *flags)


def pairs_of(rows):
    return [(rows[i]["id"], rows[i + 20]["id"]) for i in range(20)]


def test_labels_of_ids(run, labelled, tmp_path):
    path, rows = labelled
    pairs = pairs_of(rows)
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps({"a": a, "b": b}) + "\n" for a, b in pairs))
    expected = of_program(run, path, "--labels", tmp_path / "labels.jsonl")
    for labels in (pairs, [{"a": a, "b": b} for a, b in pairs], tmp_path / "labels.jsonl"):
        assert neardup.evaluate(rows, labels).data == expected


def test_labels_of_rows(labelled):
    _, rows = labelled
    texts = [row["text"] for row in rows]
    found = neardup.evaluate(texts, [(i, i + 20) for i in range(20)])
    assert found.standard == neardup.evaluate(rows, pairs_of(rows)).standard
    with pytest.warns(UserWarning, match="1 records were rejected"):
        with_missing = neardup.evaluate([None, *texts], [(i + 1, i + 21) for i in range(20)])
    assert with_missing.standard == found.standard and with_missing.data["rejected"] == 1


def test_similarities_and_judgements(run, labelled, tmp_path):
    path, rows = labelled
    scored = [(a, b, i / 20) for i, (a, b) in enumerate(pairs_of(rows))]
    assert neardup.evaluate(rows, scored, least_similarity=0.5).data["duplicate_pairs"] == 10
    judged = [{"a": a, "b": b, "label": i % 3, "part": "xy"[i % 2]} for i, (a, b) in enumerate(pairs_of(rows))]
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in judged))
    found = neardup.evaluate(rows, judged, duplicate_from=2, stratum="part")
    flags = ["--labels", tmp_path / "labels.jsonl", "--duplicate-from", 2, "--stratum-key", "part"]
    assert found.data == of_program(run, path, *flags) and found.data["judged_only"]


def test_tables(labelled):
    pandas = pytest.importorskip("pandas")
    _, rows = labelled
    frame = pandas.DataFrame(rows).rename(columns={"text": "body", "cluster": "story", "id": "url"})
    found = neardup.evaluate(frame, text="body", id="url", cluster="story")
    assert found.data == neardup.evaluate(rows).data
    frame["story"] = range(len(frame))
    frame["story"] %= 20
    assert neardup.evaluate(frame, text="body", cluster="story").standard == found.standard


def test_shown(labelled):
    found = neardup.evaluate(labelled[1])
    assert repr(found).startswith("Evaluation(40 documents, precision=")
    assert found.page.startswith("<!") and found._repr_html_().startswith("<iframe srcdoc=")


def test_what_cannot_be(labelled):
    _, rows = labelled
    with pytest.raises(neardup.InvalidArgument, match="no column 'story'"):
        neardup.evaluate(rows, cluster="story")
    with pytest.raises(neardup.InvalidArgument, match="no two the same value"):
        neardup.evaluate(rows, cluster="id")
    with pytest.raises(neardup.InvalidArgument, match='no document has the id "nobody"'):
        neardup.evaluate(rows, [("nobody", rows[0]["id"])])
    with pytest.raises(TypeError, match="texts alone"):
        neardup.evaluate(["a", "b"])
    with pytest.raises(TypeError, match=r"labels\[1\] is neither"):
        neardup.evaluate(rows, [(rows[0]["id"], rows[1]["id"]), "ab"])
    with pytest.raises(neardup.InvalidArgument, match="distance counts bits"):
        neardup.evaluate(rows, family="minhash", distance=3)
    with pytest.raises(neardup.InvalidArgument, match="0 to 16"):
        neardup.evaluate(rows, distance=17)


@pytest.mark.parametrize(
    "words,match",
    [
        ({"least_precision": 2}, "least_precision is a number from 0 to 1"),
        ({"least_precision": float("nan")}, "least_precision is a number from 0 to 1"),
        ({"size_within": 5}, "size_within is a number from 0 to 1"),
        ({"size_within": float("nan")}, "size_within is a number from 0 to 1"),
        ({"least_similarity": -1}, "least_similarity is a number from 0 to 1"),
        ({"duplicate_from": -5}, "duplicate_from is a label from 1 to 100"),
        ({"duplicate_from": 101}, "duplicate_from is a label from 1 to 100"),
        ({"duplicate_from": 1 << 40}, "duplicate_from is a label from 1 to 100"),
        ({"duplicate_from": 1.5}, "duplicate_from is a whole number"),
        ({"least_similarity": "much"}, "least_similarity is a number"),
        ({"cluster": None}, "cluster is a str"),
        ({"stratum": None}, "stratum is a str"),
        ({"verify": [None]}, "verify is a str"),
        ({"labels": ""}, "labels is the path of a file or a list"),
        ({"distance": 3.0}, "distance is a whole number"),
        ({"memory": 1.5}, "memory is bytes"),
    ],
    ids=str,
)
def test_ranges(labelled, words, match):
    path, rows = labelled
    for data in (rows, path):
        with pytest.raises((neardup.InvalidArgument, TypeError), match=match) as raised:
            neardup.evaluate(data, **words)
        assert "--" not in str(raised.value)


@pytest.mark.filterwarnings("ignore:10 records were rejected")
def test_values_that_are_missing(labelled):
    """NA of pandas, in columns of ids and of clusters, is what None is."""
    pandas = pytest.importorskip("pandas")
    _, rows = labelled
    expected = neardup.evaluate([*rows[:30], *({**row, "cluster": None} for row in rows[30:])])
    numbered = [{**row, "cluster": int(row["cluster"][1:]) + 1} for row in rows]
    for dtype in ("Int64", "string", object):
        frame = pandas.DataFrame(numbered).astype({"cluster": dtype})
        frame.loc[30:, "cluster"] = pandas.NA
        assert neardup.evaluate(frame).standard == expected.standard
    without = [*rows[:30], *({**row, "id": None} for row in rows[30:])]
    frame = pandas.DataFrame(without).astype({"id": "string"})
    assert neardup.evaluate(frame).data == neardup.evaluate(without).data
    missing = [*rows[:30], *({**row, "id": pandas.NA} for row in rows[30:])]
    assert neardup.evaluate(missing).data == neardup.evaluate(without).data


def test_ids_that_are_none(labelled):
    numpy, (_, rows) = pytest.importorskip("numpy"), labelled
    for wrong in (numpy.arange(3), ["a"], {"a": 1}):
        with pytest.raises(TypeError, match="row 1: the column 'id' holds a"):
            neardup.evaluate([rows[0], {**rows[1], "id": wrong}, *rows[2:]])


def test_ids_of_bytes(labelled):
    _, rows = labelled
    in_bytes = [{**row, "id": row["id"].encode()} for row in rows]
    pairs = pairs_of(rows)
    expected = neardup.evaluate(rows, pairs)
    assert neardup.evaluate(in_bytes, pairs).data == expected.data
    assert neardup.evaluate(in_bytes, [(a.encode(), b.encode()) for a, b in pairs]).data == expected.data


@pytest.mark.parametrize(
    "label,match",
    [
        (("nobody", "c"), r'^labels\[1\]: no document has the id "nobody".*\(id names their field\)'),
        (("SAME", "SAME"), r"^labels\[1\]: the line pairs a document with itself"),
        (("a", "b", float("nan")), r"^labels\[1\] has a number that is none"),
        ({"a": "x"}, r"^labels\[1\]: "),
    ],
    ids=str,
)
def test_messages_name_the_label(labelled, label, match):
    _, rows = labelled
    if label == ("SAME", "SAME"):
        label = (rows[2]["id"], rows[2]["id"])
    with pytest.raises(neardup.InvalidArgument, match=match) as raised:
        neardup.evaluate(rows, [(rows[0]["id"], rows[20]["id"]), label])
    assert "labels.jsonl" not in str(raised.value) and "--" not in str(raised.value)


def test_ids_that_are_there_twice(labelled):
    _, rows = labelled
    with pytest.raises(neardup.InvalidArgument, match=r"^labels\[0\]: two documents have the id .*; make ids unique$"):
        neardup.evaluate([*rows, rows[0]], [(rows[0]["id"], rows[20]["id"])])
