#!/usr/bin/env python3
"""Reads an index folder by the description in docs/formats/index.md, with no code of the program, and answers by scan.

usage: read_index.py DIR               id <tab> fingerprints, one document a line, by number
       read_index.py DIR FILE [K]      what `neardup index query DIR FILE --distance K` prints
"""
import ctypes, struct, sys
from pathlib import Path

XXHASH = ctypes.CDLL("libxxhash.so.0")
XXHASH.XXH3_64bits.restype = ctypes.c_uint64
XXHASH.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
WHOLE_INDEX = 2**32 - 1
PACKED, PLAIN, DELTA = range(3)


def h(data):
    return XXHASH.XXH3_64bits(data, len(data))


def need(condition, what):
    if not condition:
        raise ValueError(what)


class Reader:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def number(self, size):
        self.at += size
        return int.from_bytes(self.data[self.at - size:self.at], "little")

    def numbers(self, size, count):
        return [self.number(size) for _ in range(count)]

    def piece(self, size):
        self.at += size
        return self.data[self.at - size:self.at]


def open_frame(path, magic):
    data = path.read_bytes()
    need(data[:8] == magic and struct.unpack("<II", data[8:16]) == (1, 0), f"{path}: magic or version")
    need(h(data[:-8]) == int.from_bytes(data[-8:], "little"), f"{path}: checksum")
    return Reader(data[16:-8]), int.from_bytes(data[-8:], "little")


def read_manifest(folder):
    r, _ = open_frame(folder / "MANIFEST", b"NDUPMANI")
    m = dict(zip(("bits", "distance", "codec", "columns"), r.numbers(4, 4)))
    for name in ("plan", "recipe_id", "recipe"):
        m[name] = r.piece(r.number(4)).decode()
    m.update(zip(("commits", "next_document", "documents", "next_file"), r.numbers(8, 4)))
    num_segments, num_ids = r.numbers(4, 2)
    m["segments"] = [r.numbers(8, 6) for _ in range(num_segments)]
    m["ids"] = [r.numbers(8, 5) for _ in range(num_ids)]
    need(r.at == len(r.data), "MANIFEST: length")
    return m


