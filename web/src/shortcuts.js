// Keys that do something, and the page that says which.
import {openDialog} from './dialogs.js';
import {h} from './dom.js';

const views = {1: 'ask', 2: 'documents', 3: 'clusters', 4: 'tags', 5: 'figures'};
const storageName = 'neardup-single-keys';

function singleKeys() {
  try {
    return localStorage.getItem(storageName) !== 'off';
  } catch {
    return true;
  }
}

function setSingleKeys(on) {
  try {
    localStorage.setItem(storageName, on ? 'on' : 'off');
  } catch {
    // They stay on: nothing is kept here.
  }
}

const rows = [
  [['Ctrl', 'Enter'], 'Find near-duplicates of the text'],
  [['Ctrl', 'Shift', 'Enter'], 'Insert the text'],
  [['1'], 'to', ['5'], 'Ask, Document, Clusters, Tags, Figures'],
  [['/'], 'To the text, or to the field of the id'],
  [['?'], 'This help'],
];

function keys(row) {
  return row.slice(0, -1).map((part) => Array.isArray(part) ? part.map((key, i) => [i ? ' ' : null, h('kbd', {}, key)]) : ` ${part} `);
}

/** Opens the help. */
export function openHelp() {
  const single = h('input', {type: 'checkbox', id: 'single-keys', on: {change: () => setSingleKeys(single.checked)}});
  single.checked = singleKeys();
  openDialog('Keyboard', h('form', {method: 'dialog'},
      h('table', {}, h('tbody', {}, rows.map((row) => h('tr', {}, h('td', {}, keys(row)), h('td', {}, row.at(-1)))))),
      h('p', {class: 'row'}, single, h('label', {for: 'single-keys'}, 'Keys without Ctrl (1 to 5, /, ?)')),
      h('div', {class: 'row'}, h('button', {class: 'main', autofocus: true}, 'Close'))));
}

function isTyping(target) {
  return target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName);
}

/** Returns what a key without Ctrl does, or null. */
export function actionOf(key) {
  if (views[key]) return () => { location.hash = `#/${views[key]}`; };
  if (key === '?') return openHelp;
  if (key === '/') return () => document.querySelector('#text, #document-id, #new-tag')?.focus();
  return null;
}

/** Begins to listen. */
export function startShortcuts() {
  document.getElementById('help-button').addEventListener('click', openHelp);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
    if (!singleKeys() || document.querySelector('dialog[open]')) return;
    const action = actionOf(event.key);
    if (!action) return;
    event.preventDefault();
    action();
  });
}
