// What the page holds of a run, as src/neardup/report/section_explore.cc packs it.

/** Similarities are whole numbers: ten thousand is 1. */
export const kWhole = 10000;
/** The source of a reference, which is only read. */
const kNoSource = 0xffffffff;
const kUnknownDistance = 0xffff;

/** Returns the numbers of a text in base64, little endian. */
export function numbersOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const view = new DataView(bytes.buffer);
  const numbers = new Uint32Array(bytes.length >> 2);
  for (let i = 0; i < numbers.length; ++i) numbers[i] = view.getUint32(4 * i, true);
  return numbers;
}

/** Returns every `step`th number from `first` on. */
export function column(numbers, first, step) {
  const result = new Uint32Array(numbers.length / step);
  for (let i = 0; i < result.length; ++i) result[i] = numbers[first + i * step];
  return result;
}

/** Returns where the pairs of each worse document begin in the list, which is in their order; one more at the end. */
function offsets(worse, count) {
  const first = new Uint32Array(count + 1);
  for (const document of worse) ++first[document + 1];
  for (let i = 0; i < count; ++i) first[i + 1] += first[i];
  return first;
}

/**
 * Returns the data of a page, unpacked. Documents are numbered in the order of preference: ids[i], source[i] (an index in
 * sources, or -1 of a reference), bytes[i], sameAs[i] (the preferred document with the same text), example[i] (the number
 * of the example that shows it removed; 0: none). Pairs, by worse document and then better one: better[p], worse[p],
 * similarity[p] of kWhole, distance[p] (null: not known); first[i]..first[i + 1] are those whose worse document is i.
 */
export function unpack(packed) {
  const documents = numbersOf(packed.documents);
  const pairs = numbersOf(packed.pairs);
  const both = column(pairs, 2, 3);
  const worse = column(pairs, 1, 3);
  return {
    ...packed,
    source: Int32Array.from(column(documents, 0, 4), (source) => source === kNoSource ? -1 : source),
    bytes: column(documents, 1, 4),
    sameAs: column(documents, 2, 4),
    example: column(documents, 3, 4),
    better: column(pairs, 0, 3),
    worse,
    similarity: both.map((number) => number >>> 16),
    distanceOf: (pair) => (both[pair] & 0xffff) === kUnknownDistance ? null : both[pair] & 0xffff,
    first: offsets(worse, packed.ids.length),
  };
}

/** Returns the lowest threshold that can be chosen, in hundredths: no pair is below it. */
export function lowestStep(data) {
  const least = data.similarity.reduce((least, similarity) => Math.min(least, similarity), data.threshold * kWhole + 0.01);
  return Math.max(0, Math.min(100, Math.floor(least / 100)));
}
