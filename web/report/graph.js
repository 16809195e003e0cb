// The clusters of the run as a graph, redrawn for a threshold: who is tied to whom, who comes back.
import {count, counted} from '../src/format.js';
import {fill, h} from '../src/dom.js';
import {Circles} from './circles.js';
import {colour} from './colours.js';
import {layOut} from './layout.js';
import {idOf, similarityWords, sourceOf} from './words.js';

const kMostListed = 40;

/** What becomes of a document, in a word. */
export function stateOf(data, {ofRun, kept}, document) {
  if (data.source[document] < 0) return 'reference';
  const isKept = kept[document] === document;
  const wasKept = ofRun.kept[document] === document;
  if (isKept) return wasKept ? 'kept' : 'back';
  if (wasKept) return 'gone';
  return data.sameAs[document] === kept[document] ? 'exact' : 'near';
}

export const stateWords = {
  kept: 'kept', back: 'comes back', gone: 'removed now', near: 'removed', exact: 'removed, equal text', reference: 'only read',
};

export class Graph extends Circles {
  /** `clusters`: of the run; `onPair` gets the number of a removed document that is to be looked at. */
  constructor(data, clusters, similarity, onPair) {
    super(layOut(clusters, similarity));
    Object.assign(this, {data, similarity, onPair, total: clusters.length});
    this.where = h('output', {class: 'x-where'});
    this.list = h('ol', {class: 'x-members'});
    this.element = h('div', {class: 'x-graph'},
        h('div', {class: 'x-canvas'}, this.canvas, this.legend()),
        h('div', {class: 'x-side'}, this.chooser(), this.list));
  }

  legend() {
    const entry = (kind, words) => h('span', {class: kind}, words);
    return h('p', {class: 'legend x-legend'}, entry('kept', 'kept'), entry('near', 'removed'), entry('exact', 'equal text'),
        entry('back', 'comes back'), this.data.hasAllPairs ? entry('gone', 'removed now') : null,
        this.data.source.some((source) => source < 0) ? entry('rejected', 'reference') : null);
  }

  chooser() {
    const step = (by, label, sign) => h('button', {type: 'button', class: 'x-small', 'aria-label': label, on: {click: () => this.step(by)}}, sign);
    return h('div', {class: 'x-chooser'}, step(-1, 'Cluster before', '‹'), this.where, step(1, 'Next cluster', '›'), this.near);
  }

  /** What is drawn, and what is not. */
  caption() {
    const drawn = this.layout.clusters;
    const documents = drawn.reduce((sum, {nodes}) => sum + nodes.length, 0);
    const all = drawn.reduce((sum, {members}) => sum + members.length + 1, 0);
    const words = drawn.length === this.total ? (this.total === 1 ? 'The one cluster' : `All ${count(this.total)} clusters`)
      : `The ${count(drawn.length)} largest of ${count(this.total)} clusters`;
    const thinned = documents < all ? ` Of the largest, not every document is drawn: ${count(documents)} of ${count(all)}.` : '';
    return `${words} of the run. The kept document is in the middle, the more similar a removed one the nearer it stands; ` +
        `a line leads to the document that is kept for it.${thinned}`;
  }

  /** `now`: {ofRun: {kept}, kept} */
  update(now) {
    this.now = now;
    this.draw();
    this.describe();
  }

  paint(context) {
    this.drawLines(context);
    this.drawDocuments(context);
  }

  drawLines(context) {
    const {kept} = this.now;
    const places = this.places ??= new Map(this.layout.clusters.flatMap(({nodes}) => nodes.map((node) => [node.document, node])));
    context.strokeStyle = colour('--soft');
    context.globalAlpha = 0.45;
    context.lineWidth = Math.min(0.3, 1.2 / this.place.scale);
    context.beginPath();
    for (const [document, node] of places) {
      const other = kept[document] === document ? null : places.get(kept[document]);
      if (!other) continue;
      context.moveTo(other.x, other.y);
      context.lineTo(node.x, node.y);
    }
    context.stroke();
    context.globalAlpha = 1;
  }

  drawDocuments(context) {
    const names = {kept: '--kept', reference: '--rejected', back: '--kept', gone: '--del-ink', near: '--near', exact: '--exact'};
    const colours = Object.fromEntries(Object.entries(names).map(([state, name]) => [state, colour(name)]));
    const paper = colour('--paper');
    const least = 1.3 / this.place.scale;
    for (const {nodes} of this.layout.clusters) {
      nodes.forEach(({document, x, y}) => {
        const state = stateOf(this.data, this.now, document);
        context.beginPath();
        context.arc(x, y, Math.max(least, state === 'kept' || state === 'reference' ? 0.85 : 0.6), 0, 2 * Math.PI);
        context.fillStyle = state === 'back' ? paper : colours[state];
        context.fill();
        if (state !== 'back') return;
        context.strokeStyle = colours.back;
        context.lineWidth = Math.max(0.28, 1 / this.place.scale);
        context.stroke();
      });
    }
  }

  hover(found) {
    this.canvas.style.cursor = found ? 'pointer' : '';
    const document = found?.node?.document;
    this.canvas.title = document === undefined ? ''
      : `${this.data.ids[document]}: ${stateWords[stateOf(this.data, this.now, document)]}`;
  }

  // The first click on a cluster chooses it; one on a removed document of the chosen one shows the pair.
  click(event) {
    const found = this.at(event);
    if (!found) return this.isNear ? this.zoom(false) : undefined;
    const isAgain = found.number === this.chosen;
    this.choose(found.number);
    const document = found.node?.document;
    if (isAgain && document !== undefined && this.now.ofRun.kept[document] !== document) this.onPair(document);
  }

  // The chosen cluster in words.
  describe() {
    const {data, layout: {clusters}, now} = this;
    const {kept, members} = clusters[this.chosen];
    const back = members.filter((document) => now.kept[document] === document).length;
    this.where.textContent = clusters.length < this.total
      ? `Cluster ${count(this.chosen + 1)} of the ${count(clusters.length)} drawn` : `Cluster ${count(this.chosen + 1)} of ${count(this.total)}`;
    this.canvas.setAttribute('aria-label', `${counted(this.total, 'cluster')} as a graph. ` +
        `Chosen: cluster ${this.chosen + 1}, ${counted(members.length + 1, 'document')}, of which ${count(back)} come back at this threshold. The list beside it names them.`);
    const sorted = [...members].sort((a, b) => this.similarity[a] - this.similarity[b] || a - b);
    fill(this.list, this.entry(kept, null), sorted.slice(0, kMostListed).map((document) => this.entry(document, this.similarity[document])),
        sorted.length > kMostListed ? h('li', {class: 'x-more'}, `and ${count(sorted.length - kMostListed)} more, more similar`) : null);
  }

  entry(document, similarity) {
    const state = stateOf(this.data, this.now, document);
    const name = similarity === null ? idOf(this.data, document)
      : h('button', {type: 'button', class: 'x-link', on: {click: () => this.onPair(document)}}, idOf(this.data, document));
    return h('li', {class: state}, h('span', {class: 'x-figure'}, similarity === null ? '' : similarityWords(similarity)),
        h('div', {}, name, h('small', {}, `${stateWords[state]} · `, h('bdi', {}, sourceOf(this.data, document)))));
  }
}
