// One document: what is stored of it, what it repeats and what repeats it.
import {documentPath, request, withQuery} from './api.js';
import {comparison} from './comparison.js';
import {confirmed} from './dialogs.js';
import {announce, documentLink, fill, h, idLink, loading} from './dom.js';
import {bytes, count, similarity, time} from './format.js';
import {attempt} from './problem.js';
import {memberList} from './clusters.js';

/** How much of a text is put on the page at first. */
const kFirstCharacters = 20000;

function lookUp(id) {
  const input = h('input', {id: 'document-id', value: id ?? '', autocomplete: 'off', spellcheck: 'false', required: true});
  return h('form', {role: 'search', on: {submit: (event) => {
    event.preventDefault();
    location.hash = documentLink(input.value);
  }}}, h('div', {class: 'row end'}, h('div', {class: 'field'}, h('label', {for: 'document-id'}, 'Id'), input),
      h('button', {class: id === null ? 'main' : null}, 'Look up')));
}

function fact(name, value) {
  return value === null || value === undefined || value === '' ? null : h('div', {}, h('dt', {}, name), h('dd', {}, value));
}

function facts(stored) {
  const code = (text) => text ? h('code', {}, text) : null;
  return h('dl', {class: 'facts'},
      fact('Came', time(stored.time)),
      fact('Size', bytes(stored.size_bytes)),
      fact('Tag', stored.tag),
      fact('Category', stored.within),
      fact('Checksum', code(stored.checksum)),
      fact('Fingerprints', code((stored.fingerprints ?? []).join(' '))),
      fact('Recipe', code(stored.recipe)));
}

function verdictLine(stored) {
  if (stored.verdict === 'new') return h('p', {}, h('span', {class: 'badge new'}, 'kept'), ' It repeated no document when it came.');
  const figures = stored.verdict === 'exact' ? '' : `, similarity ${similarity(stored.similarity)}, distance ${stored.distance}`;
  return h('p', {}, h('span', {class: `badge ${stored.verdict}`}, stored.verdict === 'exact' ? 'equal text' : stored.verdict === 'near' ? 'near-duplicate' : stored.verdict),
      stored.verdict === 'contained' ? ' in ' : ' of ',
      idLink(stored.duplicate_of), figures);
}

function textOf(stored) {
  if (stored.text === null || stored.text === undefined) {
    return h('p', {class: 'note'}, 'Its text is not kept. A store that was made with ', h('code', {}, 'serve --keep-texts'), ' keeps the texts of kept documents, so that they can be shown and compared.');
  }
  const box = h('pre', {class: 'stored', tabindex: '0', dir: 'auto', 'aria-label': 'Text of the document'}, stored.text.slice(0, kFirstCharacters));
  if (stored.text.length <= kFirstCharacters) return box;
  const row = h('div', {class: 'row'}, h('button', {type: 'button', on: {click: () => {
    box.textContent = stored.text;
    row.remove();
    box.focus();
  }}}, `Show all ${count(stored.text.length)} characters`));
  return [box, row];
}

function compareForm(stored, place) {
  const input = h('input', {id: 'other-id', required: true, autocomplete: 'off', spellcheck: 'false', placeholder: 'id of a kept document'});
  const compare = (id) => fill(place, h('div', {class: 'pair'}, comparison({id: stored.id}, {id}, {verdict: true})));
  return h('form', {on: {submit: (event) => {
    event.preventDefault();
    compare(input.value);
  }}}, h('div', {class: 'row end'}, h('div', {class: 'field'}, h('label', {for: 'other-id'}, 'Compare it with the document'), input),
      h('button', {}, 'Compare')));
}

async function erase(id, place) {
  if (!await confirmed('Delete this document?', `${id} is erased from the store. Documents that were said to repeat it keep their verdict; who comes anew may be new.`, 'Delete')) return;
  await attempt(place, async () => {
    await request('DELETE', documentPath(id));
    announce(`${id} is deleted.`);
    fill(place, h('div', {class: 'note'}, h('p', {}, h('b', {}, 'Deleted'), id)));
  });
}

async function showCluster(place, kept, signal) {
  await attempt(place, async () => {
    const page = await request('GET', withQuery('/v1/clusters', {kept}), undefined, signal);
    const cluster = page.clusters[0];
    fill(place, h('h2', {}, 'What repeats it'),
        cluster ? memberList(cluster) : h('p', {class: 'soft'}, 'No document was said to repeat it.'));
  });
}

function showStored(place, stored, signal) {
  const compared = h('div', {class: 'compared'});
  const cluster = h('section', {}, loading());
  const trouble = h('div', {});
  fill(place,
      h('section', {}, h('h2', {dir: 'auto'}, stored.id), verdictLine(stored), trouble, facts(stored),
          h('div', {class: 'row'}, h('button', {type: 'button', class: 'danger', on: {click: () => erase(stored.id, place.firstChild)}}, 'Delete'))),
      h('section', {}, h('h2', {}, 'Text'), textOf(stored)),
      stored.verdict === 'new' ? cluster : null,
      stored.text === null ? null : h('section', {}, h('h2', {}, 'Compare'), compareForm(stored, compared), compared));
  if (stored.verdict === 'new') showCluster(cluster, stored.id, signal);
}

/** Returns the view of the document of this id; where `id` is null, the form that asks for one. */
export function documentView(id, signal) {
  const place = h('div', {});
  const load = async () => {
    fill(place, h('section', {}, loading('Loading the document')));
    const failed = h('section', {});
    const done = await attempt(failed, async () => {
      const stored = await request('GET', documentPath(id), undefined, signal);
      showStored(place, stored, signal);
      announce(`Document ${id}`);
    }, load);
    if (!done) fill(place, failed);
  };
  if (id !== null) load();
  return h('div', {},
      h('section', {}, h('h1', {tabindex: '-1'}, 'Document'),
          id === null ? h('p', {class: 'lead'}, 'What is stored of one document, what it repeats, and what repeats it.') : null, lookUp(id)),
      place);
}
