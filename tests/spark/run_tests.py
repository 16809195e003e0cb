#!/usr/bin/env python3
"""The tests of neardup.spark.

usage: run_tests.py PROGRAM PACKAGE_FOLDER CACHE_FOLDER [PYTEST_ARGUMENT...]. With NEARDUP_PYSPARK=4 in the environment by
PySpark 4, else by 3.5; with NEARDUP_SPARK=connect besides by Spark Connect. Ends with 77 (skipped) where there is no Java;
where there is, packages that cannot be fetched are a failure.
"""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from pinned_venv import pinned_venv  # noqa: E402

SKIPPED = 77


def add_pyspark(programs, requirements):
    """Installs PySpark, which is published as sources alone, once; its setup.py runs with the pinned setuptools."""
    done = programs.parent / f"complete-{requirements.stem}"
    if done.exists():
        return True
    fetched = subprocess.run([programs / "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--require-hashes",
                              "--requirement", requirements], capture_output=True, text=True)
    if fetched.returncode != 0:
        print(f"PySpark could not be fetched: {fetched.stderr}")
        return False
    done.touch()
    return True


def main():
    program, package, cache, *arguments = sys.argv[1:]
    if shutil.which("java") is None:
        print("there is no Java (tools/packages-test.txt)")
        return SKIPPED
    version = os.environ.get("NEARDUP_PYSPARK", "3.5")
    programs = pinned_venv(f"spark-tests-{version}", HERE / "requirements.txt", cache)
    if programs is None or not add_pyspark(programs, HERE / f"pyspark-{version}.txt"):
        return 1
    environment = {**os.environ, "PYTHONPATH": package, "NEARDUP_PROGRAM": program, "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("SPARK_HOME", None)
    return subprocess.run([programs / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", HERE,
                           *arguments], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
