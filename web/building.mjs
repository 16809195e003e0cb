// What the two bundles are built alike with.
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {fileURLToPath} from 'node:url';

/** The settings of esbuild. `modules`: a node_modules. */
export function settings(modules) {
  return {absWorkingDir: dirname(fileURLToPath(import.meta.url)), bundle: true, minify: true, write: false, charset: 'utf8',
    nodePaths: [modules], outdir: 'out', legalComments: 'inline', target: ['chrome105', 'firefox110', 'safari16'],
    logLevel: 'warning'};
}

/** Returns the bytes as a C++ string literal. Octal, as those end after three digits whatever follows. */
export function literal(bytes) {
  const lines = [];
  for (let i = 0; i < bytes.length; i += 64) {
    lines.push('    "' + [...bytes.subarray(i, i + 64)].map((byte) => '\\' + byte.toString(8).padStart(3, '0')).join('') + '"');
  }
  return lines.join('\n');
}

/** Writes a file, and the folders above it. */
export function write(path, content) {
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, content);
}
