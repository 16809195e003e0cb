"""The examples of docs/spark.md do what they say: those for Python, and those for arrays of jobs, without a batch system."""
import doctest
import json
import os
import re
import subprocess

from conftest import CORPUS, ROOT, TEXT, lines_of

PAGE = ROOT / "docs" / "spark.md"


def test_examples(spark, run, tmp_path):
    (tmp_path / "monday.jsonl").write_text(json.dumps({"id": "m/1", "text": TEXT}) + "\n")
    run("fingerprint", tmp_path / "monday.jsonl", "--output-format", "bin", "-o", tmp_path / "monday")
    run("index", "create", tmp_path / "prints", "--distance", "8", tmp_path / "monday")
    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text().replace('"/data/prints"', repr(str(tmp_path / "prints"))))
    results = doctest.testfile(str(page), module_relative=False, globs={"spark": spark})
    assert results.attempted > 8 and results.failed == 0


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
