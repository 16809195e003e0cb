// The first view: a text, what repeats it, and its way into the store.
import {request, withQuery} from './api.js';
import {announce, fill, h, loading, nothing} from './dom.js';
import {bytes, counted} from './format.js';
import {looksLikeHtml} from './pieces.js';
import {attempt} from './problem.js';
import {showFound, verdictBanner} from './results.js';
import {pulse} from './pulse.js';

/** A larger file would make the page slow; the server has its own limit. */
const kMostBytes = 16 << 20;
const limits = [10, 50, 200, 1000];

const parts = {};
let limit = limits[0];
let asked = null;  // ends the question before
let madeId = null;  // for the text that is there now, so that inserting it again is no second document

function read(field) {
  return parts[field].value.trim();
}

/** Returns the text as the server wants it: {text} or {html}. */
function given() {
  return {[parts.kind.value]: parts.text.value};
}

function chosenId() {
  madeId ??= `page-${new Date().toISOString().slice(0, 19).replace(/[^0-9T]/g, '')}-${
    [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  return read('id') || madeId;
}

function textChanged() {
  madeId = null;
  const {value} = parts.text;
  parts.size.textContent = value === '' ? '' : counted(value.length, 'character');
}

function guessKind() {
  parts.kind.value = looksLikeHtml(parts.text.value) ? 'html' : 'text';
}

async function takeFile(file) {
  if (!file) return;
  if (file.size > kMostBytes) {
    fill(parts.verdict, h('div', {class: 'note'}, h('p', {}, h('b', {}, 'Too large for this page'),
        `${file.name} has ${bytes(file.size)}; this page takes ${bytes(kMostBytes)}. `, h('code', {}, 'neardup'), ' reads files of any size.')));
    announce(`${file.name} is too large for this page.`, true);
    return;
  }
  parts.text.value = await file.text();
  guessKind();
  if (/\.x?html?$/i.test(file.name)) parts.kind.value = 'html';
  textChanged();
  parts.text.focus();
  announce(`${file.name} is loaded: ${bytes(file.size)}.`);
}

function dropZone(zone) {
  let depth = 0;
  const carries = (event) => [...event.dataTransfer.types].some((type) => type === 'Files' || type === 'text/plain');
  const over = (by) => {
    depth = Math.max(0, depth + by);
    zone.classList.toggle('over', depth > 0);
  };
  zone.addEventListener('dragenter', (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    over(1);
  });
  zone.addEventListener('dragover', (event) => carries(event) && event.preventDefault());
  zone.addEventListener('dragleave', () => over(-1));
  zone.addEventListener('drop', (event) => {
    depth = 0;
    over(0);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    takeFile(event.dataTransfer.files[0]);
  });
}

/** Returns whether there is a text; says so where there is none. */
function hasText() {
  if (parts.text.value.trim() !== '') return true;
  fill(parts.verdict, h('p', {class: 'note'}, 'Paste or drop a text first.'));
  fill(parts.found);
  parts.results.hidden = false;
  announce('Paste or drop a text first.', true);
  parts.text.focus();
  return false;
}

function begin() {
  asked?.abort();
  asked = new AbortController();
  parts.results.hidden = false;
  fill(parts.verdict, loading('Asking the server'));
  return asked.signal;
}

function extras() {
  const within = read('within');
  return within ? {within} : {};
}

async function query(signal, more) {
  const body = {...given(), ...extras()};
  const answer = await request('POST', withQuery('/v1/query', {limit}), body, signal);
  const next = limits.find((each) => each > limit);
  showFound(parts.found, answer, given(), {
    canCompare: pulse.stats?.settings?.keep_texts !== false,
    more: next && more ? () => {
      limit = next;
      find(false);
    } : null,
  });
  return answer;
}

/** Returns what the banner says, as it is read out. */
function spoken() {
  return [...parts.verdict.querySelectorAll('b, p')].map((part) => part.textContent.replace(/\.?$/, '.')).join(' ');
}

async function find(fresh = true) {
  if (!hasText()) return;
  if (fresh) limit = limits[0];
  const signal = begin();
  fill(parts.found);
  await attempt(parts.verdict, async () => {
    const body = {...given(), ...extras()};
    const [verdict, answer] = await Promise.all([request('POST', '/v1/check', body, signal), query(signal, true)]);
    fill(parts.verdict, verdictBanner(verdict));
    announce(`${spoken()} ${counted(answer.found.length, 'similar document')}.`);
  }, () => find(fresh));
  if (parts.verdict.querySelector('.note')) fill(parts.found);
}

async function insert() {
  if (!hasText()) return;
  const signal = begin();
  parts.insert.disabled = true;
  const tag = read('tag');
  await attempt(parts.verdict, async () => {
    const body = {id: chosenId(), ...given(), ...extras(), ...(tag ? {tag} : {})};
    const verdict = await request('POST', '/v1/check-and-insert', body, signal);
    fill(parts.verdict, verdictBanner(verdict, true));
    fill(parts.found);
    announce(spoken());
  }, insert);
  parts.insert.disabled = false;
}

function field(id, label, hint, attributes = {}) {
  parts[id] = h('input', {id, autocomplete: 'off', spellcheck: 'false', ...attributes});
  return h('div', {class: 'field'}, h('label', {for: id}, label), parts[id], h('small', {}, hint));
}

function form() {
  parts.text = h('textarea', {id: 'text', spellcheck: 'false', 'aria-describedby': 'text-hint', dir: 'auto', on: {
    input: textChanged,
    paste: () => setTimeout(guessKind),
  }});
  parts.size = h('span', {class: 'num'});
  parts.kind = h('select', {id: 'kind'}, h('option', {value: 'text'}, 'Text'), h('option', {value: 'html'}, 'HTML: its main text'));
  parts.file = h('input', {type: 'file', id: 'file', class: 'unseen', tabindex: '-1', 'aria-hidden': 'true',
    accept: 'text/*,.md,.txt,.html,.htm,.xhtml,.json', on: {change: () => {
      takeFile(parts.file.files[0]);
      parts.file.value = '';
    }}});
  parts.insert = h('button', {type: 'button', on: {click: insert}}, 'Insert');
  const zone = h('div', {class: 'drop'}, parts.text, h('div', {class: 'over-note', 'aria-hidden': 'true'}, 'Drop it here'));
  const whole = h('form', {on: {submit: (event) => {
    event.preventDefault();
    find();
  }}},
  h('div', {class: 'field'}, h('label', {for: 'text'}, 'Text or HTML'), zone),
  h('p', {class: 'under', id: 'text-hint'}, h('span', {}, 'Paste it, type it, or drop a file here.'), parts.size),
  h('div', {class: 'row end'},
      h('button', {class: 'main'}, 'Find near-duplicates ', h('kbd', {}, 'Ctrl Enter')), parts.insert,
      h('button', {type: 'button', on: {click: () => parts.file.click()}}, 'Open a file'), parts.file,
      h('div', {class: 'field push'}, h('label', {for: 'kind'}, 'Read as'), parts.kind)),
  h('details', {}, h('summary', {}, 'Id, category, tag'), h('div', {class: 'fields'},
      field('id', 'Id', 'for Insert; one is made where this is empty', {maxlength: '1024'}),
      field('within', 'Category', 'only documents of the same one are compared'),
      field('tag', 'Tag', 'for Insert: of the crawl that brings it'))));
  whole.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.shiftKey ? insert() : find();
  });
  dropZone(zone);
  return whole;
}

let built = null;

/** Returns the view. It is built once: what was typed stays while other views are looked at. */
export function askView() {
  if (built) return built;
  parts.verdict = h('div', {});
  parts.found = h('div', {});
  parts.results = h('section', {hidden: true, 'aria-label': 'Results'}, parts.verdict, parts.found);
  built = h('div', {},
      h('section', {}, h('h1', {tabindex: '-1'}, 'Have I seen this?'),
          h('p', {class: 'lead'}, 'Give a text or a web page: see which stored documents it repeats, where they differ, and why.'), form()),
      parts.results);
  return built;
}
