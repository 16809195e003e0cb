// The server: every request of the page goes through request().

const keyName = 'neardup-key';
let key = readKey();
const listeners = new Set();

function readKey() {
  try {
    return sessionStorage.getItem(keyName) ?? '';
  } catch {
    return '';  // storage may be forbidden: then the key lives as long as the page
  }
}

export function hasKey() {
  return key !== '';
}

/** Keeps the key for this tab: in memory, and in its session's storage. */
export function setKey(text) {
  key = text.trim();
  try {
    if (key) sessionStorage.setItem(keyName, key);
    else sessionStorage.removeItem(keyName);
  } catch {
    // See readKey().
  }
  listeners.forEach((listener) => listener());
}

/** Calls `listener` whenever another key is there. */
export function onKey(listener) {
  listeners.add(listener);
}

/** What the server, or the way to it, objected to. `status` is 0 where no answer came. */
export class RequestError extends Error {
  constructor(status, code, message, retryAfter = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** Returns the headers that every request has. A key is printable ASCII, else no header could carry it. */
function headers(body) {
  const result = {Accept: 'application/json'};
  if (body !== undefined) result['Content-Type'] = 'application/json';
  if (key) result.Authorization = 'Bearer ' + key.replace(/[^\x21-\x7e]/g, '?');
  return result;
}

/**
 * Returns the object that the server answers. `body`: what is sent as JSON. `signal` ends it early.
 * Errors: RequestError; AbortError where `signal` said so.
 */
export async function request(method, path, body, signal) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: headers(body),
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new RequestError(0, 'unreachable', 'No answer from the server: it has stopped, or the network is gone.');
  }
  return answerOf(response);
}

async function answerOf(response) {
  const text = await response.text().catch(() => '');
  let answer = null;
  try {
    answer = JSON.parse(text);
  } catch {
    // Told below: by the status, or as an answer that is none.
  }
  if (response.ok && answer !== null) return answer;
  const error = answer?.error ?? {};
  const message = error.message ?? `The server answered ${response.status}${response.ok ? ' without valid JSON' : ''}.`;
  throw new RequestError(response.status, error.code ?? 'unknown', message, response.headers.get('Retry-After'));
}

/** Returns the path of a document. */
export function documentPath(id) {
  return '/v1/documents/' + encodeURIComponent(id);
}

/** Returns `path` with the parameters that have a value. */
export function withQuery(path, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== '' && value !== null && value !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
