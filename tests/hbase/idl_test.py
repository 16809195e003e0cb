#!/usr/bin/env python3
"""idl_test: holds src/neardup/remote/hbase/hbase.thrift against the interface that the server has, inside its jar.

Every struct, field, enum value, call and argument of ours must be there with the same id, name and type; what we leave out must
not be required. usage: idl_test.py OUR_FILE CACHE_FOLDER; exits 77 where there are no jars.
"""
import re
import sys
import zipfile
from pathlib import Path

SERVERS = "org/apache/hadoop/hbase/thrift2/hbase.thrift"
FIELD = re.compile(r"(\d+)\s*:\s*(required\s+|optional\s+)?([\w.]+(?:<[^>]*>)?)\s+(\w+)")


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return re.sub(r"(//|#)[^\n]*", " ", text)


def fields(body):
    """Returns {id: (name, type, whether it is required)}."""
    return {int(number): (name, re.sub(r"\s", "", kind), (need or "").strip() == "required")
            for number, need, kind, name in FIELD.findall(body)}


def parse(text):
    """Returns the structs, enums and calls of an interface."""
    text = without_comments(text)
    structs = {name: fields(body) for name, body in re.findall(r"(?:struct|union|exception)\s+(\w+)\s*\{(.*?)\}", text, re.S)}
    enums = {name: dict(re.findall(r"(\w+)\s*=\s*(\d+)", body)) for name, body in re.findall(r"enum\s+(\w+)\s*\{(.*?)\}", text, re.S)}
    service = re.search(r"service\s+THBaseService\s*\{(.*)\}", text, re.S).group(1)
    calls = {}
    for kind, name, arguments, thrown in re.findall(
            r"([\w.]+(?:<[^>]*>)?)\s+(\w+)\s*\(([^()]*)\)\s*(?:throws\s*\(([^()]*)\))?", service):
        calls[name] = (kind, fields(arguments), fields(thrown))
    return structs, enums, calls


def differences(what, ours, theirs):
    for number, field in ours.items():
        if theirs.get(number, (None, None))[:2] != field[:2]:
            yield f"{what}, field {number}: ours {field[:2]}, the server's {theirs.get(number)}"
    for number, field in theirs.items():
        if number not in ours and field[2] and not what.startswith("call"):
            yield f"{what}: field {number} {field[0]} is required by the server, and not in ours"


def compare(ours, theirs):
    structs, enums, calls = ours
    for name, own in structs.items():
        yield from differences(f"struct {name}", own, theirs[0].get(name, {}))
    for name, own in enums.items():
        for value, number in own.items():
            if theirs[1].get(name, {}).get(value) != number:
                yield f"enum {name}: {value} = {number} is not the server's"
    for name, (kind, arguments, thrown) in calls.items():
        if name not in theirs[2]:
            yield f"call {name}: the server has none"
            continue
        if kind != theirs[2][name][0]:
            yield f"call {name}: returns {kind}, the server's {theirs[2][name][0]}"
        yield from differences(f"call {name}", arguments, theirs[2][name][1])
        yield from differences(f"call {name}, errors", thrown, theirs[2][name][2])


def main(our_file, cache):
    jars = sorted(Path(cache).glob("hbase-2.6.1/jars/hbase-thrift-*.jar"))
    if not jars:
        print("no jars of HBase here: tools/service hbase start fetches them")
        return 77
    text = Path(our_file).read_text(encoding="utf-8")
    ours, theirs = parse(text), parse(zipfile.ZipFile(jars[0]).read(SERVERS).decode())
    if len(ours[0]) < 10 or len(ours[2]) < 10 or len(theirs[2]) < 30:
        print(f"the interfaces were not read: {len(ours[0])} structs, {len(ours[2])} calls; {len(theirs[2])} of the server")
        return 1
    found = list(compare(ours, theirs))
    for line in found:
        print(line)
    broken = parse(text.replace("2: optional i64 timestamp", "5: optional i64 timestamp").replace("3: optional i64 timestamp", "4: optional i64 timestamp"))
    if not list(compare(broken, theirs)):
        print("another field id was not noticed")
        return 1
    if not found:
        print(f"{len(ours[0])} structs, {len(ours[1])} enums and {len(ours[2])} calls are those of {jars[0].name}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
