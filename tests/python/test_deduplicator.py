"""Deduplicator: one document after the other."""
import threading

import neardup
import pytest
from conftest import FERRY, FERRY_EDITED, FERRY_LOUD, OTHER


def test_verdicts():
    seen = neardup.Deduplicator()
    assert seen.add("a", FERRY) is None and seen.add("b", OTHER) is None
    near, exact = seen.add("c", FERRY_EDITED), seen.add("d", FERRY_LOUD)
    assert isinstance(near, neardup.Match) and (near.kind, near.duplicate_of) == ("near", "a")
    assert 0.4 < near.similarity < 1 and near.distance > 0
    assert (exact.kind, exact.duplicate_of, exact.similarity, exact.distance) == ("exact", "a", 1, 0)
    assert len(seen) == 2 and seen.nbytes > 0
    assert repr(exact) == "Match(duplicate_of='a', kind='exact', similarity=1.0000, distance=0)"


def test_the_verdicts_of_dedup(history):
    seen = neardup.Deduplicator(commonness="none")
    hits = {row["id"]: seen.add(row["id"], row["text"]) for row in history}
    whole = neardup.dedup(history, commonness="none")
    assert {id: hit.duplicate_of for id, hit in hits.items() if hit} == {
        row["id"]: row["duplicate_of"] for row in whole.duplicates
    }


@pytest.mark.parametrize("words", [{"family": "simhash", "recipe": "grams"}, {"verify": "origin"}, {"verify": "jaccard:0.5"}], ids=str)
def test_words(words):
    seen = neardup.Deduplicator(**words)
    assert seen.add("a", FERRY) is None and seen.add("b", FERRY_EDITED).duplicate_of == "a"


def test_threads():
    seen = neardup.Deduplicator()
    new = []

    def add(name):
        new.extend(i for i in range(300) if seen.add(f"{name}{i}", f"{FERRY} {i * 7919}") is None)

    threads = [threading.Thread(target=add, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(new) == len(seen) >= 1


def test_odd_texts():
    seen = neardup.Deduplicator()
    assert seen.add("", "") is None
    assert seen.add("x", FERRY + "\0" + OTHER) is None
    with pytest.raises(TypeError):
        seen.add("x", None)
    with pytest.raises(TypeError):
        seen.add("x", 7)


def test_half_a_surrogate_and_bytes():
    seen = neardup.Deduplicator()
    assert seen.add("a\udc80", FERRY + " \ud83d") is None
    for text in (FERRY + " \ud83d", (FERRY + " \ud83d").encode("utf-8", "surrogatepass")):
        hit = seen.add("b", text)
        assert hit.kind == "exact" and hit.duplicate_of == "a\udc80" and "a\udc80" in repr(hit)
    assert neardup.explain(FERRY + " \ud83d", FERRY.encode()).similarity > 0.9
    for wrong in (None, 7):
        with pytest.raises(TypeError, match="text is (NoneType|int), not str or bytes"):
            seen.add("c", wrong)
        with pytest.raises(TypeError, match="id is (NoneType|int), not str or bytes"):
            seen.add(wrong, FERRY)
        with pytest.raises(TypeError, match="b is (NoneType|int), not str or bytes"):
            neardup.explain(FERRY, wrong)
