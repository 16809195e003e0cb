// The page of similar files: which pairs, groups and files are left from a threshold on.
import {count, counted} from '../src/format.js';
import {fill, h} from '../src/dom.js';
import {onColours} from '../report/colours.js';
import {lowestStep} from '../report/data.js';
import {Histogram} from '../report/histogram.js';
import {onceAFrame, whenQuiet} from '../report/words.js';
import {FileComparison} from './comparison.js';
import {countsAt, histogram, unpack} from './data.js';
import {FileGraph} from './graph.js';
import {bySimilarity, groupsAt, linkage} from './groups.js';
import {Matrix} from './matrix.js';
import {FilePairs} from './pairs.js';
import {layOut} from './place.js';
import {Tip} from './tip.js';

const place = document.getElementById('similar');

function tiles(element, data, {level, groups}) {
  const {similar, equal} = countsAt(data, level);
  const files = groups.reduce((sum, {size}) => sum + size, 0);
  const tile = (kind, label, value, detail) => h('div', {class: `tile ${kind}`}, h('dt', {}, label), h('dd', {}, count(value), h('small', {}, detail)));
  fill(element, tile('near', 'Similar pairs', similar, 'at this threshold'), tile('exact', 'Equal files', equal, 'at any threshold'),
      tile('kept', 'Groups', groups.length, 'that pairs connect'), tile('', 'Files in groups', files, `of ${count(data.ids.length)}`),
      tile('', 'Largest group', groups.length > 0 ? groups[0].size : 0, 'files'));
  return `${counted(similar, 'similar pair')}, ${counted(groups.length, 'group')}`;
}

function leftOutWords(data) {
  const similar = data.leftOut.reduce((sum, pairs) => sum + pairs, 0);
  if (similar + data.leftOutEqual === 0) return null;
  return h('p', {class: 'x-note'}, `Left out of the page for their number: ${counted(similar, 'pair')} of similar files, the least similar ones, and ` +
      `${count(data.leftOutEqual)} of equal files. The counts of pairs and the histogram have them all; groups, matrix, graph and table are of the others.`);
}

function heading(words, caption) {
  return [h('h3', {}, words), h('p', {class: 'x-caption'}, caption)];
}

function begin(data) {
  let texts = null;
  const readTexts = () => texts ??= JSON.parse(document.getElementById('similar-texts').textContent);
  const lowest = lowestStep(data);
  const pairs = bySimilarity(data);
  const linked = linkage(data, pairs);
  const all = groupsAt(linked, 0);
  let now = {level: 0, group: 0, ...all};
  const comparison = new FileComparison(data, readTexts);
  const tip = new Tip();
  const openPair = (pair) => {
    tip.hide();
    const number = table.rows.indexOf(pair);
    comparison.show(number < 0 ? [pair] : table.rows, Math.max(0, number));
  };
  const table = new FilePairs(data, now, (rows, number) => comparison.show(rows, number));
  const matrix = new Matrix(data, linked, tip, openPair);
  const choice = () => graph ? now.groupOf[graph.fileOfChoice()] : 0;
  const onChoice = () => {
    now.group = choice();
    matrix.update(now);
    table.regroup();
  };
  const places = layOut(data, linked, all, pairs);
  const graph = places.total > 0 ? new FileGraph(data, places, pairs, tip, {onPair: openPair, onChoice}) : null;
  const figures = h('dl', {class: 'tiles x-tiles'});
  const status = h('p', {class: 'x-hidden', role: 'status'});
  const announce = whenQuiet((said) => { status.textContent = said; }, 500);

  const show = (step) => {
    const level = step <= lowest ? 0 : step * 100;
    now = {level, group: 0, ...groupsAt(linked, level)};
    const said = tiles(figures, data, now);
    graph?.update(now);
    now.group = choice();
    matrix.update(now);
    table.update(now);
    bars.say(said);
    if (step !== lowest) announce(`At ${(step / 100).toFixed(2)}: ${said}`);
  };
  const bars = new Histogram(histogram(data, lowest), lowest, onceAFrame(show),
      {noun: 'pair', title: 'Pairs of similar files by their similarity'});

  fill(place, h('p', {}, `The search listed pairs from ${(lowest / 100).toFixed(2)} on. Move the threshold up to keep the more similar ones only: ` +
      'matrix, graph and table follow, and large groups come apart. Equal files stay.'),
  data.folder ? h('p', {class: 'x-note'}, 'All names are in ', h('code', {dir: 'auto'}, data.folder), '.') : null,
  leftOutWords(data), bars.element, figures,
  heading('Matrix', 'The stronger the colour of a cell, the more of a file is in another one. Rows and columns have one order, in which groups stand together. A click opens the pair.'), matrix.element,
  graph ? [heading('Groups', graph.caption()), graph.element] : null,
  heading('Pairs', 'The most similar first. A pair opens side by side, its passages marked.'), table.element,
  comparison.dialog, tip.element, status);
  graph?.resized();
  matrix.resized();
  show(lowest);
  bars.draw();
  const redraw = onceAFrame(() => {
    bars.draw();
    graph?.resized();
    matrix.resized();
  });
  let width = place.clientWidth;
  new ResizeObserver(() => {
    if (place.clientWidth !== width) redraw(width = place.clientWidth);
  }).observe(place);
  onColours(redraw);
}

if (place) begin(unpack(JSON.parse(document.getElementById('similar-data').textContent)));
