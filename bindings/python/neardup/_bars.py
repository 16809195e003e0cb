"""Progress as tqdm's bars, one for each stage."""

from __future__ import annotations


class Bars:
    """Called with stage, done, total and what is counted."""

    def __init__(self) -> None:
        from tqdm.auto import tqdm  # ImportError says what is missing

        self._new_bar = tqdm
        self._bar = None
        self._stage = None

    def __call__(self, stage: str, done: int, total: int, unit: str) -> None:
        if stage != self._stage:
            self._stage = stage
            if self._bar is not None:
                self._bar.close()
            scale = unit == "bytes"
            shown = "B" if scale else f" {unit}"
            self._bar = self._new_bar(total=total or None, desc=stage, unit=shown, unit_scale=scale)
        self._bar.update(done - self._bar.n)
        if total and done >= total:
            self._bar.close()
