#!/usr/bin/env python3
"""check_layers: holds the layer table: which room of src/neardup may include which.

Also checks that each room has its door header (ROOM/ROOM.h, first line "// ROOM: what it does.") and that includes
are whole paths. Prints file:line, the breach and the cure; exits 1 where there is one.
usage: check_layers.py [ROOT]
"""
import re
import sys
from pathlib import Path

# Bottom to top. A room may include itself and what its row names; ARCHITECTURE.md says why.
TABLE = {
    "base": "",
    "corpus": "base",
    "text": "base",
    "token": "base text",
    "feature": "base token",
    "fingerprint": "base",
    "minhash": "base feature fingerprint",
    "simhash": "base feature fingerprint",
    "recipe": "base text token feature fingerprint simhash minhash",
    "match": "base fingerprint",
    "hamming": "base fingerprint match",
    "planner": "base fingerprint match hamming",
    "join": "base fingerprint match",
    "bands": "base hamming",
    "store": "base fingerprint hamming planner bands",
    "remote": "base fingerprint hamming store",
    "verify": "base token feature fingerprint",
    "cluster": "base fingerprint join",
    "evaluate": "base",
    "diff": "base",
    "report": "base cluster evaluate diff",
    "sif": "base corpus",
    "engine": "base corpus text token feature fingerprint simhash minhash recipe match hamming planner join store remote "
              "verify cluster evaluate diff report",
    "explain": "base token feature fingerprint simhash recipe verify diff report engine",
    "lines": "base corpus text token recipe verify",
    "bench": "base corpus fingerprint recipe hamming planner join store remote cluster engine sif lines",
    "server": "base corpus fingerprint recipe diff store remote engine explain",
    "api": "base corpus fingerprint recipe verify cluster report sif store engine explain lines",
    "cli": "base sif engine explain lines bench server",
}
# explain stands on the engine, as the verdict that it puts into words is the engine's own (decide_pair); nothing below
# the engine explains.
# The faces reach the nouns of the rooms through the engine, but a sub-command that is one room's own work (explain,
# pairs, bench) calls that room. The door of api/ is src/neardup/neardup.h.
FACES = ("cli", "api")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def rooms_allowed(room):
    """Returns the set of rooms that `room` may include."""
    if room in FACES:
        return set(TABLE) - set(FACES) | {room}
    return set(TABLE[room].split()) | {room}


def include_breach(room, header, known_rooms):
    """Returns what is wrong with an include of `header` from `room`, or None."""
    parts = header.split("/")
    if parts[0] != "neardup":
        return f'include "{header}": write the whole path, "neardup/{room}/..."'
    if len(parts) < 3 or parts[1] not in known_rooms:
        return f'include "{header}": no such room; the table of tools/check_layers.py names them'
    target = parts[1]
    if target not in rooms_allowed(room):
        allowed = ", ".join(sorted(rooms_allowed(room) - {room})) or "nothing else"
        return (f'{room}/ may not include {target}/ (it may include: {allowed}); pass what it needs as a value, or move '
                f"the code to a room that may")
    return None


def check_file(path, room, source_root):
    """Yields "file:line: message" for each breach in one file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, header = match.groups()
        if quote == "<" and not header.startswith("neardup/"):
            continue
        breach = include_breach(room, header, TABLE)
        if breach is None and header.endswith(".h") and not (source_root / header).is_file():
            breach = f'include "{header}": there is no such file'
        if breach:
            yield f"{path}:{number}: {breach}"


def check_door(folder):
    """Yields a message where the room's door header is missing or does not say what the room does."""
    room = folder.name
    door = folder / f"{room}.h"
    if room in FACES and not door.exists():
        return
    if not door.is_file():
        yield f"{folder}: no door header {room}.h; add one whose first line is \"// {room}: what it does.\""
        return
    first = door.read_text(encoding="utf-8").split("\n", 1)[0]
    if not re.match(rf"// {room}: \S", first):
        yield f'{door}:1: the first line must be "// {room}: what it does.", found "{first}"'


def check(root):
    """Returns all breaches below ROOT/src/neardup, and how many files were read."""
    source_root = Path(root) / "src"
    breaches, num_files = [], 0
    for folder in sorted(p for p in (source_root / "neardup").iterdir() if p.is_dir()):
        sources = sorted(p for p in folder.rglob("*") if p.suffix in (".h", ".cc"))
        if not sources:
            continue
        if folder.name not in TABLE:
            breaches.append(f"{folder}: a room that the table does not know; add its row to tools/check_layers.py and "
                            f"ARCHITECTURE.md")
            continue
        breaches += check_door(folder)
        for path in sources:
            num_files += 1
            breaches += check_file(path, folder.name, source_root)
    return breaches, num_files


def main(arguments):
    root = arguments[0] if arguments else Path(__file__).resolve().parent.parent
    breaches, num_files = check(root)
    print("\n".join(breaches) or f"layers: {num_files} files hold the table")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
