#!/usr/bin/env python3
"""Writes one source of the examples in the doors of the rooms (src/neardup/ROOM/ROOM.h, neardup.h): that they compile is a test.

usage: door_examples.py OUTPUT

An example is what stands indented by three blanks among the first comments of a door. One that begins with a type and a name is a function, any other one the
body of a function that returns a Status. Names that it uses and does not declare are in door_names.h.
"""
import re, sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = re.compile(r"^//   (?! {8}|[\w/., ]+\.h  )(.*)$")
FUNCTION = re.compile(r"^[\w:<>]+ \w+\(.*\) \{$")


def example_of(door):
    """Returns the lines of code in the first comments of a door; tables of its headers are none."""
    lines = []
    for line in door.read_text(encoding="utf8").split("\n"):
        if not line.startswith("//"):
            break
        if match := CODE.match(line):
            lines.append(match.group(1))
    text = "\n".join(lines)
    return lines if re.search(r"[;}]\s*(//.*)?$", text) else []


def doors():
    rooms = sorted(path for path in (ROOT / "src/neardup").iterdir() if path.is_dir())
    return [door for room in rooms if (door := room / f"{room.name}.h").exists()]


def function_of(name, lines):
    if FUNCTION.match(lines[0]):
        return "namespace of_%s {\n%s\n}" % (name, "\n".join(lines))
    return "Status %s_example() {\n%s\nreturn {};\n}" % (name, "\n".join(lines))


def source():
    found = [(door, lines) for door in [*doors(), ROOT / "src/neardup/neardup.h"] if (lines := example_of(door))]
    includes = "\n".join(f'#include "{door.relative_to(ROOT / "src")}"' for door, _ in found)
    functions = "\n".join(f'#line 1 "{door.name}"\n{function_of(door.stem, lines)}' for door, lines in found)
    return f'{includes}\n#include "tests/docs/door_names.h"\nnamespace neardup {{\n{functions}\n}}  // namespace neardup\n'


def main(output):
    path, text = Path(output), source()
    if not path.exists() or path.read_text(encoding="utf8") != text:
        path.write_text(text, encoding="utf8")


if __name__ == "__main__":
    main(*sys.argv[1:])
