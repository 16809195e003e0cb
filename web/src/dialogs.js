// Windows over the page: the browser's own dialog keeps the focus inside and gives it back.
import {h} from './dom.js';

/** Opens a dialog that is gone once it is closed. Returns it. `onClose` gets what the pressed button stands for. */
export function openDialog(title, content, onClose = () => {}) {
  const head = h('h2', {id: 'dialog-title'}, title);
  const dialog = h('dialog', {'aria-labelledby': 'dialog-title'}, head, content);
  dialog.addEventListener('close', () => {
    dialog.remove();
    onClose(dialog.returnValue);
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Asks before something is done that cannot be undone. Returns whether it is wanted. */
export function confirmed(title, words, action) {
  return new Promise((resolve) => {
    const content = h('form', {method: 'dialog'}, h('p', {}, words),
        h('div', {class: 'row'},
            h('button', {value: '', autofocus: true}, 'Cancel'),
            h('button', {value: 'yes', class: 'danger'}, action)));
    openDialog(title, content, (value) => resolve(value === 'yes'));
  });
}
