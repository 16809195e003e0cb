// What went wrong, in words, with what can be done about it.
import {announce, h} from './dom.js';
import {askForKey} from './key.js';

const heads = {
  0: 'The server cannot be reached',
  401: 'This server wants a key',
  403: 'Not allowed with this key',
  404: 'Not there',
  408: 'The request took too long',
  413: 'Too large',
  422: 'This store does not offer that',
  429: 'The server is busy',
  503: 'The server is not ready',
  507: 'The disk of the server is full',
};

/** Returns whether the same request may fare better later. */
function mayPass(error) {
  return [0, 401, 403, 408, 429].includes(error.status) || error.status >= 500 || error.code === 'unknown';
}

/** Returns a headline for a RequestError. */
export function headline(error) {
  return heads[error.status] ?? (error.status >= 500 ? 'The server failed' : 'The server refused this');
}

/** Returns a note that says what went wrong; `retry`, where given, is called by its button. */
export function problem(error, retry = null) {
  const again = error.retryAfter ? ` Try again in ${error.retryAfter} s.` : '';
  announce(`${headline(error)}. ${error.message}${again}`, true);
  const buttons = [
    error.status === 401 || error.status === 403 ?
        h('button', {type: 'button', class: 'small', on: {click: () => askForKey(retry)}}, 'Enter a key') : null,
    retry && mayPass(error) ? h('button', {type: 'button', class: 'small', on: {click: retry}}, 'Try again') : null,
  ];
  return h('div', {class: error.status >= 500 || error.status === 0 ? 'note bad' : 'note'},
      h('p', {}, h('b', {}, headline(error)), error.message, again),
      buttons.some(Boolean) ? h('div', {class: 'row'}, buttons) : null);
}

/** Calls `work`; puts what went wrong into `place`, and returns whether nothing did. */
export async function attempt(place, work, retry = null) {
  try {
    await work();
    return true;
  } catch (error) {
    if (error.name === 'AbortError') return false;
    if (error.status === undefined) throw error;  // a mistake of ours: the console shows it
    place.replaceChildren(problem(error, retry));
    return false;
  }
}
