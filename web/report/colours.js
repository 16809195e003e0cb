// The colours of the page, for what is drawn on a canvas.

/** Returns the colour of a name such as "--kept", light or dark as the page is. */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Calls `work` when the page turns light or dark, or begins or ends to be printed. */
export function onColours(work) {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', work);
  matchMedia('print').addEventListener('change', work);
}
