#!/usr/bin/env python3
"""The tests of the Python package, with the libraries whose tables it reads.

usage: run_tests.py PROGRAM PACKAGE_FOLDER CACHE_FOLDER [PYTEST_ARGUMENT...]. Ends with 77 (skipped) where the libraries
can be neither found nor fetched.
"""
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from pinned_venv import pinned_venv  # noqa: E402

SKIPPED = 77


def main():
    program, package, cache, *arguments = sys.argv[1:]
    programs = pinned_venv("python-tests", HERE / "requirements.txt", cache)
    if programs is None:
        return SKIPPED
    environment = {**os.environ, "PYTHONPATH": package, "NEARDUP_PROGRAM": program, "PYTHONDONTWRITEBYTECODE": "1",
                   "HF_HUB_OFFLINE": "1"}
    return subprocess.run([programs / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE, *arguments],
                          env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
