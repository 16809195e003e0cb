// Where the documents of clusters stand: the kept one in the middle, the others around it, the most similar ones nearest; the
// circles of clusters packed by d3-hierarchy.
import {packEnclose, packSiblings} from 'd3-hierarchy';
import {onSpiral} from './spiral.js';

/** How many documents are drawn. */
export const kMostDrawn = 5000;
/** Of one cluster. */
const kMostOfOne = 250;

const kSpread = 1.7;  // between documents
const kMargin = 1.6;  // around a cluster

/** Every nth of `members`, so that at most `most` are left. */
function thinned(members, most) {
  if (members.length <= most) return members;
  return Array.from({length: most}, (_, i) => members[Math.floor(i * members.length / most)]);
}

function placed({kept, members}, similarity) {
  const shown = thinned([...members].sort((a, b) => similarity[b] - similarity[a] || a - b), kMostOfOne);
  const nodes = [{document: kept, x: 0, y: 0}, ...shown.map((document, i) => {
    const distance = kSpread * Math.sqrt(i + 1.2);
    return {document, ...onSpiral(i, distance)};
  })];
  return {kept, members, nodes, r: kSpread * Math.sqrt(shown.length + 1.2) + kMargin};
}

/**
 * Puts circles, each {r, nodes: [{x, y}]} with its nodes around its own middle, beside each other. Returns {clusters, bounds}: they
 * have x and y now, and bounds {x, y, r} holds all.
 */
export function packed(clusters) {
  packSiblings(clusters);
  for (const cluster of clusters) {
    for (const node of cluster.nodes) {
      node.x += cluster.x;
      node.y += cluster.y;
    }
  }
  return {clusters, bounds: packEnclose(clusters) ?? {x: 0, y: 0, r: 1}};
}

/**
 * Returns {clusters, bounds} of the first of `clusters` for which there is room: each {kept, members, nodes, x, y, r}, its
 * nodes {document, x, y} in the same units as the circle; bounds {x, y, r} holds all.
 */
export function layOut(clusters, similarity, mostDrawn = kMostDrawn) {
  const shown = [];
  let count = 0;
  for (const cluster of clusters) {
    count += 1 + Math.min(cluster.members.length, kMostOfOne);
    if (count > mostDrawn && shown.length > 0) break;
    shown.push(placed(cluster, similarity));
  }
  return packed(shown);
}
