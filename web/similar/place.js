// Where files stand in the graph: each group by springs around its own middle, the groups packed beside each other. Always the
// same for the same pairs, and for every threshold.
import {packed} from '../report/layout.js';
import {placed} from './spring.js';

const kMostOfOne = 200;  // files that are drawn of a group
const kMostDrawn = 1500;

/** Files of a group that are drawn: those of the most similar pairs first. */
function drawnOf(members, firstPair) {
  return members.length <= kMostOfOne ? members : [...members].sort((a, b) => firstPair[a] - firstPair[b]).slice(0, kMostOfOne);
}

/**
 * Returns {layout, total}: of all groups with two files that are no copies, how many there are, and {clusters, bounds} (layout.js)
 * of the largest for which there is room; each {members, nodes: [{file, x, y}], edges: pairs of these}. Copies are left out.
 * `pairs`: the most similar first.
 */
export function layOut(data, {order}, {groups, groupOf}, pairs) {
  const edges = groups.map(() => []);
  const firstPair = new Uint32Array(data.ids.length).fill(0xffffffff);
  pairs.forEach((p, i) => {
    const [a, b] = [data.a[p], data.b[p]];
    if (data.isCopy[a] || data.isCopy[b]) return;
    edges[groupOf[a]].push([p, a, b, data.similarity[p] / 10000]);
    firstPair[a] = Math.min(firstPair[a], i);
    firstPair[b] = Math.min(firstPair[b], i);
  });
  const all = groups.map(({first, size}, g) => ({edges: edges[g], members: [...order.slice(first, first + size)].filter((file) => !data.isCopy[file])}))
      .filter(({members}) => members.length > 1).sort((x, y) => y.members.length - x.members.length);
  const shown = [];
  let count = 0;
  for (const {members, edges} of all) {
    count += Math.min(members.length, kMostOfOne);
    if (count > kMostDrawn && shown.length > 0) break;
    shown.push({members, ...placed(drawnOf(members, firstPair), edges)});
  }
  return {layout: packed(shown), total: all.length};
}
