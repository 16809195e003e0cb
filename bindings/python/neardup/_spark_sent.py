"""A file that was sent to all machines, as tasks see it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Sent:
    """The bytes of a file that was sent to all machines, there until the call is over."""

    name: str  # of this sending alone
    content: Any = field(compare=False, repr=False)  # a Broadcast; None: an artifact of that name

    @contextmanager
    def as_file(self) -> Iterator[str]:
        """Yields the path of a file with these bytes: the native part reads files."""
        if self.content is None:
            from pyspark import SparkFiles

            yield SparkFiles.get(self.name)
            return
        with tempfile.NamedTemporaryFile(prefix="neardup-") as file:
            file.write(self.content.value)
            file.flush()
            yield file.name
