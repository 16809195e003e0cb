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
