// The key that the server may want.
import {hasKey, setKey} from './api.js';
import {openDialog} from './dialogs.js';
import {h} from './dom.js';

/** Asks for the key; calls `then` once one was entered or removed. */
export function askForKey(then = null) {
  const input = h('input', {type: 'password', id: 'key', autocomplete: 'off', spellcheck: 'false', autofocus: true,
    placeholder: hasKey() ? 'a key is set' : ''});
  const content = h('form', {method: 'dialog'},
      h('p', {class: 'soft'}, 'One of the server\'s keys (--full-key-file or --read-key-file). It is kept in this tab alone and forgotten when the tab is closed.'),
      h('div', {class: 'field'}, h('label', {for: 'key'}, 'Key'), input),
      h('div', {class: 'row'},
          h('button', {value: 'cancel', formnovalidate: true, type: 'button', on: {click: () => dialog.close('')}}, 'Cancel'),
          hasKey() ? h('button', {value: 'forget'}, 'Forget the key') : null,
          h('button', {value: 'use', class: 'main'}, 'Use')));
  const submit = (event) => {
    // Enter in the field presses the first button, which may be the one that forgets.
    if (event.key !== 'Enter') return;
    event.preventDefault();
    dialog.close('use');
  };
  input.addEventListener('keydown', submit);
  const dialog = openDialog('Key', content, (value) => {
    if (value === 'use' && input.value.trim() !== '') setKey(input.value);
    else if (value === 'forget') setKey('');
    else return;
    then?.();
  });
}
