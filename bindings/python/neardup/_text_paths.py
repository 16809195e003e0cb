"""Texts in dicts and lists of Python, as text="messages[].content" names them (src/neardup/corpus/text_path.h)."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Sequence

from neardup import _native

_MISSING, _NULL, _OTHER, _TEXT = range(4)  # corpus::PathText::Found
_BETWEEN = "\n\n"

Path = tuple[str, Sequence[tuple[str, bool]]]  # its name, and its steps: name, and whether the items of a list are meant


def column_of_rows(rows: Iterable[Mapping[str, Any]], path: Path) -> _native.Column:
    """Returns what a path leads to in each row."""
    name, steps = path
    found = [_Walk().run(row, name, steps) for row in rows]
    return _native.column_of_found([text for _, text in found], bytes(mark for mark, _ in found))


class _Walk:
    """Follows a path in one row."""

    def __init__(self) -> None:
        self.found = _MISSING
        self.pieces: list[str | bytes] = []

    def run(self, row: Mapping[str, Any], name: str, steps: Sequence[tuple[str, bool]]) -> tuple[int, str | bytes | None]:
        if len(steps) > 1 and name in row:
            self._follow(row[name], (), False)
        else:
            self._follow(row, steps, False)
        return self.found, _joined(self.pieces) if self.found == _TEXT else None

    def _note(self, found: int) -> None:
        if self.found != _OTHER and (found == _OTHER or found > self.found):
            self.found = found

    def _follow(self, value: Any, steps: Sequence[tuple[str, bool]], is_item: bool) -> None:
        if _is_null(value):
            self._note(_NULL)
        elif not steps:
            self._take(value)
        elif not isinstance(value, Mapping):
            self._note(_OTHER if is_item else _MISSING)
        elif steps[0][0] not in value:
            self._note(_MISSING)
        elif not steps[0][1] or _is_null(value[steps[0][0]]):
            self._follow(value[steps[0][0]], steps[1:], False)
        else:
            self._items(value[steps[0][0]], steps[1:])

    def _items(self, items: Any, steps: Sequence[tuple[str, bool]]) -> None:
        # Chats have the content of one message as a string, and that of the next as a list of parts.
        if steps and isinstance(items, (str, bytes)):
            return self._take(items)
        if not isinstance(items, (list, tuple)) and type(items).__name__ != "ndarray":
            return self._note(_OTHER)
        self._note(_NULL)
        for item in items:
            self._follow(item, steps, True)

    def _take(self, value: Any) -> None:
        if not isinstance(value, (str, bytes)):
            return self._note(_OTHER)
        self._note(_TEXT)
        if value:
            self.pieces.append(value)


def _joined(pieces: list[str | bytes]) -> str | bytes:
    if len(pieces) < 2:
        return pieces[0] if pieces else ""
    if all(isinstance(piece, str) for piece in pieces):
        return _BETWEEN.join(pieces)  # type: ignore[arg-type]
    return _BETWEEN.encode().join(
        piece if isinstance(piece, bytes) else piece.encode("utf-8", "surrogatepass") for piece in pieces
    )


def _is_null(value: Any) -> bool:
    if value is None or isinstance(value, (str, bytes, list, tuple, Mapping)):
        return value is None
    return type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
