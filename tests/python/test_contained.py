"""dedup(contained=...): a quote goes for the longer text that holds it."""

import json

import pytest

import neardup

QUOTE = (
    "The ferry to the outer islands will run twice a day from the first of May, the harbour office said on Monday, after "
    "the old pier at the northern end has been repaired and two of its four lamps replaced."
)
ARTICLE = (
    "Spring has come late to the coast this year, and the fishermen are still waiting for the herring. " + QUOTE + " Tickets "
    "are sold at the kiosk beside the market hall; children below six travel free, dogs do not. The mayor, who opened the "
    "season in a raincoat, thanked the crew for their patience and promised that soup would be served by noon."
)


def test_the_quote_goes_and_the_article_stays():
    result = neardup.dedup([QUOTE, ARTICLE], contained=0.8)
    assert result.kept == [ARTICLE]
    assert result.duplicates == [
        {"id": 0, "duplicate_of": 1, "kind": "contained", "distance": None, "similarity": 1.0}
    ]
    assert result.counts == {"read": 2, "kept": 1, "exact": 0, "near": 0, "rejected": 0, "contained": 1}


def test_nobody_looks_unless_asked():
    result = neardup.dedup([QUOTE, ARTICLE])
    assert result.kept == [QUOTE, ARTICLE]
    assert "contained" not in result.counts


def test_files(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in (("q", QUOTE), ("a", ARTICLE))))
    counts = neardup.dedup(str(path), out=str(tmp_path / "out"), contained=0.8)
    assert (counts["kept"], counts["contained"]) == (1, 1)


@pytest.mark.parametrize("share", [0, 0.49, 1.01, float("nan")])
def test_a_share_is_from_a_half_to_one(share):
    with pytest.raises(neardup.InvalidArgument):
        neardup.dedup([QUOTE], contained=share)
    with pytest.raises(neardup.InvalidArgument):
        neardup.Deduplicator(contained=share)
    with pytest.raises(neardup.InvalidArgument):
        neardup.explain(QUOTE, ARTICLE, contained=share)


@pytest.mark.parametrize("share", [True, "0.8"])
def test_a_share_is_a_number(share):
    with pytest.raises(TypeError):
        neardup.dedup([QUOTE], contained=share)


def test_how_much_of_each_stands_in_the_other():
    quoted = neardup.contained(QUOTE, ARTICLE)
    assert quoted.a_in_b == 1
    assert quoted.b_in_a == pytest.approx(len(QUOTE.split()) / len(ARTICLE.split()), abs=1e-6)
    assert neardup.contained(ARTICLE, QUOTE) == (quoted.b_in_a, quoted.a_in_b)
    words = QUOTE.split()
    words[len(words) // 2] = "changed"
    held = neardup.contained(" ".join(words), ARTICLE).a_in_b
    assert held == pytest.approx(1 - 1 / len(words), abs=1e-6)
    assert neardup.contained(QUOTE, "Something else is said here, in as many words as it takes to be long.") == (0, 0)
    assert neardup.contained("", ARTICLE) == (0, 0)
    assert neardup.contained(QUOTE, QUOTE) == (1, 1)


def test_letters_are_refused():
    with pytest.raises(neardup.InvalidArgument, match="letters"):
        neardup.contained(QUOTE, ARTICLE, recipe=neardup.Recipe("lines"))
    with pytest.raises(neardup.InvalidArgument, match="letters"):
        neardup.Deduplicator(recipe="lines", contained=0.8)


def test_explain_says_it():
    found = neardup.explain(ARTICLE, QUOTE, contained=0.8)
    assert found.is_contained and not found.are_duplicates
    assert found.held == 1
    assert found.verdict == "Contained: dedup would keep A, the longer one"
    unasked = neardup.explain(ARTICLE, QUOTE)
    assert not unasked.is_contained and unasked.held is None


def test_a_quote_that_comes_later_is_contained():
    seen = neardup.Deduplicator(contained=0.8)
    assert seen.add("article", ARTICLE) is None
    match = seen.add("quote", QUOTE)
    assert (match.kind, match.duplicate_of, match.similarity) == ("contained", "article", 1.0)
    assert seen.add("quote again", QUOTE).kind == "contained"
    assert len(seen) == 1
    assert "kind='contained'" in repr(match)


def test_a_quote_that_comes_first_stays():
    seen = neardup.Deduplicator(contained=0.8)
    assert seen.add("quote", QUOTE) is None
    assert seen.add("article", ARTICLE) is None
    assert seen.add("quote", QUOTE) is None
    assert seen.add("copy", QUOTE).duplicate_of == "quote"


def test_nobody_looks_online_unless_asked():
    seen = neardup.Deduplicator()
    assert seen.add("article", ARTICLE) is None
    assert seen.add("quote", QUOTE) is None
