"""text_of(): the text that fingerprints are made of."""

from __future__ import annotations

from typing import Iterable

from neardup import _native
from neardup._options import word


def text_of(
    page: str | bytes,
    *,
    extraction: str = "html",
    all: bool = False,
    mask: str | Iterable[str] = (),
    quotes: str = "own",
    charset: str = "",
) -> str:
    """Returns the main text of a page, as a recipe with this extraction reads it, and as `neardup text` shows it.

    page: HTML as str, or as bytes of any encoding: a byte order mark, `charset` (that a server declared), the page's
        own declaration, and the content say which. A str needs none; of a `charset` that there is not, and of one
        with extraction="none", which decodes nothing, InvalidArgument is raised.
    extraction: "html", a page whatever it looks like; "auto" takes for a page what looks like one; "none" leaves it.
    all: everything that a reader of the page sees, not the main text alone.
    mask: kinds of parts that become one word each: "dates", "times", "numbers", "urls", "emails", "tracking".
    quotes: of answers to mails (no pages) "own" lines, or "all".

    Returns str, "" where the page has no text. Raises InvalidArgument for a word that there is not, TypeError for what
    is neither str nor bytes.
    """
    if quotes not in ("own", "all"):
        raise _native.InvalidArgument(f"quotes is own or all, not {quotes!r}")
    if isinstance(page, str):
        page = _utf8_of(page, extraction)
    if not isinstance(page, (bytes, bytearray, memoryview)):
        raise TypeError(f"a page is str or bytes, not {type(page).__name__}")
    word(extraction, "extraction", "html")
    word(charset, "charset", "gbk")
    masks = [mask] if isinstance(mask, str) else list(mask)
    return _native.text_of(bytes(page), extraction, all, masks, quotes == "own", charset)


def _utf8_of(page: str, extraction: str) -> bytes:
    """Returns UTF-8 that says so, whatever the page declares."""
    mark = b"" if extraction == "none" else b"\xef\xbb\xbf"
    return mark + page.encode("utf-8", "surrogatepass")
