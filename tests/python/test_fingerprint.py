"""fingerprint(): what `neardup fingerprint` prints, as numpy arrays."""
import neardup
import numpy
import pytest
from conftest import FERRY, HISTORY, LANGUAGES, OTHER, rows_of


def printed(run, path, *flags):
    """Returns the fingerprints of the program's lines, one list a document."""
    lines = run("fingerprint", path, *flags).splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def shown(values):
    """Returns the fingerprints of one document as the program prints them."""
    return ",".join(f"{value:016x}" for value in numpy.atleast_1d(values).tolist())


@pytest.mark.parametrize("path", [HISTORY, LANGUAGES], ids=lambda path: path.stem)
def test_simhash(run, path):
    found, valid = neardup.fingerprint(rows_of(path), with_valid=True)
    assert found.dtype == numpy.uint64 and found.shape == (len(rows_of(path)), 2) and valid.all()
    assert [shown(values) for values in found] == [line[1] for line in printed(run, path)]


@pytest.mark.parametrize("recipe,shape", [("paper", (2,)), ("default", (2, 2)), ("grams", (2, 2)), ("thorough", (2, 3))])
def test_recipes(recipe, shape):
    assert neardup.fingerprint([FERRY, OTHER], recipe=recipe).shape == shape


def test_minhash(history):
    found = neardup.fingerprint(history, family="minhash")
    assert found.dtype == numpy.uint16 and found.shape == (len(history), 128)
    one, other = neardup.fingerprint([FERRY, FERRY.replace("two", "three")], family="minhash")
    assert 0.5 < (one == other).mean() < 1


def test_the_same_of_any_call(history):
    texts = [row["text"] for row in history]
    whole = neardup.fingerprint(texts)
    assert (neardup.fingerprint(texts[100:200], threads=1) == whole[100:200]).all()


def test_nothing_and_no_words():
    found, valid = neardup.fingerprint([FERRY, None, "", OTHER, None], with_valid=True)
    assert valid.tolist() == [True, False, False, True, False]
    assert found.any(axis=1).tolist() == valid.tolist()
    assert neardup.fingerprint([]).shape == (0, 2)
    assert neardup.fingerprint([], family="minhash").shape == (0, 128)


def test_other_inputs():
    pyarrow = pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")
    expected = neardup.fingerprint([FERRY, OTHER]).tolist()
    for texts in ((FERRY, OTHER), [{"text": FERRY}, {"text": OTHER}], pyarrow.array([FERRY, OTHER]), polars.Series([FERRY, OTHER])):
        assert neardup.fingerprint(texts).tolist() == expected
    assert neardup.fingerprint(pyarrow.table({"body": [FERRY, OTHER]}), text="body").tolist() == expected


def test_a_column_that_is_not_there():
    with pytest.raises(neardup.InvalidArgument, match="no column 'text'"):
        neardup.fingerprint([{"body": FERRY}])
