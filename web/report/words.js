// What several parts of the page say alike.
import {h} from '../src/dom.js';
import {kWhole} from './data.js';

/** 8129 -> "0.812", rounded down: what is below a threshold does not look as if it had reached it. */
export function similarityWords(similarity) {
  if (similarity < 0) return '–';
  return similarity >= kWhole ? '1' : (Math.floor(similarity / 10) / 1000).toFixed(3);
}

/** What a pair is. */
export const kindWords = {near: 'near-duplicate', exact: 'equal text', other: 'also similar'};

/** An id, its direction kept to itself. */
export function idOf(data, document) {
  const id = data.ids[document];
  return h('code', {dir: 'auto', class: id === '' ? 'none' : null}, id === '' ? '(empty)' : id);
}

/** Where a document comes from. */
export function sourceOf(data, document) {
  return data.source[document] < 0 ? 'reference' : data.sources[data.source[document]].name;
}

/** What a shell takes as it is. */
const kPlainWord = /^[A-Za-z0-9_./:@%+,=][A-Za-z0-9_./:@%+,=-]*$/;

/** A command to run on some ids or names: only where they are whole here, and no shell would take them for anything else. */
export function commandOf(what, command, ...words) {
  if (!words.every((word) => word.length < 80 && kPlainWord.test(word))) return null;
  return h('p', {class: 'why'}, h('span', {}, what), ' ', h('code', {}, `${command} ${words.join(' ')}`));
}

/** (12, 80) -> "15.0 %"; never rounds something to nothing, nor a part to the whole. */
export function share(part, whole) {
  if (whole === 0 || part === 0) return '0 %';
  const percent = 100 * part / whole;
  if (percent < 0.1) return '< 0.1 %';
  return part < whole && percent > 99.9 ? '> 99.9 %' : `${percent.toFixed(1)} %`;
}

/** Returns `work` as one that runs at most once a frame, with the latest arguments. */
export function onceAFrame(work) {
  let latest = null;
  return (...given) => {
    if (latest === null) {
      requestAnimationFrame(() => {
        const arguments_ = latest;
        latest = null;
        work(...arguments_);
      });
    }
    latest = given;
  };
}

/** Returns `work` as one that runs when nothing has called it for `wait` ms. */
export function whenQuiet(work, wait) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), wait);
  };
}
