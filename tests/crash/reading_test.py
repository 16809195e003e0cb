#!/usr/bin/env python3
"""Runs `neardup` while the n-th call that reads fails, for every n: the run says so and ends with 2, or its results are whole.

Usage: reading_test.py NEARDUP FAULT_SHIM [unittest options]
"""
import errno, gzip, json, os, shutil, subprocess, sys, tempfile, unittest

from results import results

NEARDUP, SHIM = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
DISK = [("read", errno.EIO), ("stat", errno.EIO), ("opendir", errno.EIO), ("readdir", errno.EIO), ("open", errno.EIO)]
HANDLES = [("open", errno.EMFILE), ("open", errno.ENFILE), ("opendir", errno.EMFILE)]
LASTING = [("read", errno.EIO), ("open", errno.EMFILE)]
HANDLE_ERRORS = (errno.EMFILE, errno.ENFILE)
MOST_CALLS = 2000


def write_corpus(folder):
    """Inputs of each way of reading: lines, compressed lines, text files, a compressed one, folders, a link."""
    def lines(first):
        return "".join(json.dumps({"id": f"d{i}", "text": f"the text of number {i // 2} says many words " * 9}) + "\n"
                       for i in range(first, first + 30))
    os.makedirs(folder + "/deep/er")
    with open(folder + "/a.jsonl", "w", encoding="utf8") as f:
        f.write(lines(0))
    with gzip.open(folder + "/b.jsonl.gz", "wt", encoding="utf8") as f:
        f.write(lines(20))
    with open(folder + "/c.json", "w", encoding="utf8") as f:
        f.write(lines(60))
    for i in range(4):
        with open(f"{folder}/deep/er/t{i}.txt", "w", encoding="utf8") as f:
            f.write(f"a text file of number {i // 2} with its own words " * 9)
    with gzip.open(folder + "/deep/z.txt.gz", "wt", encoding="utf8") as f:
        f.write("a text file of number 0 with its own words " * 9)
    os.symlink("t0.txt", folder + "/deep/er/link.txt")


class FaultCase(unittest.TestCase):
    """A folder with a corpus, and runs of the program in which calls fail."""

    def setUp(self):
        in_memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # thousands of runs would wait for the disk
        self.folder = tempfile.mkdtemp(prefix="neardup-reading-", dir=in_memory)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.mark = self.path("mark")
        write_corpus(self.path("in"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_with_fault(self, arguments, call, error, n, lasts):
        """Returns the run, and whether a call failed in it."""
        if os.path.exists(self.mark):
            os.remove(self.mark)
        fault = {"LD_PRELOAD": SHIM, "FAULT_CALL": call, "FAULT_ERRNO": str(error), "FAULT_N": str(n),
                 "FAULT_UNDER": self.folder, "FAULT_MARK": self.mark, **({"FAULT_LASTS": "1"} if lasts else {})}
        done = subprocess.run([NEARDUP, *arguments], capture_output=True, text=True, env={**os.environ, **fault})
        return done, os.path.exists(self.mark)

    def fail_each(self, make_arguments, outcome, faults, lasts=False):
        """`outcome(run)` is what a run gave, to be compared with that of one in which nothing failed."""
        whole, failed = self.run_with_fault(make_arguments(), "none", 0, 0, False)
        self.assertEqual((whole.returncode, failed), (0, False), whole.stderr)
        expected = outcome(whole)
        for call, error in faults:
            num_told = 0
            for n in range(1, MOST_CALLS):
                done, failed = self.run_with_fault(make_arguments(), call, error, n, lasts)
                where = f"{call} {n} gives {errno.errorcode[error]}: {done.stderr}"
                if not failed:
                    break
                self.assertIn(done.returncode, (0, 2), where)
                if done.returncode == 0:
                    self.assertEqual(outcome(done), expected, where)
                else:
                    num_told += 1
                    self.assertIn(os.strerror(error), done.stderr, where)
                    self.assertIn("ulimit -n" if error in HANDLE_ERRORS else "disk", done.stderr, where)
            self.assertLess(n, MOST_CALLS - 1)
            self.assertGreater(num_told, 0, f"{call}: nothing failed")

    def fresh_dedup(self):
        shutil.rmtree(self.path("out"), ignore_errors=True)
        return ["dedup", self.path("in"), "-o", self.path("out"), "--threads", "2", "--progress", "off"]


class Reading(FaultCase):
    def test_dedup(self):
        self.fail_each(self.fresh_dedup, lambda _: results(self.path("out")), DISK + HANDLES)

    def test_dedup_while_the_fault_lasts(self):
        self.fail_each(self.fresh_dedup, lambda _: results(self.path("out")), LASTING, lasts=True)

    def test_fingerprint(self):
        self.fail_each(lambda: ["fingerprint", self.path("in"), "--recipe", "grams"], lambda run: run.stdout, DISK + HANDLES)

    def test_similar(self):
        """A file that was named is an error; of a folder it is left out, and told whatever is not to be said."""
        named, folder = self.path("in/deep/er/t1.txt"), self.path("in/deep/er")
        for given, status in ((named, 2), (folder, 0)):
            done, failed = self.run_with_fault(["similar", given, "--progress", "off"], "open", errno.EACCES, 1, True)
            self.assertEqual((done.returncode, done.stdout, failed), (status, "", True), done.stderr)
            self.assertIn(os.strerror(errno.EACCES), done.stderr)
            self.assertIn(named if given == named else "4 left out", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        done, _ = self.run_with_fault(["similar", folder, "--progress", "off"], "none", 0, 0, False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_similar_leaves_nothing_out_for_want_of_handles(self):
        self.fail_each(lambda: ["similar", self.path("in/deep"), "--progress", "off", "--threads", "1"],
                       lambda run: (run.stdout, run.stderr), HANDLES)


if __name__ == "__main__":
    unittest.main()
