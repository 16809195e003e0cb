// The differences of two texts, cut into what is worth showing.

/** How many characters of what is equal stay beside a difference. */
const kContext = 90;

// Cut at white space, which is left out, or at `size` where there is none nearby.
/** Returns about the first `size` characters of `text`. */
function headOf(text, size) {
  const cut = text.slice(0, size).search(/\s\S*$/);
  return cut > size / 2 ? text.slice(0, cut) : sliceHead(text, size);
}

/** Returns about the last `size` characters of `text`. */
function tailOf(text, size) {
  const start = text.length - size;
  const found = text.slice(start).search(/\s/);
  return found >= 0 && found < size / 2 ? text.slice(start + found + 1) : sliceTail(text, size);
}

// Half a surrogate pair is no character.
const isLow = (code) => code >= 0xdc00 && code <= 0xdfff;
const sliceHead = (text, size) => text.slice(0, isLow(text.charCodeAt(size)) ? size - 1 : size);
const sliceTail = (text, size) => {
  const start = text.length - size;
  return text.slice(isLow(text.charCodeAt(start)) ? start + 1 : start);
};

/** Returns how many words are left out where only `head` and `tail` of `text` stay. */
function wordsLeftOut(text, head, tail) {
  return text.slice(head.length, text.length - tail.length).split(/\s+/).filter(Boolean).length;
}

/**
 * Returns what to show of `pieces` ({kind: "equal" | "only_a" | "only_b", a, b}), in order: {fold: N} stands for N
 * equal words that are left out, {a: parts, b: parts} for what stands side by side; a part is {text, marked}.
 * `whole`: nothing is left out. Joined, the parts of a side and what is left out are that side.
 */
export function hunks(pieces, whole = false) {
  const result = [];
  let open = null;
  const side = (name, text, marked) => {
    open ??= {a: [], b: []};
    if (text !== '') open[name].push({text, marked});
  };
  const close = () => {
    if (open) result.push(open);
    open = null;
  };
  const equal = (a, b) => {
    side('a', a, false);
    side('b', b, false);
  };
  pieces.forEach((piece, i) => {
    if (piece.kind !== 'equal') {
      side(piece.kind === 'only_a' ? 'a' : 'b', piece.kind === 'only_a' ? piece.a : piece.b, true);
      return;
    }
    const head = i === 0 ? 0 : kContext;
    const tail = i === pieces.length - 1 ? 0 : kContext;
    const shortest = Math.min(piece.a.length, piece.b.length);
    if (whole || pieces.length === 1 || shortest < 2 * kContext + 60) return equal(piece.a, piece.b);
    const ends = (text) => [head ? headOf(text, head) : '', tail ? tailOf(text, tail) : ''];
    const [headA, tailA] = ends(piece.a);
    const [headB, tailB] = ends(piece.b);
    if (head) equal(headA, headB);
    close();
    result.push({fold: wordsLeftOut(piece.a, headA, tailA)});
    if (tail) equal(tailA, tailB);
  });
  close();
  return result;
}

/** Returns [white space before, the rest, white space behind]: only words are marked. */
export function trimmed(text) {
  const inner = text.trim();
  const start = inner === '' ? text.length : text.indexOf(inner);
  return [text.slice(0, start), inner, text.slice(start + inner.length)];
}

/** Returns whether anything of the two differs. */
export function differ(pieces) {
  return pieces.some((piece) => piece.kind !== 'equal');
}

/** Returns whether a text looks like a page: what it begins with is markup. */
export function looksLikeHtml(text) {
  return /^[\s\uFEFF]*(<!doctype\s+html|<\?xml[^>]*>\s*<!doctype html|<!--|<(html|head|body|article|main|div|section|p|h[1-6]|table|ul)[\s>])/i.test(text.slice(0, 2000));
}
