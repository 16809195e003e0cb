// Addresses within the page: #/VIEW or #/documents/ID.

export const titles = {ask: 'Ask', documents: 'Document', clusters: 'Clusters', tags: 'Tags', figures: 'Figures'};

/** Returns {view, id} of the part of an address behind #. What is unknown is the first view. */
export function routeOf(hash) {
  const [, view = '', rest = null] = /^#\/([a-z]+)(?:\/(.*))?$/s.exec(hash) ?? [];
  if (!Object.hasOwn(titles, view)) return {view: 'ask', id: null};
  if (view !== 'documents' || rest === null) return {view, id: null};
  try {
    return {view, id: decodeURIComponent(rest)};
  } catch {
    return {view, id: rest};  // typed by hand, with a % that stands for itself
  }
}
