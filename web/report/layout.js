// Where the documents of clusters stand: the kept one in the middle, the others around it, the most similar ones nearest; the
// circles of clusters packed by d3-hierarchy.
import {packEnclose, packSiblings} from 'd3-hierarchy';

/** How many documents are drawn. */
export const kMostDrawn = 5000;
/** Of one cluster. */
const kMostOfOne = 250;

const kGolden = Math.PI * (3 - Math.sqrt(5));
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
    return {document, x: distance * Math.cos(i * kGolden), y: distance * Math.sin(i * kGolden)};
  })];
  return {kept, members, nodes, r: kSpread * Math.sqrt(shown.length + 1.2) + kMargin};
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
  packSiblings(shown);
  for (const cluster of shown) {
    for (const node of cluster.nodes) {
      node.x += cluster.x;
      node.y += cluster.y;
    }
  }
  return {clusters: shown, bounds: packEnclose(shown) ?? {x: 0, y: 0, r: 1}};
}
