// What several parts of the page say alike.
import {h} from '../src/dom.js';
import {colour} from '../report/colours.js';
import {shareWords} from './data.js';

export const basisWords = ['estimate', 'exact', 'equal'];
const kColours = 8;

/** The colour of a group or a passage. */
export function nthColour(i) {
  return `--s${i % kColours}`;
}

/** What they are now, light or dark. */
export function groupColours() {
  return Array.from({length: kColours}, (_, i) => colour(nthColour(i)));
}

/** A name below the folder that all share, its direction kept to itself. */
export function nameOf(data, file) {
  return h('code', {dir: 'auto'}, data.ids[file].slice(data.folder.length));
}

/** "61.5 % of the first in the second ..." as an element, for a tip. */
export function pairWords(data, pair) {
  const line = (share, one, other) => h('p', {}, h('b', {}, shareWords(share)), ' of ', nameOf(data, one), ' in ', nameOf(data, other));
  return [line(data.aInB[pair], data.a[pair], data.b[pair]), line(data.bInA[pair], data.b[pair], data.a[pair]),
    h('p', {class: 'x-note'}, basisWords[data.basis[pair]])];
}

/** The same in one sentence. */
export function pairSentence(data, pair) {
  const [a, b] = [data.a[pair], data.b[pair]].map((file) => data.ids[file].slice(data.folder.length));
  return `${shareWords(data.aInB[pair])} of ${a} in ${b}, ${shareWords(data.bInA[pair])} the other way, ${basisWords[data.basis[pair]]}`;
}

/** A flag that a shell takes as it is, with its value. */
const kPlainFlag = /^--[a-z-]+( [A-Za-z0-9_]+)?$/;

/** The command that shows a pair as the page was made, but for the files; null where a shell would take a flag for something else. */
export function pairCommand(flags) {
  return flags.every((flag) => kPlainFlag.test(flag)) ? ['neardup similar --show 9 --threshold 0', ...flags].join(' ') : null;
}
