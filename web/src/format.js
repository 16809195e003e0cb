// Figures for people.

const counts = new Intl.NumberFormat('en');
const shares = new Intl.NumberFormat('en', {minimumFractionDigits: 2, maximumFractionDigits: 2});

/** 1234567 -> "1,234,567". */
export function count(number) {
  return counts.format(number);
}

/** (1, "document") -> "1 document"; (2, "document") -> "2 documents". */
export function counted(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** A similarity. What is not quite 1 is not shown as 1, nor what is not quite 0 as 0. */
export function similarity(value) {
  if (value >= 0.995 && value < 1) return '0.99';
  if (value < 0.005 && value > 0) return '0.01';
  return shares.format(value);
}

/** 1536 -> "1.5 kB": 1 kB is 1,000 bytes, as everywhere in neardup. */
export function bytes(number) {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (number >= 999.5 && unit + 1 < units.length) {
    number /= 1000;
    ++unit;
  }
  return `${unit === 0 ? count(number) : short(number)} ${units[unit]}`;
}

/** Three digits: 1.23, 12.3, 123, 1,234. */
export function short(number) {
  const size = Math.abs(number);
  return new Intl.NumberFormat('en', {maximumFractionDigits: size < 10 ? 2 : size < 100 ? 1 : 0}).format(number);
}

/** Microseconds -> "950 µs", "2.1 ms", "1.5 s". */
export function microseconds(number) {
  if (number < 1000) return `${short(number)} µs`;
  return number < 1e6 ? `${short(number / 1000)} ms` : `${short(number / 1e6)} s`;
}

/** Seconds -> "12 s", "3 min", "5 h 20 min", "3 d 4 h". */
export function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `${Math.floor(seconds)} s`;
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 60 * 24) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`;
}

/** Seconds since 1970 -> "2026-11-23 01:02:03 UTC"; the number itself where no calendar reaches. */
export function time(seconds) {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().slice(0, 19).replace('T', ' ') + ' UTC';
}
