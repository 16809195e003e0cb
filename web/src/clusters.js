// Kept documents with those that repeat them, a page at a time.
import {request, withQuery} from './api.js';
import {announce, fill, h, idLink, loading, nothing} from './dom.js';
import {count, counted, similarity} from './format.js';
import {attempt} from './problem.js';
import {stepwise} from './results.js';

const kPage = 25;
const kFirstMembers = 8;

function member(duplicate) {
  const exact = duplicate.verdict === 'exact';
  return h('li', {}, idLink(duplicate.id), h('span', {class: `badge ${duplicate.verdict}`}, exact ? 'equal text' : duplicate.verdict),
      exact ? null : h('span', {class: 'soft num'}, `similarity ${similarity(duplicate.similarity)}, distance ${duplicate.distance}`));
}

/** Returns the list of the duplicates of a cluster. */
export function memberList(cluster) {
  return [stepwise(h('ul', {class: 'members'}), cluster.duplicates, member, kFirstMembers),
    cluster.truncated ? h('p', {class: 'soft'}, `The first ${count(cluster.duplicates.length)} of ${count(cluster.size - 1)} are shown.`) : null];
}

function clusterItem(cluster) {
  return h('li', {},
      h('p', {class: 'size'}, h('b', {}, count(cluster.size)), ' documents'),
      h('div', {}, h('p', {class: 'kept-id'}, h('span', {}, 'kept'), idLink(cluster.kept)), memberList(cluster)));
}

class Pages {
  constructor(place, signal) {
    this.place = place;
    this.signal = signal;
    this.cursors = [null];  // of the pages up to this one
  }

  async load(focus = false) {
    fill(this.place, loading('Loading clusters'));
    await attempt(this.place, async () => {
      const after = this.cursors.at(-1);
      this.show(await request('GET', withQuery('/v1/clusters', {limit: kPage, after}), undefined, this.signal), focus);
    }, () => this.load(focus));
  }

  turn(next) {
    if (next === null) this.cursors.pop();
    else this.cursors.push(next);
    this.load(true);
  }

  show(page, focus) {
    const number = this.cursors.length;
    const head = h('h2', {tabindex: '-1'}, `Page ${count(number)}: ${counted(page.clusters.length, 'cluster')}`);
    fill(this.place, number > 1 || page.next || page.clusters.length > 0 ? head : null,
        page.clusters.length > 0 ? h('ul', {class: 'clusters'}, page.clusters.map(clusterItem)) : this.empty(page),
        h('div', {class: 'row'},
            number > 1 ? h('button', {type: 'button', on: {click: () => this.turn(null)}}, 'Previous page') : null,
            page.next ? h('button', {type: 'button', on: {click: () => this.turn(page.next)}}, 'Next page') : null));
    announce(`Page ${number}: ${counted(page.clusters.length, 'cluster')}.`);
    if (focus) head.focus();
  }

  empty(page) {
    if (page.next) return nothing('None on this page', 'These documents have no duplicates; the next page looks at later ones.');
    if (this.cursors.length > 1) return nothing('No more clusters');
    return nothing('No clusters yet', 'A cluster is a kept document with those that repeat it. Insert a text twice to see one.');
  }
}

/** Returns the view. */
export function clustersView(signal) {
  const place = h('div', {});
  new Pages(place, signal).load();
  return h('div', {}, h('section', {}, h('h1', {tabindex: '-1'}, 'Clusters'),
      h('p', {class: 'lead'}, 'Kept documents that have duplicates, in the order of their arrival.'), place));
}
