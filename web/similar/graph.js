// The groups as a graph: a file is a dot, a pair a line. They stay where they are when the threshold moves; lines go, colours tell
// the groups that are left.
import {count, counted} from '../src/format.js';
import {fill, h} from '../src/dom.js';
import {Circles} from '../report/circles.js';
import {colour} from '../report/colours.js';
import {shareWords} from './data.js';
import {groupColours, nameOf, pairWords} from './words.js';

const kMostListed = 40;
const kStrengths = 5;   // of lines
const kMostNamed = 40;  // files in sight that have their names beside them

/** The name without its folders. */
const lastOf = (name) => name.slice(name.lastIndexOf('/', name.length - 2) + 1);

export class FileGraph extends Circles {
  /** `pairs`: the most similar first; `onPair` gets the number of a pair, `onChoice` is called when a group was chosen. */
  constructor(data, {layout, total}, pairs, tip, {onPair, onChoice}) {
    super(layout);
    Object.assign(this, {data, tip, onPair, onChoice, total, file: null});
    this.nodes = new Map(this.layout.clusters.flatMap(({nodes}) => nodes.map((node) => [node.file, node])));
    this.pairsOf = this.layout.clusters.map(() => []);
    const clusterOf = new Map(this.layout.clusters.flatMap(({members}, i) => members.map((file) => [file, i])));
    for (const p of pairs) if (!data.isCopy[data.b[p]] && !data.isCopy[data.a[p]]) this.pairsOf[clusterOf.get(data.a[p])]?.push(p);
    this.where = h('output', {class: 'x-where'});
    this.head = h('p', {class: 's-head'});
    this.list = h('ol', {class: 'x-members'});
    this.element = h('div', {class: 'x-graph'}, h('div', {class: 'x-canvas'}, this.canvas, this.legend()),
        h('div', {class: 'x-side'}, this.chooser(), this.head, this.list));
  }

  legend() {
    const {data} = this;
    return h('p', {class: 'legend x-legend'}, h('span', {class: 's-file'}, 'file, coloured by its group'), h('span', {class: 's-alone'}, 'in no pair now'),
        data.hasReferences ? h('span', {class: 's-reference'}, 'reference') : null);
  }

  chooser() {
    const step = (by, label, sign) => h('button', {type: 'button', class: 'x-small', 'aria-label': label, on: {click: () => this.step(by)}}, sign);
    return h('div', {class: 'x-chooser'}, step(-1, 'Group before', '‹'), this.where, step(1, 'Next group', '›'), this.near);
  }

  /** What is drawn, and what is not. */
  caption() {
    const {clusters} = this.layout;
    const words = clusters.length === this.total ? (this.total === 1 ? 'The one group' : `All ${count(this.total)} groups`)
      : `The ${count(clusters.length)} largest of ${count(this.total)} groups`;
    const copies = this.data.isCopy.includes(1) ? ' Copies are not drawn: the file that they equal stands for them.' : '';
    const files = clusters.reduce((sum, {members}) => sum + members.length, 0);
    const thinned = this.nodes.size < files ? ` Of the largest not every file is drawn: ${count(this.nodes.size)} of ${count(files)}.` : '';
    return `${words} at the lowest threshold. A line is a pair, the stronger the more similar; move the threshold and watch them come apart. ` +
        `Click a group to choose it, then a file or a line.${copies}${thinned}`;
  }

  /** `now`: {level, groupOf, colourOf} */
  update(now) {
    this.now = now;
    this.draw();
    this.describe();
  }

  choose(number) {
    if (number !== this.chosen) this.file = null;
    super.choose(number);
    this.onChoice();
  }

  showAll() {
    this.file = null;
    this.choose(this.chosen);
  }

  /** A file of the chosen group that is in a pair now; any, where none is. */
  fileOfChoice() {
    const {nodes} = this.layout.clusters[this.chosen];
    return (nodes.find(({file}) => this.now.groupOf[file] >= 0) ?? nodes[0]).file;
  }

  paint(context) {
    this.colours = groupColours();
    this.drawPairs(context);
    this.drawFiles(context);
    this.drawNames(context);
  }

  // Lines of one colour and strength at once: a stroke for each would take longer than all else.
  drawPairs(context) {
    const {data, now, nodes} = this;
    const strokes = Array.from({length: this.colours.length * kStrengths}, () => new Path2D());
    for (const {edges} of this.layout.clusters) {
      for (const p of edges) {
        if (data.similarity[p] < now.level) break;  // they come the most similar first
        const [a, b] = [nodes.get(data.a[p]), nodes.get(data.b[p])];
        const strength = Math.min(kStrengths - 1, Math.floor(data.similarity[p] / 10000 * kStrengths));
        const path = strokes[now.colourOf[data.a[p]] % this.colours.length * kStrengths + strength];
        path.moveTo(a.x, a.y);
        path.lineTo(b.x, b.y);
      }
    }
    context.lineWidth = Math.min(0.4, 1.6 / this.place.scale);
    strokes.forEach((path, i) => {
      context.strokeStyle = this.colours[Math.floor(i / kStrengths)];
      context.globalAlpha = 0.15 + 0.55 * ((i % kStrengths + 1) / kStrengths) ** 2;
      context.stroke(path);
    });
    context.globalAlpha = 1;
  }

