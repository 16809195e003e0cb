"""What a caller of the service's peers dies of ends the run: nothing waits for it for ever."""
import sys
import types
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench" / "peers" / "service"))
import callers  # noqa: E402

ARGS = types.SimpleNamespace(callers=3, batch=2, seconds=60, count=100)


class Verdicts(list):
    def tolist(self):
        return list(self)


class Peer:
    """Says of each document whether it is odd; dies where it is told to."""

    def __init__(self, uses_processes, dies_at_call=False, dies_at=None):
        self.uses_processes, self.dies_at_call, self.dies_at = uses_processes, dies_at_call, dies_at

    def caller(self):
        if self.dies_at_call:
            raise ConnectionError("nobody there")
        return self

    def check_and_insert(self, batch, first):
        if first == self.dies_at:
            raise OSError("out of space")
        return Verdicts(document % 2 == 1 for document in batch)


class ServiceCallersTest(unittest.TestCase):
    def setUp(self):
        before = callers.LONGEST_END
        callers.LONGEST_END = 60  # of a run that hangs
        self.addCleanup(setattr, callers, "LONGEST_END", before)

    def test_all_batches_are_done_once(self):
        for uses_processes in (True, False):
            done, seconds = callers.call_all(Peer(uses_processes), ARGS, list(range(11)))
            self.assertEqual(sorted((first, verdicts) for first, verdicts, _ in done),
                             [(first, [False, True][:11 - first]) for first in range(0, 11, 2)])
            self.assertGreater(seconds, 0)

    def test_who_dies_is_told(self):
        for uses_processes in (True, False):
            for peer, words in ((Peer(uses_processes, dies_at=104), "out of space"),
                                (Peer(uses_processes, dies_at_call=True), "nobody there")):
                with self.assertRaisesRegex(callers.Failed, words):
                    callers.call_all(peer, ARGS, list(range(11)))


if __name__ == "__main__":
    unittest.main()
