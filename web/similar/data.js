// What the page holds of similar files, as src/neardup/report/similar_data.cc packs it.
import {column, kWhole, numbersOf} from '../report/data.js';

export const kEqual = 2;

/**
 * Returns the data of a page, unpacked. Files: ids[i] (their names, all in `folder`), bytes[i], isReference[i], isCopy[i] (equals an earlier one
 * of its side, whose pairs stand for its own). Pairs, the most similar first and equal files before all others: a[p], b[p],
 * aInB[p] and bInA[p] (how much of the one is in the other, of kWhole), similarity[p] (the greater), basis[p] (0 estimate,
 * 1 exact, 2 equal), text[p] (the number of its texts, from 1; 0: none).
 */
export function unpack(packed) {
  const files = numbersOf(packed.files);
  const pairs = numbersOf(packed.pairs);
  const [a, b, shares, more] = [0, 1, 2, 3].map((first) => column(pairs, first, 4));
  const high = column(files, 1, 3);
  const data = {
    ...packed,
    ids: packed.names,
    folder: commonFolder(packed.names),
    bytes: Float64Array.from(column(files, 0, 3), (low, i) => low + high[i] * 2 ** 32),
    isReference: Uint8Array.from(column(files, 2, 3)),
    a, b,
    aInB: shares.map((number) => number >>> 16),
    bInA: shares.map((number) => number & 0xffff),
    basis: more.map((number) => number & 3),
    text: more.map((number) => number >>> 2),
  };
  data.similarity = data.aInB.map((share, p) => Math.max(share, data.bInA[p]));
  data.isCopy = new Uint8Array(data.ids.length);
  data.basis.forEach((basis, p) => {
    if (basis === kEqual && data.isReference[a[p]] === data.isReference[b[p]]) data.isCopy[b[p]] = 1;
  });
  return data;
}

/** Returns how many pairs have at least the similarity `level`, those without room included: {similar, equal}. */
export function countsAt(data, level) {
  const counts = {similar: 0, equal: data.leftOutEqual};
  data.similarity.forEach((similarity, p) => {
    if (data.basis[p] === kEqual) ++counts.equal;
    else if (similarity >= level) ++counts.similar;
  });
  for (let step = Math.ceil(level / 100); step <= 100; ++step) counts.similar += data.leftOut[step];
  return counts;
}

/** Returns how many pairs of files that are not equal each hundredth of similarity from `step` on has. */
export function histogram(data, step) {
  const counts = new Array(101 - step).fill(0);
  data.similarity.forEach((similarity, p) => {
    if (data.basis[p] !== kEqual) ++counts[Math.max(0, Math.floor(similarity / 100) - step)];
  });
  data.leftOut.forEach((count, i) => {
    counts[Math.max(0, i - step)] += count;
  });
  return counts;
}

/** 6150 -> "61.5 %", rounded as in the lines of the command; but what is not whole does not look whole. */
export function shareWords(share) {
  return share >= kWhole ? '100 %' : `${(Math.min(999, Math.round(share / 10)) / 10).toFixed(1)} %`;
}

/** Returns the longest folder that all of `names` lie in, with its slash; "" where there is none. */
export function commonFolder(names) {
  if (names.length < 2) return '';
  let common = names[0];
  for (const name of names) {
    let i = 0;
    while (i < common.length && common[i] === name[i]) ++i;
    common = common.slice(0, i);
  }
  return common.slice(0, common.lastIndexOf('/') + 1);
}
