"""Signals that meet the program after its n-th change of files, or within it: at the same place, however fast the machine is."""
import os, tempfile


def temporary_folder(prefix):
    """Returns a new folder by its path without links, as changes are counted by it."""
    return os.path.realpath(tempfile.mkdtemp(prefix=prefix))


def of_two_threads(flags):
    """Returns flags of a run that two threads do, where they do not say how many: more would change files in another order."""
    return flags if "--threads" in flags else (*flags, "--threads", "2")


class Signals:
    def __init__(self, shim):
        self.shim = os.path.abspath(shim)

    def after(self, n, number, under):
        """Returns the environment of a program that is sent the signal `number` after its n-th change of `under`, a file or
        a folder and what is in it."""
        return self._environment(under, SIGNAL_N=str(n), SIGNAL_NUMBER=str(int(number)))

    def count(self, under, run):
        """Returns how many changes of `under` the program makes that `run` runs in the environment it is given."""
        with tempfile.NamedTemporaryFile("r", encoding="utf8") as file:
            run(self._environment(under, SIGNAL_COUNT=file.name))
            return int(file.read())

    def _environment(self, under, **plan):
        return {**os.environ, "LD_PRELOAD": self.shim, "SIGNAL_UNDER": under, **plan}


def wait_until_stopped(process):
    """Returns when a SIGSTOP has stopped it."""
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status), f"it ended before it was to be stopped, with {status:#x}"
