"""text_of() shows what `neardup text` shows."""
import neardup
import pytest

PAGE = """<!doctype html><html lang=en><head><title>Fog</title><meta charset=iso-8859-1></head><body>
<nav><a href=/>Home</a> <a href=/news>News</a> <a href=/sport>Sport</a></nav>
<article><h1>Harbour closed</h1><p>The harbour was closed yesterday because of thick fog, and the late ferry struck the
northern pier. Nobody was hurt – caf\u00e9s stayed open. It opens again on 12 May 2026.</p><p>Engineers look at the pier
today and expect to open it again by the weekend, the office of the harbour said in the afternoon.</p></article>
<footer>Imprint, cookies, contact</footer></body></html>"""


def test_main_text():
    text = neardup.text_of(PAGE)
    assert "thick fog" in text and "caf\u00e9s" in text and "Imprint" not in text and "Sport" not in text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_bytes_as_the_program(run, tmp_path, encoding):
    path = tmp_path / "page.html"
    path.write_bytes(PAGE.replace("iso-8859-1", encoding).encode(encoding))
    assert neardup.text_of(path.read_bytes()).rstrip("\n") == run("text", path).rstrip("\n")


@pytest.mark.parametrize("words,flags", [({"all": True}, ["--all"]), ({"mask": ["dates"]}, ["--mask", "dates"]), ({"extraction": "none"}, ["--extraction", "none"])], ids=str)
def test_words_as_the_program(run, tmp_path, words, flags):
    path = tmp_path / "page.html"
    path.write_bytes(PAGE.encode())
    assert neardup.text_of(PAGE, **words).rstrip("\n") == run("text", path, *flags).rstrip("\n")


def test_answers():
    own = "I agree with most of that, though the pier should be looked at by somebody who knows how it was built. " * 3
    mail = f"On Monday Ann wrote:\n> The harbour should be closed.\n> At once.\n\n{own}\n"
    assert "closed" not in neardup.text_of(mail, extraction="auto")
    assert "closed" in neardup.text_of(mail, extraction="auto", quotes="all")


def test_declared_encoding():
    assert neardup.text_of("Щука и рак".encode("koi8-r"), extraction="auto", charset="koi8-r") == "Щука и рак"


def test_nothing():
    assert neardup.text_of("") == "" and neardup.text_of(b"") == ""
    assert isinstance(neardup.text_of("\ud800 half of a pair"), str)


def test_what_cannot_be():
    with pytest.raises(TypeError, match="str or bytes, not int"):
        neardup.text_of(7)
    for words in ({"extraction": "pdf"}, {"mask": ["names"]}, {"quotes": "none"}, {"charset": "martian"}):
        with pytest.raises(neardup.InvalidArgument):
            neardup.text_of(PAGE.encode(), **words)


def test_one_mask():
    masked = neardup.text_of("at 12 o'clock", extraction="none", mask="numbers")
    assert masked == neardup.text_of("at 12 o'clock", extraction="none", mask=["numbers"]) != "at 12 o'clock"


def test_charsets_that_are_not_read():
    for page in ("caf\u00e9", b"caf\xe9"):
        with pytest.raises(neardup.InvalidArgument, match='extraction="none" leaves the bytes as they are'):
            neardup.text_of(page, extraction="none", charset="latin1")
        with pytest.raises(neardup.InvalidArgument, match="martian"):
            neardup.text_of(page, charset="martian")
    assert neardup.text_of("caf\u00e9", extraction="auto", charset="koi8-r") == "caf\u00e9"
    for words in ({"extraction": None}, {"charset": None}):
        with pytest.raises(TypeError, match="is a str"):
            neardup.text_of(PAGE, **words)
