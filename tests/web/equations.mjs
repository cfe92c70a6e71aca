// `dalembert equations --latex` of every shipped model, set by KaTeX, where everything that it does not know is an error.
//   node equations.mjs WEB_FOLDER PROGRAM
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";

const [web, program] = process.argv.slice(2);
const katex = createRequire(`${web}/package.json`)("katex");
const output = (...args) => execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
const blocks = /\\begin\{align\*\}[^]*?\\end\{align\*\}/g;

const models = JSON.parse(output("models", "--json"));
assert.ok(models.length >= 16, "the shipped models are found");
for (const { name } of models) {
  const latex = output("equations", "--latex", name);
  assert.equal(latex.replace(blocks, "").replace(/^%.*$/gm, "").trim(), "", `${name}: all of it is displayed`);
  for (const block of latex.match(blocks)) {
    // Every \, of a long equation is one expansion; 1000 are allowed by default.
    const options = { displayMode: true, throwOnError: true, strict: "error", maxExpand: Infinity };
    const html = katex.renderToString(block, options);
    assert.ok(html.includes("katex-display"), name);
  }
}
assert.throws(() => katex.renderToString("\\fraction{1}{2}", { throwOnError: true }), "KaTeX complains");
