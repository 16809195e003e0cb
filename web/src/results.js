// What /v1/check and /v1/query said of a text.
import {comparison} from './comparison.js';
import {fill, h, idLink, meter, nothing} from './dom.js';
import {counted, similarity} from './format.js';

/** How many results are put on the page at once. */
const kStep = 25;

/** Returns what a verdict says, in words: {head, words}. */
export function verdictWords(answer, inserted) {
  const stored = inserted ? ' It is stored.' : '';
  if (answer.verdict === 'new') {
    return {head: 'New', words: [`No stored document repeats it or is repeated by it.${stored}`]};
  }
  if (answer.verdict === 'contained') {
    return {head: 'Contained in ', of: answer.duplicate_of, words: [`It holds ${similarity(answer.similarity)} of it.${stored}`]};
  }
  const head = answer.verdict === 'exact' ? 'Equal text' : 'Near-duplicate';
  const figures = answer.verdict === 'exact' ? 'The two are one text once normalised.' :
      `Similarity ${similarity(answer.similarity)}, distance ${answer.distance}${answer.estimate ? ' (estimated)' : ''}.`;
  return {head: `${head} of `, of: answer.duplicate_of, words: [figures + stored]};
}

/** Returns the banner of a verdict. */
export function verdictBanner(answer, inserted = false) {
  const {head, of, words} = verdictWords(answer, inserted);
  const mine = inserted ? h('p', {}, 'Stored as ', idLink(answer.id),
      answer.repeated ? '. It was there before with the same text; this is its verdict of then.' : '.') : null;
  return h('div', {class: `verdict ${answer.verdict}`},
      h('b', {}, head, of === undefined ? null : idLink(of)),
      h('p', {}, words), mine);
}

function foundItem(found, text, open) {
  const kind = found.exact ? 'exact' : found.container ? 'contained' : 'near';
  const place = h('div', {hidden: !open});
  const show = () => {
    if (place.childElementCount === 0) place.append(comparison({id: found.id}, text));
    place.hidden = false;
    button.setAttribute('aria-expanded', 'true');
  };
  const button = h('button', {type: 'button', class: 'small ask', 'aria-expanded': 'false', on: {click: () => {
    if (place.hidden) return show();
    place.hidden = true;
    button.setAttribute('aria-expanded', 'false');
  }}}, 'Differences', h('span', {class: 'unseen'}, ` from ${found.id}`));
  if (open) show();
  return h('li', {class: `pair ${kind}`},
      h('h3', {}, idLink(found.id),
          h('span', {class: 'num'}, meter(found.similarity), `similarity ${similarity(found.similarity)}`),
          h('span', {class: 'num'}, `distance ${found.distance}`),
          h('span', {class: `badge ${kind}`}, found.exact ? 'equal text' : found.container ? 'contains it' : 'near'),
          found.estimate ? h('span', {class: 'badge'}, 'estimated') : null, button),
      place);
}

/** Puts the rest of `items` on the page a step at a time; the focus goes to the first of them. */
export function stepwise(list, items, make, step = kStep) {
  const more = h('button', {type: 'button', on: {click: () => add(true)}});
  const row = h('div', {class: 'row'}, more);
  let shown = 0;
  const add = (focus) => {
    const added = items.slice(shown, shown + step).map((item, i) => make(item, shown + i));
    list.append(...added);
    shown += added.length;
    row.hidden = shown >= items.length;
    more.textContent = `Show ${Math.min(step, items.length - shown)} more of ${items.length}`;
    if (focus) added[0]?.querySelector('a, button')?.focus();
  };
  add(false);
  return [list, row];
}

/**
 * Puts what was found into `place`. `answer`: of /v1/query. `text`: {text} or {html} that was asked. `more`: what to do
 * for more, or null where no more can be asked for.
 */
export function showFound(place, answer, text, {more, canCompare}) {
  const {found} = answer;
  if (found.length === 0) {
    return fill(place, nothing('Nothing similar is stored', 'Kept documents are looked at; a duplicate is found through the document that it repeats.'));
  }
  return fill(place,
      h('h2', {}, `${counted(found.length, 'similar document')}${answer.truncated ? ', and there may be more' : ''}`),
      canCompare ? null : h('p', {class: 'note'}, 'This store keeps no texts, so differences cannot be marked. One that is made with ',
          h('code', {}, 'serve --keep-texts'), ' does.'),
      stepwise(h('ol', {class: 'found'}), found, (item, i) => foundItem(item, text, i === 0 && canCompare)),
      answer.truncated && more ? h('div', {class: 'row'}, h('button', {type: 'button', on: {click: more}}, 'Look for more')) : null);
}
