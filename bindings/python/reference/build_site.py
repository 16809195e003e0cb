"""Writes a page for each public module of neardup, by pdoc: build_site.py OUT. See tools/python_reference."""
import importlib
import pathlib
import pkgutil
import sys
import warnings

import pdoc

import neardup

HERE = pathlib.Path(__file__).resolve().parent


def public_modules():
    """Returns neardup and its public modules whose libraries are there; names the others."""
    found = ["neardup"]
    for module in pkgutil.iter_modules(neardup.__path__, "neardup."):
        if module.name.rpartition(".")[2].startswith("_"):
            continue
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            print(f"{module.name} is left out: {error}", file=sys.stderr)
        else:
            found.append(module.name)
    return found


def build(out):
    """Writes the site into the folder `out`. Whatever pdoc warns of is an error."""
    warnings.simplefilter("error", UserWarning)
    pdoc.render.configure(template_directory=HERE, search=True, show_source=False, footer_text=f"neardup {neardup.__version__}")
    pdoc.pdoc(*public_modules(), output_directory=pathlib.Path(out))


if __name__ == "__main__":
    build(sys.argv[1])
