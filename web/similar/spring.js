// Where the files of one group stand: by springs around their own middle. Always the same for the same pairs.
import {onSpiral} from '../report/spiral.js';

const kSpread = 2.6;     // between files
const kMargin = 2;       // around a group
const kRounds = 70;
const kGravity = 0.15;   // towards the middle: a long chain does not take all the room

/**
 * Moves `nodes` so that all push each other away and pairs pull, `edges`: [[i, j, weight]]. A file pulls the less at each of its
 * pairs the more it has, so that a group takes a room of about its number, be it a star or all with all.
 */
export function spring(nodes, edges) {
  const degree = new Uint32Array(nodes.length);
  edges.forEach(([i, j]) => { ++degree[i]; ++degree[j]; });
  for (let round = 0; round < kRounds; ++round) {
    const most = kSpread * Math.sqrt(nodes.length) * 0.25 * (1 - round / kRounds) + 0.02;
    const pushes = nodes.map(({x, y}) => ({x: -kGravity * x, y: -kGravity * y}));
    const push = (i, j, strength) => {
      const [dx, dy] = [nodes[i].x - nodes[j].x, nodes[i].y - nodes[j].y];
      const by = strength(Math.max(0.0001, dx * dx + dy * dy));
      pushes[i].x += dx * by;
      pushes[i].y += dy * by;
      pushes[j].x -= dx * by;
      pushes[j].y -= dy * by;
    };
    for (let i = 0; i < nodes.length; ++i) for (let j = 0; j < i; ++j) push(i, j, (square) => kSpread * kSpread / square);
    edges.forEach(([i, j, weight]) => push(i, j, () => -weight / Math.min(degree[i], degree[j])));
    nodes.forEach((node, i) => {
      const {x, y} = pushes[i];
      const length = Math.max(0.0001, Math.hypot(x, y));
      node.x += x / length * Math.min(length, most);
      node.y += y / length * Math.min(length, most);
    });
  }
  centre(nodes);
}

function centre(nodes) {
  const middle = (axis) => (Math.min(...nodes.map((node) => node[axis])) + Math.max(...nodes.map((node) => node[axis]))) / 2;
  const [x, y] = [middle('x'), middle('y')];
  nodes.forEach((node) => {
    node.x -= x;
    node.y -= y;
  });
}

/**
 * Returns {nodes: [{file, x, y}], edges, r}: `files` around (0, 0) in a circle of radius r. `edgesOf`: [[pair, a, b, weight]]; edges
 * are the pairs of those between two of the files.
 */
export function placed(files, edgesOf) {
  const index = new Map(files.map((file, i) => [file, i]));
  const nodes = files.map((file, i) => ({file, ...onSpiral(i, kSpread * 0.6 * Math.sqrt(i + 0.5))}));
  const edges = edgesOf.filter(([, a, b]) => index.has(a) && index.has(b));
  spring(nodes, edges.map(([, a, b, weight]) => [index.get(a), index.get(b), weight]));
  return {nodes, edges: edges.map(([pair]) => pair), r: Math.max(...nodes.map(({x, y}) => Math.hypot(x, y))) + kMargin};
}
