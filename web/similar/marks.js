// Which passages mark which pieces of a text.

/**
 * Cuts the text of part number `part` where passages begin and end. `places`: for each passage its places, [part, begin, end, ...].
 * Returns [{begin, end, passages}] from 0 to `length`, `passages` those that cover it, the longest first (they come so).
 */
export function segments(places, part, length) {
  const within = [];
  places.forEach((numbers, passage) => {
    for (let i = 0; i < numbers.length; i += 3) {
      if (numbers[i] === part && numbers[i + 1] < numbers[i + 2]) within.push({passage, begin: numbers[i + 1], end: numbers[i + 2]});
    }
  });
  const cuts = [...new Set([0, length, ...within.flatMap(({begin, end}) => [begin, end])])].sort((x, y) => x - y);
  within.sort((x, y) => x.begin - y.begin);
  let open = [];
  let next = 0;
  return cuts.slice(0, -1).map((begin, i) => {
    open = open.filter(({end}) => end > begin);
    while (next < within.length && within[next].begin <= begin) open.push(within[next++]);
    return {begin, end: cuts[i + 1], passages: open.map(({passage}) => passage).sort((x, y) => x - y)};
  }).filter(({begin, end}) => end > begin);
}

/**
 * Returns the lines of a part: [{number, pieces: [{text, passages, starts}]}]; `starts` are the passages that begin with the piece,
 * or with the line feeds before it. These are left out.
 */
export function lines(text, firstLine, cut) {
  const result = [{number: firstLine, pieces: []}];
  let before = [];
  for (const {begin, end, passages} of cut) {
    let starts = passages.filter((passage) => !before.includes(passage));
    text.slice(begin, end).split('\n').forEach((line, i, {length}) => {
      if (i > 0) result.push({number: firstLine + result.length, pieces: []});
      if (line !== '' || (starts.length > 0 && i + 1 === length)) {
        result.at(-1).pieces.push({text: line, passages, starts});
        starts = [];
      }
    });
    before = passages;
  }
  if (text.endsWith('\n') && result.length > 1 && result.at(-1).pieces.length === 0) result.pop();
  return result;
}

/** Returns the lines that the places of a passage lie in, {first, last}. `parts`: [[firstLine, text]]. */
export function linesOf(parts, numbers) {
  const line = (part, at) => {
    let count = parts[part][0];
    for (let i = parts[part][1].indexOf('\n'); i >= 0 && i < at; i = parts[part][1].indexOf('\n', i + 1)) ++count;
    return count;
  };
  return {first: line(numbers[0], numbers[1]), last: line(numbers.at(-3), Math.max(numbers.at(-2), numbers.at(-1) - 1))};
}
