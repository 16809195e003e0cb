// Prints SIMILARITY, FILE, FILE of each pair that Dolos finds among Python files: node dolos.mjs MODULES FILE...
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, ...files] = process.argv.slice(2);
const entry = createRequire(`${modules}/`).resolve("@dodona/dolos-lib");
const { Dolos } = await import(pathToFileURL(entry));
const report = await new Dolos({ language: "python" }).analyzePaths(files);
for (const pair of report.allPairs()) console.log([pair.similarity, pair.leftFile.path, pair.rightFile.path].join("\t"));
