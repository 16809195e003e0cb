"""cluster=, templates= and group_key=: the results are those of the program."""

import pytest
from conftest import duplicates_of_program, files_of, named, write_rows

import neardup

BULLETIN = (
    "The office of weather reports from the station at the harbour: in the night the lowest temperature was {} degrees, "
    "by day it rose to {} degrees, and the wind came from the west with {} knots. The sea was calm, and the ferries left "
    "at their times. The next bulletin will be read at six in the evening, as on all days of the week."
)


@pytest.fixture(scope="module")
def documents(history):
    """Documents with a source each, and one without."""
    rows = [{"id": row["id"], "text": row["text"], "source": f"s{number % 3}"} for number, row in enumerate(history[:150])]
    del rows[7]["source"]
    return rows


def test_components_as_the_program(run, documents, tmp_path):
    expected = duplicates_of_program(run, tmp_path, documents, "--cluster", "components")
    found = neardup.dedup(documents, cluster="components").duplicates
    assert named(found) == expected
    assert found != neardup.dedup(documents).duplicates and found != neardup.dedup(documents, cluster="star").duplicates


def test_files_as_the_program(run, documents, tmp_path):
    path = write_rows(tmp_path / "rows.jsonl", documents)
    flags = ["--cluster", "components", "--verify", "origin", "--templates", "--group-key", "source"]
    run("dedup", path, "-o", tmp_path / "one", *flags)
    neardup.dedup(
        path, out=tmp_path / "two", cluster="components", verify="origin", templates=True, group_key="source"
    )
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_bulletins_of_one_template_stay():
    texts = [BULLETIN.format(4, 11, 9), BULLETIN.format(5, 13, 8)]
    assert len(neardup.dedup(texts, verify="origin").kept) == 1
    assert len(neardup.dedup(texts, verify="origin", templates=True).kept) == 2
    assert neardup.explain(*texts, verify="origin") and not neardup.explain(*texts, verify="origin", templates=True)


def test_bulletins_that_come_one_by_one_stay(tmp_path):
    texts = [BULLETIN.format(4, 11, 9), BULLETIN.format(5, 13, 8)]
    for words, is_new in (({}, False), ({"templates": True}, True)):
        seen = neardup.Deduplicator(verify="origin", **words)
        hits = [seen.add(str(number), text) for number, text in enumerate(texts)]
        with neardup.Store(tmp_path / f"store{is_new}", verify="origin", **words) as store:
            stored = store.add_many(["0", "1"], texts)
        assert [hits[0], stored[0]] == [None, None]
        assert (hits[1] is None) == (stored[1] is None) == is_new


def test_the_page_counts_for_each_source(documents):
    page = neardup.dedup(documents, group_key="source").report.html
    assert all(f">{source}<" in page for source in ("s0", "s1", "s2")) and ">s0<" not in neardup.dedup(documents).report.html


def test_the_result_counts_for_each_source(documents):
    result = neardup.dedup(documents, group_key="source")
    kept = [row.get("source") for row in result.kept]
    counts = {group["value"]: (group["read"], group["kept"]) for group in result.groups}
    for source in ("s0", "s1", "s2"):
        assert counts[source] == (sum(row.get("source") == source for row in documents), kept.count(source))
    assert all(group["read"] == sum(list(group.values())[2:]) for group in result.groups)
    assert f"{result.groups[0]['value']}: " in str(result.report)
    assert neardup.dedup(documents).groups == []


@pytest.mark.parametrize(
    "words,error,match",
    [
        ({"cluster": "ring"}, neardup.InvalidArgument, "cluster is star or components, not 'ring'"),
        ({"cluster": 7}, TypeError, "cluster is a str"),
        ({"templates": True}, neardup.InvalidArgument, "templates goes with verify origin"),
        ({"group_key": "none"}, neardup.InvalidArgument, "there is no column 'none'; there are: id, text"),
        ({"group_key": 7}, TypeError, "group_key is a str"),
    ],
    ids=lambda value: None,
)
def test_mistakes_are_told(words, error, match):
    with pytest.raises(error, match=match):
        neardup.dedup([{"id": "a", "text": "a text"}], **words)


@pytest.mark.parametrize("ask", [neardup.Deduplicator, lambda **words: neardup.explain("a text", "a text", **words)])
def test_templates_need_the_rule_that_looks_at_numbers(ask):
    with pytest.raises(neardup.InvalidArgument, match="templates goes with verify origin"):
        ask(templates=True)


def test_texts_alone_have_no_sources():
    with pytest.raises(TypeError, match="texts alone have no column 'source'"):
        neardup.dedup(["a text"], group_key="source")
