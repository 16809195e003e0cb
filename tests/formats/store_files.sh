#!/usr/bin/env bash
# store_files.sh: makes a file of each format, with questions about them and the answers, for later versions to read.
#
# usage: tests/formats/store_files.sh build/release/neardup tests/formats/stored/VERSION.tar.gz
#
# Run once for a release that changes a format (RELEASING.md). An archive is never changed afterwards.
set -euo pipefail
program=$(realpath "$1") archive=$(realpath -m "$2") here=$(dirname "$(realpath "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/stored"
ln -s "$program" "$folder/bin/neardup"
export PATH="$folder/bin:$PATH" LC_ALL=C.UTF-8
cd "$folder/stored"
cp "$here/ask.sh" "$here/stored_corpus.jsonl" .
corpus=stored_corpus.jsonl

neardup idf "$corpus" --recipe paper -o words.idf 2>/dev/null
neardup phrases "$corpus" --min-count 2 -o words.phrases 2>/dev/null
neardup recipes grams,mask=urls > recipe.json
neardup fingerprint "$corpus" --recipe paper,idf=words.idf --output-format bin -o fingerprints.bin 2>/dev/null
neardup fingerprint "$corpus" --recipe default --family minhash --output-format bin -o signatures.bin 2>/dev/null

# An index with what was deleted and what was added later.
neardup index create index fingerprints.bin 2>/dev/null
neardup index delete index rain 2>/dev/null
neardup index add index fingerprints.bin 2>/dev/null
neardup index delete index short 2>/dev/null

# A store that learns, one by fingerprints with texts, one that tells of quotes: each opened again and changed.
neardup index create store "$corpus" 2>/dev/null
neardup index delete store short 2>/dev/null
neardup index create store-texts --recipe paper,idf=words.idf --keep-texts 2>/dev/null
neardup index add store-texts "$corpus" 2>/dev/null
neardup index compact store-texts 2>/dev/null
neardup index create store-contained --contained 0.8 2>/dev/null
neardup index add store-contained "$corpus" 2>/dev/null

neardup dedup "$corpus" -o results --progress off 2>/dev/null
mv results/commonness.bin .
rm -r results/.neardup results/report.html

cat > labels.jsonl <<'LABELS'
{"a":"ferry","b":"ferry again","label":2}
{"a":"rain","b":"copy","label":2}
{"a":"rain","b":"short","label":0}
LABELS

mkdir files
head -4 "$corpus" > files/a
head -6 "$corpus" > files/b
touch -d '2020-01-01 UTC' files/*
neardup similar files --index similar --progress off > /dev/null

bash ask.sh > "$folder/answers.txt"
mv "$folder/answers.txt" .
mkdir -p "$(dirname "$archive")"
tar --sort=name --owner=0 --group=0 --numeric-owner --sparse -czf "$archive" .