def read_index_file(path):
    """Returns header facts, tables [(prefix bits, flips, order)], sections {(table, name): bytes}, header checksum."""
    data = path.read_bytes()
    r = Reader(data, 8)
    need(data[:8] == b"NDUPINDX" and r.number(4) == 1, f"{path}: magic or version")
    header_bytes, file_bytes, bits, codec = r.number(4), r.number(8), r.number(4), r.number(4)
    pairs, distinct = r.numbers(8, 2)
    distance, num_tables, num_sections, name_bytes, note_bytes, zero = r.numbers(4, 6)
    checksum = int.from_bytes(data[header_bytes - 8:header_bytes], "little")
    need(len(data) == file_bytes and zero == 0, f"{path}: length")
    need(h(data[:header_bytes - 8]) == checksum, f"{path}: header checksum")
    need(data[-16:] == struct.pack("<Q", checksum) + b"NDUPIEND", f"{path}: footer")
    tables = [(r.number(4), r.number(4), list(r.piece(bits))) for _ in range(num_tables)]
    sections, end = {}, header_bytes
    for _ in range(num_sections):
        table, name = r.number(4), r.piece(24).rstrip(b"\0").decode()
        offset, size, section_checksum = r.numbers(8, 3)
        alignment = 4096 if size >= 4096 else 64
        need(offset == -(-(end + 64) // alignment) * alignment, f"{path}: place of {name}")
        need(not any(data[end:offset]), f"{path}: bytes before {name}")
        need(h(data[offset:offset + size]) == section_checksum, f"{path}: checksum of {name}")
        sections[table, name] = data[offset:offset + size]
        end = offset + size
    need(r.at + name_bytes + note_bytes + 8 == header_bytes and not any(data[end:-16]), f"{path}: lengths")
    facts = {"bits": bits, "codec": codec, "pairs": pairs, "distinct": distinct, "distance": distance}
    return facts, tables, sections, checksum


def packed_begins(sections, groups, table=0):
    """Where each group of a packed table begins, and the end of the last."""
    blocks, uneven = sections[table, "blocks"], struct.iter_unpack("<I", sections[table, "uneven"])
    uneven, begins, end = [x for (x,) in uneven], [], 0
    for at in range(0, len(blocks), 64):
        head, = struct.unpack_from("<Q", blocks, at)
        begin, size = head & (1 << 40) - 1, head >> 40
        if size == (1 << 24) - 1:
            number, = struct.unpack_from("<I", blocks, at + 8)
            block = [begin + x for x in uneven[56 * number:56 * (number + 1)]]
        else:
            shifts = struct.unpack_from("<56b", blocks, at + 8)
            block = [begin + (size * (place * (65536 // 55)) >> 16) + shift for place, shift in enumerate(shifts)]
        begins += block[:55]
        end = block[55]
    return begins[:groups] + [end]


def first_table_keys(facts, sections):
    """Returns (known leading places, keys of them) of the first table, by rank."""
    if facts["codec"] == PLAIN:
        size = facts["bits"] // 8
        data = sections[0, "keys"]
        return facts["bits"], [int.from_bytes(data[i:i + size], "little") for i in range(0, len(data), size)]
    need(facts["codec"] == PACKED, "this reader knows the codecs packed and plain")
    directory_bits, word_bits = struct.unpack("<II", sections[0, "shape"])
    begins, words, keys = packed_begins(sections, 1 << directory_bits), sections[0, "words"], []
    for group in range(1 << directory_bits):
        for rank in range(begins[group], begins[group + 1]):
            word = int.from_bytes(words[rank * word_bits // 8:(rank + 1) * word_bits // 8], "little")
            keys.append(group << word_bits | word)
    return directory_bits + word_bits, keys


def positions(data, count):
    size = len(data) // count if count else 4
    return [int.from_bytes(data[i * size:(i + 1) * size], "little") for i in range(count)]


def read_pairs(path):
    """Returns the (fingerprint, number) pairs of an index file and its header checksum."""
    facts, tables, sections, checksum = read_index_file(path)
    known_bits, keys = first_table_keys(facts, sections)
    need(len(keys) == facts["distinct"], f"{path}: fingerprints")
    shape = struct.unpack("<6Q", sections[WHOLE_INDEX, "shape"])
    rest_bits, number_bits, first, last, num_lists, num_listed = shape
    need(rest_bits == facts["bits"] - known_bits, f"{path}: places that records hold")
    records = int.from_bytes(sections[WHOLE_INDEX, "records"], "little")
    begins = positions(sections[WHOLE_INDEX, "lists"], num_lists + 1)
    listed = positions(sections[WHOLE_INDEX, "documents"], num_listed)
    pairs, order, record_bits = [], tables[0][2], rest_bits + number_bits
    for rank, head in enumerate(keys):
        record = records >> rank * record_bits & (1 << record_bits) - 1
        key = head << rest_bits | record & (1 << rest_bits) - 1
        value = sum((key >> facts["bits"] - 1 - place & 1) << bit for place, bit in enumerate(order))
        number = record >> rest_bits
        if number <= last - first:
            pairs.append((value, first + number))
        else:
            at = number - (last - first) - 1
            pairs += [(value, first + x) for x in listed[begins[at]:begins[at + 1]]]
    need(len(pairs) == facts["pairs"], f"{path}: pairs")
    return pairs, checksum


def read_ids(path, facts):
    r, checksum = open_frame(path, b"NDUPIDTB")
    first, count, live, erased, id_bytes, zero = r.numbers(8, 6)
    need([first, count, checksum] == [facts[1], facts[2], facts[4]] and zero == 0, f"{path}: not the one that is named")
    hashes, erased = r.numbers(8, live), r.numbers(8, erased)
    ends, order = r.numbers(8, count), r.numbers(4, live)
    data = r.piece(id_bytes)
    need(r.at == len(r.data) and hashes == sorted(hashes) and erased == sorted(erased), f"{path}: order")
    ids = {}
    for value, i in zip(hashes, order):
        name = data[ends[i - 1] if i else 0:ends[i]]
        need(h(name) == value, f"{path}: hash of an id")
        ids[first + i] = name
    return ids, erased


def read_folder(folder):
    """Returns the manifest, {document: id} of the live documents, {document: {column: fingerprint}}."""
    manifest = read_manifest(folder)
    ids, erased = {}, []
    for facts in manifest["ids"]:
        more, gone = read_ids(folder / f"ids-{facts[0]:06}.bin", facts)
        ids.update(more)
        erased += gone
    for document in erased:
        ids.pop(document, None)
    need(len(ids) == manifest["documents"], "number of documents")
    pairs = set()
    for number, num_pairs, file_bytes, checksum, num_erased, erased_checksum in manifest["segments"]:
        if num_erased:
            r, found = open_frame(folder / f"segment-{number:06}.del", b"NDUPERAS")
            gone = set(r.numbers(8, r.number(8)))
            need(found == erased_checksum and len(gone) == num_erased, "erased documents")
            pairs = {pair for pair in pairs if pair[1] not in gone}
        more, found = read_pairs(folder / f"segment-{number:06}.ndx")
        need(found == checksum and len(more) == num_pairs, f"segment {number}: not the one that is named")
        pairs.update(more)
    prints = {document: {} for document in ids}
    for value, number in pairs:
        prints[number // manifest["columns"]][number % manifest["columns"]] = value
    return manifest, ids, prints


def escaped(name):
    return name.replace(b"\\", b"\\\\").replace(b"\t", b"\\t").replace(b"\n", b"\\n").replace(b"\r", b"\\r")


def answer(folder, queries, distance):
    manifest, ids, prints = read_folder(folder)
    for line in queries.read_bytes().splitlines():
        query, values = line.split(b"\t")[:2]
        if values == b"-":
            continue
        values = [int(value, 16) for value in values.split(b",")]
        found = []
        for document, columns in prints.items():
            distances = [(columns[c] ^ value).bit_count() for c, value in enumerate(values) if c in columns]
            if distances and min(distances) <= distance:
                found.append((min(distances), document))
        for d, document in sorted(found):
            yield query + b"\t" + escaped(ids[document]) + b"\t%d" % d


def main(arguments):
    folder = Path(arguments[0])
    if len(arguments) > 1:
        distance = int(arguments[2]) if len(arguments) > 2 else read_manifest(folder)["distance"]
        lines = answer(folder, Path(arguments[1]), distance)
    else:
        _, ids, prints = read_folder(folder)
        lines = (escaped(ids[d]) + b"\t" + b",".join(b"%016x" % prints[d][c] for c in sorted(prints[d])) for d in sorted(ids))
    for line in lines:
        sys.stdout.buffer.write(line + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
