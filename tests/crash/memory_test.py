#!/usr/bin/env python3
"""Runs `neardup` while the n-th piece of memory is refused, for every n: the run says so and ends with 2, or its results are whole.

Usage: memory_test.py NEARDUP FAULT_SHIM [unittest options]
"""
import os, resource, subprocess, sys, unittest

import reading_test  # takes the two programs off the arguments
from reading_test import FaultCase
from results import results

LARGE = 4096  # bytes; of smaller pieces every STEP-th is refused
STEP = 199
MOST_CALLS = 200_000


class Memory(FaultCase):
    def refuse(self, n, least_bytes, lasts):
        arguments = self.fresh_dedup()
        if os.path.exists(self.mark):
            os.remove(self.mark)
        fault = {"LD_PRELOAD": reading_test.SHIM, "FAULT_CALL": "alloc", "FAULT_ERRNO": "12", "FAULT_N": str(n),
                 "FAULT_BYTES": str(least_bytes), "FAULT_MARK": self.mark, **({"FAULT_LASTS": "1"} if lasts else {})}
        done = subprocess.run([reading_test.NEARDUP, *arguments], capture_output=True, text=True, env={**os.environ, **fault})
        return done, os.path.exists(self.mark)

    def refuse_each(self, least_bytes, step, lasts):
        whole, _ = self.refuse(0, least_bytes, False)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        expected = results(self.path("out"))
        num_told = 0
        for n in range(1, MOST_CALLS, step):
            done, failed = self.refuse(n, least_bytes, lasts)
            if not failed:
                break
            where = f"piece {n} is refused: {done.stderr}"
            self.assertIn(done.returncode, (0, 2), where)
            if done.returncode == 0:
                self.assertEqual(results(self.path("out")), expected, where)
            else:
                num_told += 1
                self.assertRegex(done.stderr, "memory|ulimit", where)
        self.assertGreater(num_told, 5)

    def test_large_pieces(self):
        self.refuse_each(LARGE, 1, False)

    def test_large_pieces_from_one_on(self):
        self.refuse_each(LARGE, 1, True)

    def test_small_pieces(self):
        self.refuse_each(0, STEP, False)

    def test_no_value_of_a_thread_can_end_the_process(self):
        """glibc ends a process that has no memory to note a `thread_local` with a destructor: PerThread has none."""
        done = subprocess.run(["nm", "-D", "--undefined-only", reading_test.NEARDUP], capture_output=True, text=True, check=True)
        self.assertIn("malloc", done.stdout)
        self.assertNotIn("__cxa_thread_atexit", done.stdout)

    def test_a_limit_of_the_system(self):
        whole, _ = self.refuse(0, 0, False)
        expected = results(self.path("out"))
        for megabytes in range(40, 400, 12):
            size = megabytes << 20
            done = subprocess.run([reading_test.NEARDUP, *self.fresh_dedup()], capture_output=True, text=True,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
            self.assertIn(done.returncode, (0, 2, 127), f"{megabytes} MB: {done.stderr}")  # 127: the loader had none
            if done.returncode == 0:
                self.assertEqual(results(self.path("out")), expected, megabytes)
            else:
                self.assertTrue(done.stderr)


if __name__ == "__main__":
    unittest.main()
