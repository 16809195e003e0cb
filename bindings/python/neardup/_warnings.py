"""What neardup warns of: told once a call has made its result, so that none is lost where warnings are errors."""

from __future__ import annotations

import functools
import warnings
from contextvars import ContextVar
from typing import Any, Callable, TypeVar

_Call = TypeVar("_Call", bound=Callable[..., Any])
_held: ContextVar[list[str] | None] = ContextVar("neardup_warnings", default=None)


class DedupWarning(UserWarning):
    """What the command line tells as a warning: ids that are there twice, most of a corpus removed, records rejected ...

    Where warnings are errors (python -W error) it is raised when the work is done; `result` is what the call would have
    returned, of dedup() the DedupResult, and `messages` a list of all that the call had still to tell, each a line of the
    text. Else there is a warning for each message.
    """

    result: Any = None

    def __init__(self, *messages: str):
        super().__init__("\n".join(messages))
        self.messages = list(messages)


def hold(message: str) -> None:
    """Keeps a message for the end of the call that is under way; outside of one it is told at once."""
    held = _held.get()
    if held is None:
        warnings.warn(DedupWarning(message), stacklevel=3)
    else:
        held.append(message)


def tells_at_end(call: _Call) -> _Call:
    """Makes a function tell what was warned of in it when it has its result."""

    @functools.wraps(call)
    def told(*arguments: Any, **words: Any) -> Any:
        held: list[str] = []
        token = _held.set(held)
        try:
            result = call(*arguments, **words)
        finally:
            _held.reset(token)
        for number, message in enumerate(held):
            try:
                warnings.warn(DedupWarning(message), stacklevel=2)
            except DedupWarning:
                error = DedupWarning(*held[number:])
                error.result = result
                raise error from None
        return result

    return told  # type: ignore[return-value]
