#!/usr/bin/env python3
"""header_chains: which headers can be compiled in one source although each is to be compiled alone.

A header compiles alone where it includes all that it uses. Two of them can share a source without loss where all that
the first one brings is included by the second one as well: what stands before the second one then gives it nothing. So
the headers are cut into as few chains as there can be, each header holding what those before it hold (the least cover
of a partial order by chains: Dilworth, by a maximum matching), and each chain becomes one source.
usage: header_chains.py SOURCE_ROOT OUTPUT_FOLDER      prints the sources, a line each; those that stand are left alone
"""
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


def read_includes(root):
    """Returns what each header below ROOT/neardup includes itself, by its path from ROOT."""
    headers = (path for path in sorted(root.glob("neardup/**/*.h")) if not path.name.endswith("-inl.h"))
    return {str(path.relative_to(root)): INCLUDE.findall(path.read_text(encoding="utf-8")) for path in headers}


def brought(header, includes, known):
    """Returns all that `header` includes, through others too."""
    if header not in known:
        known[header] = frozenset()  # a circle ends here
        reached = set()
        for other in includes.get(header, ()):
            reached |= {other} | brought(other, includes, known)
        known[header] = frozenset(reached)
    return known[header]


def chains(includes):
    """Returns lists of headers; each header brings what all before it in its list are and bring."""
    known = {}
    closures = {header: brought(header, includes, known) for header in includes}
    after = {a: [b for b in includes if a in closures[b] and closures[a] <= closures[b]] for a in includes}
    before = {}

    def extend(a, seen):
        for b in after[a]:
            if b in seen:
                continue
            seen.add(b)
            if b not in before or extend(before[b], seen):
                before[b] = a
                return True
        return False

    sys.setrecursionlimit(len(includes) + 1000)
    for a in includes:
        extend(a, set())
    following = {a: b for b, a in before.items()}
    found = []
    for header in includes:
        if header in before:
            continue
        chain = [header]
        while chain[-1] in following:
            chain.append(following[chain[-1]])
        found.append(chain)
    return found


def write(folder, chain):
    """Writes the source of a chain, where it is not what stands there; returns its path."""
    path = folder / (chain[-1] + ".cc")
    # Twice: a header without #pragma once fails here.
    text = "".join(f'#include "{header}"\n' * 2 for header in chain)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return path


def main(arguments):
    root, folder = Path(arguments[0]), Path(arguments[1])
    for chain in chains(read_includes(root)):
        print(write(folder, chain))


if __name__ == "__main__":
    main(sys.argv[1:])
