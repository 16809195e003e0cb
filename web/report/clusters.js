// Which document is kept for which, at any threshold: the rules of `neardup dedup` (docs/design/stars.md).

/** Documents are decided in order of preference: each goes to the first kept one that is similar to it. */
function stars(data, level) {
  const kept = new Uint32Array(data.ids.length);
  for (let i = 0; i < kept.length; ++i) {
    kept[i] = data.sameAs[i] === i ? starOf(data, level, kept, i) : kept[data.sameAs[i]];
  }
  return kept;
}

function starOf({first, better, similarity, source}, level, kept, i) {
  if (source[i] < 0) return i;
  for (let pair = first[i]; pair < first[i + 1]; ++pair) {
    if (similarity[pair] >= level && kept[better[pair]] === better[pair]) return better[pair];
  }
  return i;
}

function rootOf(parents, i) {
  while (parents[i] !== i) {
    parents[i] = parents[parents[i]];
    i = parents[i];
  }
  return i;
}

/** Whoever is similar to anyone of a cluster belongs to it; the preferred one of all stays. */
function components(data, level) {
  const parents = Uint32Array.from(data.sameAs);
  for (let pair = 0; pair < data.better.length; ++pair) {
    if (data.similarity[pair] < level) continue;
    const a = rootOf(parents, data.better[pair]);
    const b = rootOf(parents, data.worse[pair]);
    if (a !== b) parents[Math.max(a, b)] = Math.min(a, b);
  }
  return parents.map((parent, i) => data.source[i] < 0 ? i : rootOf(parents, i));
}

/** Returns, for each document, the one that is kept for it (itself, where it is kept) from the similarity `level` on. */
export function keptAt(data, level) {
  return data.areComponents && data.hasAllPairs ? components(data, level) : stars(data, level);
}

/** How many of those for which there is no room have at least the similarity `level`. */
function leftOutNear({leftOut}, level) {
  return leftOut.nearBySimilarity.slice(Math.ceil(level / 100)).reduce((sum, count) => sum + count, 0);
}

function clusterSizes(kept) {
  const sizes = new Uint32Array(kept.length);
  for (const document of kept) ++sizes[document];
  return sizes;
}

/**
 * Returns what `kept` means in figures: {removed, exact, near, bytes, clusters, largest, bySource}, those of which there was
 * no room included, by their similarity to the document kept for them.
 */
export function figuresOf(data, kept, level) {
  const {leftOut} = data;
  const figures = {exact: leftOut.exact, near: leftOutNear(data, level), bytes: 0, clusters: leftOut.clusters,
    largest: leftOut.largest, bySource: new Uint32Array(data.sources.length)};
  for (let i = 0; i < kept.length; ++i) {
    if (kept[i] === i) continue;
    if (data.sameAs[i] === kept[i]) ++figures.exact;
    else ++figures.near;
    figures.bytes += data.bytes[i];
    if (data.source[i] >= 0) ++figures.bySource[data.source[i]];
  }
  for (const size of clusterSizes(kept)) {
    figures.clusters += size > 1;
    figures.largest = Math.max(figures.largest, size > 1 ? size : 0);
  }
  figures.removed = figures.exact + figures.near;
  return figures;
}

/** Returns how similar each removed document is to `kept`, of kWhole; equal texts are kWhole, and -1 where it is not known. */
export function similarityToKept(data, kept) {
  const result = new Int32Array(kept.length).fill(10000);
  for (let i = 0; i < kept.length; ++i) {
    const own = data.sameAs[i];
    if (kept[i] === own) continue;
    const pair = pairOf(data, kept[i], own);
    result[i] = pair < 0 ? -1 : data.similarity[pair];
  }
  return result;
}

/** Returns the number of the pair of two documents; -1 where there is none. */
export function pairOf({first, better}, a, b) {
  for (let low = first[b], high = first[b + 1]; low < high;) {
    const middle = (low + high) >> 1;
    if (better[middle] === a) return middle;
    if (better[middle] < a) low = middle + 1;
    else high = middle;
  }
  return -1;
}

/** Returns the clusters of two and more, the largest first: [{kept, members}], members in the order of preference. */
export function clustersOf(kept) {
  const members = new Map();
  for (let i = 0; i < kept.length; ++i) {
    if (kept[i] === i) continue;
    if (!members.has(kept[i])) members.set(kept[i], []);
    members.get(kept[i]).push(i);
  }
  return [...members].map(([document, removed]) => ({kept: document, members: removed}))
      .sort((a, b) => b.members.length - a.members.length || a.kept - b.kept);
}

/** Returns how many near-duplicates each hundredth of similarity from `step` on has. */
export function histogram(data, kept, similarity, step) {
  const counts = new Array(101 - step).fill(0);
  for (let i = 0; i < kept.length; ++i) {
    if (kept[i] === i || data.sameAs[i] === kept[i] || similarity[i] < 0) continue;
    ++counts[Math.max(0, Math.floor(similarity[i] / 100) - step)];
  }
  data.leftOut.nearBySimilarity.forEach((count, i) => {
    counts[Math.max(0, i - step)] += count;
  });
  return counts;
}
