// What a threshold does, in figures: of all documents, and of each source.
import {bytes, count} from '../src/format.js';
import {fill, h} from '../src/dom.js';
import {share} from './words.js';

const kMostSources = 12;

function change(now, before, words = (number) => count(number)) {
  if (now === before) return 'as in the run';
  return `${now > before ? '+' : '−'}${words(Math.abs(now - before))} against the run`;
}

/** The tiles: removed, kept, clusters, the largest of them, text. */
export class Figures {
  constructor(data, ofRun) {
    Object.assign(this, {data, ofRun});
    this.element = h('dl', {class: 'tiles x-tiles'});
  }

  update(figures) {
    const {data: {total}, ofRun} = this;
    const kept = total.read - total.rejected - figures.removed;
    const keptOfRun = total.read - total.rejected - ofRun.removed;
    const ofTexts = total.bytesRemoved - (ofRun.bytes - figures.bytes);  // of what was left out, too
    const tile = (kind, label, value, detail) =>
      h('div', {class: `tile ${kind}`}, h('dt', {}, label), h('dd', {}, value, h('small', {}, detail)));
    fill(this.element,
        tile('near', 'Removed', count(figures.removed), change(figures.removed, ofRun.removed)),
        tile('kept', 'Kept', count(kept), change(kept, keptOfRun)),
        tile('', 'Clusters', count(figures.clusters), change(figures.clusters, ofRun.clusters)),
        tile('', 'Largest cluster', figures.largest === 0 ? '–' : count(figures.largest), change(figures.largest, ofRun.largest)),
        tile('', 'Text removed', bytes(ofTexts), change(figures.bytes, ofRun.bytes, bytes)));
  }
}

function splitBar(read, parts) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  for (const [name, value] of [['class', 'split'], ['width', '100%'], ['height', 8], ['aria-hidden', 'true']]) svg.setAttribute(name, value);
  let at = 0;
  for (const [kind, number] of parts) {
    const rect = document.createElementNS(space, 'rect');
    const width = read === 0 ? 0 : 100 * number / read;
    const values = {class: kind, x: `${at}%`, width: `${width}%`, height: 8};
    Object.entries(values).forEach(([name, value]) => rect.setAttribute(name, value));
    svg.append(rect);
    at += width;
  }
  return svg;
}

/** What each source loses, at the threshold and in the run. */
export class Sources {
  constructor(data) {
    this.data = data;
    this.body = h('tbody');
    const head = ['Source', 'Removed', 'In the run', 'Come back'].map((title) => h('th', {scope: 'col'}, title));
    this.element = h('table', {class: 'tallies x-sources'}, h('thead', {}, h('tr', {}, head)), this.body);
  }

  update(figures, ofRun) {
    const {sources} = this.data;
    const rows = sources.slice(0, kMostSources).map((source, i) => {
      const removedInRun = source.near + source.exact;
      return this.row(source.name, source, removedInRun, removedInRun - (ofRun.bySource[i] - figures.bySource[i]));
    });
    fill(this.body, rows, sources.length > kMostSources ? this.rest(figures, ofRun) : null);
  }

  rest(figures, ofRun) {
    const sum = {name: '', read: 0, rejected: 0};
    let removedInRun = 0;
    let removed = 0;
    this.data.sources.slice(kMostSources).forEach((source, i) => {
      sum.read += source.read;
      sum.rejected += source.rejected;
      removedInRun += source.near + source.exact;
      removed += source.near + source.exact - (ofRun.bySource[kMostSources + i] - figures.bySource[kMostSources + i]);
    });
    return this.row(`and ${count(this.data.sources.length - kMostSources)} more sources`, sum, removedInRun, removed);
  }

  row(name, source, removedInRun, removed) {
    const back = removedInRun - removed;
    const cell = (label, ...words) => h('td', {data: {label}}, ...words);
    const parts = [['kept', source.read - source.rejected - removedInRun], ['undone', back], ['near', removed], ['rejected', source.rejected]];
    return h('tr', {},
        h('th', {scope: 'row'}, h('div', {}, h('code', {dir: 'auto'}, name), splitBar(source.read, parts))),
        cell('removed', `${count(removed)} `, h('small', {}, share(removed, source.read))),
        cell('in the run', `${count(removedInRun)} `, h('small', {}, share(removedInRun, source.read))),
        cell('come back', back === 0 ? '–' : count(back)));
  }
}
