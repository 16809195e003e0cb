// The threshold of report.html: what would be removed if only pairs of more than a chosen similarity counted.
import {count, counted} from '../src/format.js';
import {fill, h} from '../src/dom.js';
import {clustersOf, figuresOf, histogram, keptAt, similarityToKept} from './clusters.js';
import {onColours} from './colours.js';
import {Comparison} from './comparison.js';
import {lowestStep, unpack} from './data.js';
import {Figures, Sources} from './figures.js';
import {Graph} from './graph.js';
import {Histogram} from './histogram.js';
import {Pairs} from './pairs.js';
import {onceAFrame, whenQuiet} from './words.js';

const place = document.getElementById('explore');

function introduction(data, lowest) {
  const from = `from the similarity ${(lowest / 100).toFixed(2)} on`;
  return [
    h('p', {}, `The run removed near-duplicates ${from}. Move the threshold up, and removals below it are unmade: those documents come back, ` +
        'and the clusters fall apart as the graph shows. Equal texts stay removed. Below the run\'s own threshold nothing is known, so the slider begins there.'),
    h('p', {class: 'x-note'}, exactness(data)),
  ];
}

function exactness(data) {
  if (data.hasAllPairs) {
    return 'Every verified pair is in this page, so clusters are decided anew at each threshold as a run would: a document that comes back may take in others.';
  }
  const cure = data.hasTooManyPairs ? 'The pairs that it listed (--pairs) are not here: they are too many for a page, or the run was stopped and went on.'
    : data.explain ? 'With --pairs the page knows all pairs, and is exact.' : '';
  return 'An estimate: the page knows how similar each removed document is to the one kept for it, and not to all others. ' +
      `Some that come back may repeat each other, so a run at that threshold may remove a few more. ${cure}`;
}

function leftOutWords({leftOut}) {
  if (leftOut.clusters === 0) return null;
  const documents = leftOut.kept + leftOut.exact + leftOut.near;
  return h('p', {class: 'x-note'}, `Left out of the page for their number: ${counted(leftOut.clusters, 'cluster')} of ${counted(documents, 'document')}, ` +
      `the largest of ${count(leftOut.largest)}. Removed and kept count them all, by their similarity to the document kept for them; how clusters, ` +
      'text and sources change, the graph and the pairs are those of the others.');
}

/** How to have it so: words and a command. */
function advice(data, step) {
  const threshold = (step / 100).toFixed(2);
  if (data.verify.startsWith('jaccard:')) {
    return ['To run with this threshold: ', h('code', {}, data.hasFiles ? `--verify jaccard:${threshold}` : `verify="jaccard:${threshold}"`)];
  }
  const none = `The rule ${data.verify} has no threshold to set. The documents that come back are `;
  return data.hasFiles ? [none, 'these: ', h('code', {}, `jq -c 'select(.similarity < ${threshold})' duplicates.jsonl`)]
    : [none, 'those in ', h('code', {}, 'result.duplicates'), ` with a similarity below ${threshold}.`];
}

function heading(words, ...more) {
  return [h('h3', {}, words), more.length > 0 ? h('p', {class: 'x-caption'}, ...more) : null];
}

function begin(data) {
  const lowest = lowestStep(data);
  const kept = keptAt(data, 0);
  const similarity = similarityToKept(data, kept);
  const ofRun = {kept, figures: figuresOf(data, kept, 0)};
  const comparison = new Comparison(data);
  const pairs = new Pairs(data, ofRun, similarity, (rows, number) => comparison.show(rows, number));
  const showPairOf = (document) => {
    const number = pairs.all.findIndex(({b, kind}) => b === document && kind !== 'other');
    comparison.show(pairs.all, number);
  };
  const clusters = clustersOf(kept);
  const graph = clusters.length > 0 ? new Graph(data, clusters, similarity, showPairOf) : null;
  const figures = new Figures(data, ofRun.figures);
  const sources = new Sources(data);
  const words = h('p', {class: 'x-advice'});
  const status = h('p', {class: 'x-hidden', role: 'status'});
  const announce = whenQuiet((said) => { status.textContent = said; }, 500);

  const show = (step) => {
    const level = step <= lowest ? 0 : step * 100;
    const now = {ofRun, kept: keptAt(data, level)};
    const found = figuresOf(data, now.kept, level);
    figures.update(found);
    sources.update(found, ofRun.figures);
    graph?.update(now);
    pairs.update(now);
    fill(words, step === lowest ? 'This is what the run did.' : advice(data, step));
    const said = `${counted(found.removed, 'document')} removed, ${counted(found.clusters, 'cluster')}`;
    bars.say(said);
    if (step !== lowest) announce(`At ${(step / 100).toFixed(2)}: ${said}`);
  };
  const bars = new Histogram(histogram(data, kept, similarity, lowest), lowest, onceAFrame(show));

  fill(place, introduction(data, lowest), bars.element, figures.element, words, leftOutWords(data),
      heading('What each source loses'), sources.element,
      graph ? [heading('Clusters', graph.caption()), graph.element] : null,
      heading('Pairs', 'Each removed document and the one kept for it, the least similar first. A pair opens side by side.'), pairs.element,
      comparison.dialog, status);
  graph?.resized();
  show(lowest);
  bars.draw();
  const redraw = onceAFrame(() => {
    bars.draw();
    graph?.resized();
  });
  new ResizeObserver(redraw).observe(place);
  onColours(redraw);
}

if (place) begin(unpack(JSON.parse(document.getElementById('explore-data').textContent)));
