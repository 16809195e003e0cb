"""Every public name has a docstring, and the site of them is built without a warning."""
import functools
import importlib
import inspect
import pathlib
import re
import subprocess
import sys

import neardup
import pytest
from conftest import ROOT

MODULES = ["neardup", "neardup.compat", "neardup.polars", "neardup.datatrove"]


def members_of(cls):
    """Yields the public members that a class of ours defines."""
    for name, member in vars(cls).items():
        if not name.startswith("_") and (callable(member) or isinstance(member, (property, functools.cached_property, classmethod))):
            yield name, member
        elif not name.startswith("_") and type(member).__name__ == "nb_method":
            yield name, member


def names_of(module):
    """Yields (name, object) of what a module gives away."""
    for name in module.__all__:
        made = getattr(module, name)
        if name.startswith("__"):
            continue
        yield f"{module.__name__}.{name}", made
        if inspect.isclass(made):
            yield from ((f"{module.__name__}.{name}.{member}", what) for member, what in members_of(made))


@pytest.mark.parametrize("name", MODULES)
def test_everything_has_a_docstring(name):
    if name != "neardup":
        pytest.importorskip(name.rpartition(".")[2] if name != "neardup.compat" else "numpy")
    module = importlib.import_module(name)
    without = [name for name, made in names_of(module) if not (inspect.getdoc(made) or "").strip()]
    assert module.__doc__ and not without


def test_the_site(tmp_path):
    for library in ("pdoc", "polars", "datatrove"):
        pytest.importorskip(library)
    script = ROOT / "bindings" / "python" / "reference" / "build_site.py"
    done = subprocess.run([sys.executable, script, tmp_path], capture_output=True, text=True)
    assert done.returncode == 0 and "left out: No module named 'p" not in done.stderr.replace("pyspark", "-"), done.stderr
    pages = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.html")}
    assert pages >= {"index.html", "neardup.html", "neardup/compat.html", "neardup/polars.html", "neardup/datatrove.html"}
    page = (tmp_path / "neardup.html").read_text(encoding="utf-8")
    for name in neardup.__all__:
        if not name.startswith("__"):
            assert f'id="{name}"' in page, name
    assert not re.search(r"""(src|href)=["']?https?://(?!pdoc\.dev)""", page), "the site asks for nothing from outside"


def test_all_modules_are_looked_at():
    here = pathlib.Path(neardup.__file__).parent
    public = {f"neardup.{path.stem}" for path in here.glob("*.py") if not path.stem.startswith("_")}
    assert public <= {*MODULES, "neardup.spark"}
