"""The examples of docs/spark.md do what they say: those for Python, and those for arrays of jobs, without a batch system."""
import doctest
import os
import re
import subprocess

import pytest
from conftest import CORPUS, ROOT, lines_of

PAGE = ROOT / "docs" / "spark.md"


@pytest.mark.smoke
def test_examples(spark):
    results = doctest.testfile(str(PAGE), module_relative=False, globs={"spark": spark})
    assert results.attempted > 6 and results.failed == 0


def test_an_array_of_jobs(run, tmp_path):
    array, merge = re.findall(r"```sh\n# \w+\.slurm.*?\n(.*?)```", PAGE.read_text(), re.DOTALL)
    program = os.environ["NEARDUP_PROGRAM"]
    words = {"CORPUS": str(CORPUS / "peps"), "OUT": str(tmp_path / "shards"), "SHARDS": "3", "SLURM_ARRAY_TASK_COUNT": "3"}
    lines = "neardup() { " + program + ' "$@"; }\n'
    for task in range(3):
        subprocess.run(["bash", "-euc", lines + array], check=True, env={**os.environ, **words, "SLURM_ARRAY_TASK_ID": str(task)})
    subprocess.run(["bash", "-euc", lines + merge], check=True, env={**os.environ, **words})
    run("dedup", CORPUS / "peps", "-o", tmp_path / "one", "--memory", "16G")
    for name in ("duplicates.jsonl", "clusters.jsonl"):
        assert (tmp_path / "shards" / name).read_bytes() == (tmp_path / "one" / name).read_bytes()
    assert len(lines_of(tmp_path / "one" / "duplicates.jsonl")) > 100
