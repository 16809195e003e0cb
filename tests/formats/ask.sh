# ask.sh: what is in the stored files, by the program that is on the PATH. Run in the folder of the files, which it may
# change only in copies. It asks for content, not for verdicts, which later versions may give better.
set -euo pipefail
corpus=stored_corpus.jsonl
copies=$(mktemp -d)
trap 'rm -rf "$copies"' EXIT
neardup() { command neardup "$@" 2>"$copies/stderr" || { cat "$copies/stderr" && false; }; }

echo "== fingerprint files"
neardup pairs fingerprints.bin --distance 16
neardup pairs signatures.bin --verify none | sort

echo "== IDF dictionary, phrases, recipe, counts"
neardup idf info words.idf | grep -E '^(id|documents|tokens|unknown) '
neardup phrases info words.phrases --json | grep -oE '"(id|phrases|tokens|min_count|least_score)":[^,]*'
neardup fingerprint "$corpus" --recipe recipe.json | cut -f 1
neardup dedup "$corpus" --commonness commonness.bin -o "$copies/out" --progress off
cut -d '"' -f 4 < "$copies/out/duplicates.jsonl" | sort

echo "== index of fingerprints"
neardup index check index --json | grep -oE '"documents":[0-9]*'
neardup index info index --json | grep -oE '"(documents|fingerprints|columns|distance|recipe)":[^,}]*'
neardup index query index fingerprints.bin | sort

for store in store store-texts store-contained; do
  echo "== $store"
  cp -r $store "$copies"
  neardup index check $store --json | grep -oE '"documents":[0-9]*'
  neardup index info $store --json | grep -oE '"(documents|duplicates|erased|recipe|family|rule|records|keep_texts|contained)":[^,}]*'
  neardup index export $store
  # The same documents again are known, except the one that was deleted.
  neardup index add "$copies/$store" "$corpus" --json | grep -oE '"(read|repeated|rejected)":[0-9]*'
done

echo "== index of files"
cp -r files similar "$copies"
(cd "$copies" && neardup similar files --index similar --progress off)

echo "== results and labels"
neardup evaluate "$corpus" --labels labels.jsonl --json | grep -oE '"(documents|duplicate_pairs|other_pairs)":[0-9]*' | head -3
cut -d '"' -f 4 < results/duplicates.jsonl
