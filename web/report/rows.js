// The rows of the table of pairs: which there are, which of them are wanted, and in which order.
import {pairOf} from './clusters.js';

/**
 * Returns the pairs of a run as rows {a, b, kind, similarity, distance}: each removed document b with the one a that is kept
 * for it ("near", "exact"), then, where they are known, the other verified pairs ("other").
 */
export function rowsOf(data, kept, similarity) {
  const rows = [];
  for (let b = 0; b < kept.length; ++b) {
    const a = kept[b];
    if (a === b) continue;
    const isExact = data.sameAs[b] === a;
    const pair = isExact ? -1 : pairOf(data, a, data.sameAs[b]);
    rows.push({a, b, kind: isExact ? 'exact' : 'near', similarity: similarity[b],
      distance: isExact ? 0 : pair < 0 ? null : data.distanceOf(pair)});
  }
  if (!data.hasAllPairs) return rows;
  for (let pair = 0; pair < data.better.length; ++pair) {
    const [a, b] = [data.better[pair], data.worse[pair]];
    if (kept[b] === a) continue;
    rows.push({a, b, kind: 'other', similarity: data.similarity[pair], distance: data.distanceOf(pair)});
  }
  return rows;
}

const takes = {
  near: (row) => row.kind === 'near',
  exact: (row) => row.kind === 'exact',
  other: (row) => row.kind === 'other',
  removed: (row) => row.kind !== 'other',
  texts: (row, data) => row.kind !== 'other' && data.example[row.b] > 0,
  all: () => true,
};

const byText = (a, b) => a < b ? -1 : a > b ? 1 : 0;

const orders = {
  similarity: () => (a, b) => a.similarity - b.similarity,
  kind: () => (a, b) => byText(a.kind, b.kind),
  kept: (data) => (a, b) => byText(data.ids[a.a], data.ids[b.a]),
  removed: (data) => (a, b) => byText(data.ids[a.b], data.ids[b.b]),
};

/** Returns `rows` in a new order; equal ones as they were. `column`: a name of `orders`. */
export function sorted(data, rows, column, isDescending) {
  const order = orders[column](data);
  return [...rows].sort(isDescending ? (a, b) => order(b, a) : order);
}

/**
 * Returns those of `rows` that are wanted: `text` (in an id, whatever the case), `kind` ("near", "exact", "other";
 * "removed": the first two, "texts": those of them with their texts, "all"), `source` (a number, of either document; -2 all), `back` (only those whose second document
 * `comesBack`).
 */
export function filtered(data, rows, {text, kind, source, back}, comesBack) {
  const wanted = text.trim().toLowerCase();
  const has = wanted === '' ? null : data.ids.map((id) => id.toLowerCase().includes(wanted));
  return rows.filter((row) => takes[kind](row, data)).filter(({a, b, kind: own}) =>
    (source === -2 || data.source[a] === source || data.source[b] === source) &&
    (!back || (own !== 'other' && comesBack(b))) && (has === null || has[a] || has[b]));
}
