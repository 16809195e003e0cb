// Which files the matrix shows.

/**
 * Returns {rows, columns} of at most `most` files each, in their order: those of the first of `pairs` of at least `level`,
 * of `group` alone where it is not null. Copies of a file are left out: its own row stands for them. With references the rows
 * are the inputs, the columns the references; else both are the same.
 */
export function chosen(data, {rank}, pairs, {level, most, groupOf, group}) {
  const isTwoSided = data.hasReferences;
  const sides = [new Set(), new Set()];
  const sideOf = (file) => sides[isTwoSided && data.isReference[file] ? 1 : 0];
  for (const p of pairs) {
    if (data.similarity[p] < level) continue;
    const files = [data.a[p], data.b[p]];
    if (files.some((file) => data.isCopy[file] || (group !== null && groupOf[file] !== group))) continue;
    if (isTwoSided && data.isReference[files[0]] === data.isReference[files[1]]) continue;
    const fresh = files.filter((file) => !sideOf(file).has(file));
    const fits = isTwoSided ? fresh.every((file) => sideOf(file).size < most) : sides[0].size + fresh.length <= most;
    if (fits) fresh.forEach((file) => sideOf(file).add(file));
    if (sides.every((side, i) => side.size >= most || (i === 1 && !isTwoSided))) break;
  }
  const [rows, columns] = sides.map((side) => [...side].sort((a, b) => rank[a] - rank[b]));
  return {rows, columns: isTwoSided ? columns : rows};
}

/** Returns the pairs, those first of which both files have most in each other: a stub that is in everything says little. */
export function byBothShares(data) {
  const both = data.aInB.map((share, p) => share + data.bInA[p]);
  return Uint32Array.from(both.keys()).sort((p, q) => both[q] - both[p] || p - q);
}

/** Returns the pair of each cell, by row and then column; -1 where two files have none of at least `level`. */
export function cellsOf(data, {rows, columns}, level) {
  const places = (files) => {
    const result = new Int32Array(data.ids.length).fill(-1);
    files.forEach((file, i) => { result[file] = i; });
    return result;
  };
  const [row, column] = [places(rows), places(columns)];
  const cells = new Int32Array(rows.length * columns.length).fill(-1);
  data.a.forEach((a, p) => {
    const b = data.b[p];
    if (data.similarity[p] < level) return;
    if (row[a] >= 0 && column[b] >= 0) cells[row[a] * columns.length + column[b]] = p;
    if (row[b] >= 0 && column[a] >= 0) cells[row[b] * columns.length + column[a]] = p;
  });
  return cells;
}

/** How much of the file of the row is in that of the column. */
export function shareOf(data, pair, rowFile) {
  return data.a[pair] === rowFile ? data.aInB[pair] : data.bInA[pair];
}