  drawFiles(context) {
    const {data, now, place: {scale}} = this;
    const [ink, alone, paper] = [colour('--ink'), colour('--rejected'), colour('--paper')];
    for (const [file, {x, y}] of this.nodes) {
      const isAlone = now.groupOf[file] < 0;
      const r = Math.max(1.5 / scale, Math.min(0.7, 9 / scale));
      context.beginPath();
      if (data.isReference[file]) context.rect(x - r, y - r, 2 * r, 2 * r);
      else context.arc(x, y, r, 0, 2 * Math.PI);
      context.fillStyle = isAlone ? paper : this.colours[now.colourOf[file] % this.colours.length];
      context.fill();
      context.strokeStyle = file === this.file ? ink : alone;
      context.lineWidth = (file === this.file ? 3 : 1) / scale;
      if (isAlone || file === this.file) context.stroke();
    }
  }

  drawNames(context) {
    const {scale, size, x: left, y: top} = this.place;
    const seen = [...this.nodes].filter(([, {x, y}]) => {
      const [across, down] = [left + x * scale, top + y * scale];
      return across > 0 && down > 0 && across < size && down < size;
    });
    if (seen.length > kMostNamed) return;
    context.save();
    context.setTransform(this.place.ratio, 0, 0, this.place.ratio, 0, 0);
    context.font = '11.5px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'top';
    context.lineWidth = 3;
    context.strokeStyle = colour('--tint');
    context.fillStyle = colour('--ink');
    const taken = [];
    for (const [file, node] of seen) {
      const name = lastOf(this.data.ids[file]);
      const shown = name.length > 26 ? `${name.slice(0, 12)}…${name.slice(-12)}` : name;
      const half = context.measureText(shown).width / 2;
      const at = [Math.min(Math.max(half + 2, left + node.x * scale), size - half - 2), Math.min(top + node.y * scale + 11, size - 14)];
      if (taken.some(([x, y, width]) => Math.abs(x - at[0]) < half + width && Math.abs(y - at[1]) < 13)) continue;  // it can be hovered
      taken.push([...at, half]);
      context.strokeText(shown, ...at);
      context.fillText(shown, ...at);
    }
    context.restore();
  }

  // The pair whose line is at a point, if any.
  pairAt({number, x, y}) {
    const near = 5 / this.place.scale;
    return this.layout.clusters[number].edges.find((p) => {
      if (this.data.similarity[p] < this.now.level) return false;
      const [a, b] = [this.nodes.get(this.data.a[p]), this.nodes.get(this.data.b[p])];
      const [dx, dy] = [b.x - a.x, b.y - a.y];
      const along = Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / Math.max(1e-9, dx * dx + dy * dy)));
      return Math.hypot(x - a.x - along * dx, y - a.y - along * dy) <= near;
    });
  }

  hover(found, event) {
    this.canvas.style.cursor = found ? 'pointer' : '';
    const pair = found && !found.node ? this.pairAt(found) : undefined;
    if (found?.node) this.tip.show(event, h('p', {}, nameOf(this.data, found.node.file)));
    else if (pair !== undefined) this.tip.show(event, pairWords(this.data, pair));
    else this.tip.hide();
  }

  // The first click on a group chooses it; then one on a file lists its pairs, one on a line opens its pair.
  click(event) {
    const found = this.at(event);
    if (!found) return this.isNear ? this.zoom(false) : undefined;
    const isAgain = found.number === this.chosen;
    this.file = found.node?.file ?? null;
    const pair = isAgain && !found.node ? this.pairAt(found) : undefined;
    super.choose(found.number);
    this.onChoice();
    if (pair !== undefined) this.onPair(pair);
  }

  // The pairs of the chosen group, or file, the most similar first.
  describe() {
    const {data, now, layout: {clusters}} = this;
    this.where.textContent = `Group ${count(this.chosen + 1)} of ${count(clusters.length)}${clusters.length < this.total ? ' drawn' : ''}`;
    const pairs = this.pairsOf[this.chosen].filter((p) => data.similarity[p] >= now.level &&
      (this.file === null || data.a[p] === this.file || data.b[p] === this.file));
    const files = counted(clusters[this.chosen].members.length, 'file');
    this.canvas.setAttribute('aria-label', `${counted(this.total, 'group')} as a graph. Chosen: group ${this.chosen + 1} of ${files}, ` +
        `${counted(pairs.length, 'pair')} at this threshold. The list beside it names them.`);
    const head = this.file === null ? `${files}, ${counted(pairs.length, 'pair')} at this threshold`
      : [counted(pairs.length, 'pair'), ' of ', nameOf(data, this.file), ' ',
        h('button', {type: 'button', class: 'x-small', on: {click: () => this.showAll()}}, 'All')];
    fill(this.head, head);
    const listed = `${pairs.length}: ${pairs.slice(0, kMostListed)}`;
    if (listed === this.listed) return;
    this.listed = listed;
    fill(this.list, pairs.slice(0, kMostListed).map((p) => this.entry(p)),
        pairs.length > kMostListed ? h('li', {class: 'x-more'}, `and ${count(pairs.length - kMostListed)} more, less similar`) : null);
  }

  entry(pair) {
    const {data} = this;
    return h('li', {}, h('span', {class: 'x-figure'}, shareWords(data.similarity[pair])),
        h('div', {}, h('button', {type: 'button', class: 'x-link', on: {click: () => this.onPair(pair)}}, nameOf(data, data.a[pair])),
            h('small', {}, nameOf(data, data.b[pair]))));
  }
}
