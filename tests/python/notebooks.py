#!/usr/bin/env python3
"""Runs a notebook cell by cell, as Jupyter would show it, without Jupyter, whose kernel takes forty packages.

usage: notebooks.py NOTEBOOK      puts the outputs of a run into the notebook
"""
import ast
import base64
import contextlib
import io
import json
import pathlib
import sys

MOST_STORED = 20_000  # bytes of HTML: a page with its script is shown by who runs the notebook


def _lines(text):
    return text.splitlines(keepends=True)


def _run(source, namespace, name):
    """Runs a cell. Returns the value of its last line, where that is an expression."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), namespace)
    return None if last is None else eval(compile(ast.Expression(last.value), name, "eval"), namespace)


def _shown(value, count):
    data = {"text/plain": _lines(repr(value))}
    html = value._repr_html_() if hasattr(value, "_repr_html_") else None
    if html is not None and len(html) <= MOST_STORED:
        data["text/html"] = _lines(html)
    return {"output_type": "execute_result", "execution_count": count, "data": data, "metadata": {}}


def _figures(plots):
    outputs = []
    for number in plots.get_fignums():
        figure, picture = plots.figure(number), io.BytesIO()
        figure.savefig(picture, format="png", dpi=80, bbox_inches="tight", metadata={"Software": None})
        data = {"image/png": base64.b64encode(picture.getvalue()).decode() + "\n",
                "text/plain": ["<Figure with %d axes>" % len(figure.axes)]}
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    plots.close("all")
    return outputs


def run(path):
    """Returns the notebook with the outputs of a new run of its cells, in its own folder. Raises what a cell raises."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    pyplot.show = lambda: None
    notebook = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    namespace = {"__name__": "__main__"}
    count = 0
    with contextlib.chdir(pathlib.Path(path).parent):
        for cell in notebook["cells"]:
            if cell["cell_type"] != "code":
                continue
            count += 1
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                value = _run("".join(cell["source"]), namespace, f"{path}[{count}]")
            outputs = [{"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())}] if printed.getvalue() else []
            outputs += [_shown(value, count)] if value is not None else []
            cell["outputs"] = outputs + _figures(pyplot)
            cell["execution_count"] = count
    return notebook


def write(path, notebook):
    """Writes a notebook as Jupyter does."""
    pathlib.Path(path).write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1], run(sys.argv[1]))
