// Groups of files that pairs connect, at any threshold: the pairs are joined once, the most similar first (single linkage), which
// puts the files into an order in which each group of each threshold stands together.

/** Returns the numbers of the pairs, the most similar first. */
export function bySimilarity(data) {
  return Uint32Array.from(data.similarity.keys()).sort((p, q) => data.similarity[q] - data.similarity[p] || p - q);
}

/**
 * Returns {order, rank, height}: order[i] is a file, rank its place there; height[i] is the similarity from which on downwards
 * order[i - 1] and order[i] are in one group, -1 where they never are. The largest groups come first.
 */
export function linkage(data, pairs = bySimilarity(data)) {
  const count = data.ids.length;
  const parent = Uint32Array.from({length: count}, (_, i) => i);
  const tail = parent.slice();  // of each root: the last file of its chain
  const size = new Uint32Array(count).fill(1);
  const next = new Int32Array(count).fill(-1);
  const joined = new Int32Array(count).fill(-1);  // of each file: the similarity at which next[] came
  const rootOf = (i) => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]];
    return i;
  };
  const head = parent.slice();
  for (const p of pairs) {
    let [a, b] = [rootOf(data.a[p]), rootOf(data.b[p])];
    if (a === b) continue;
    if (size[a] < size[b]) [a, b] = [b, a];
    next[tail[a]] = head[b];
    joined[tail[a]] = data.similarity[p];
    tail[a] = tail[b];
    size[a] += size[b];
    parent[b] = a;
  }
  const roots = [...parent.keys()].filter((i) => parent[i] === i).sort((a, b) => size[b] - size[a] || a - b);
  const order = new Uint32Array(count);
  const rank = new Uint32Array(count);
  const height = new Int32Array(count);
  let at = 0;
  for (const root of roots) {
    let similarity = -1;
    for (let file = head[root]; file >= 0; file = next[file]) {
      order[at] = file;
      rank[file] = at;
      height[at++] = similarity;
      similarity = joined[file];
    }
  }
  return {order, rank, height};
}

/**
 * Returns the groups of two and more files at the similarity `level`: {groups, groupOf, colourOf}. groups[g] is {first, size}, a
 * range of the order, the largest first; groupOf[file] its number, -1 for files without a pair; colourOf[file] a number that
 * a group keeps while it loses files.
 */
export function groupsAt({order, height}, level) {
  const groups = [];
  for (let first = 0, i = 1; i <= order.length; ++i) {
    if (i < order.length && height[i] >= level && height[i] >= 0) continue;
    if (i - first > 1) groups.push({first, size: i - first});
    first = i;
  }
  groups.sort((a, b) => b.size - a.size || a.first - b.first);
  const groupOf = new Int32Array(order.length).fill(-1);
  const colourOf = new Int32Array(order.length).fill(-1);
  groups.forEach(({first, size}, g) => {
    for (let i = first; i < first + size; ++i) {
      groupOf[order[i]] = g;
      colourOf[order[i]] = first;
    }
  });
  return {groups, groupOf, colourOf};
}
