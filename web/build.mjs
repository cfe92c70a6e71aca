// Bundles the page into one HTML file: node build.mjs OUTPUT
// Scripts, styles and fonts are inside; the content security policy allows exactly them, by their hashes. The line
// __DATA__ is where the program puts the numbers of a run.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const output = resolve(process.argv[2] ?? join(here, "../build/web/report.html"));

// KaTeX lists each font in three formats; every browser of the last ten years reads the first.
const oneFontFormat = {
  name: "one-font-format",
  setup(bundle) {
    bundle.onLoad({ filter: /katex(\.min)?\.css$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\([^)]*\)/g, ""),
      loader: "css",
    }));
  },
};

const bundled = await build({
  absWorkingDir: here,
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  charset: "utf8",
  legalComments: "none",
  target: ["chrome100", "firefox100", "safari15"],
  format: "iife",
  loader: { ".woff2": "dataurl" },
  outdir: "out",
  write: false,
  plugins: [oneFontFormat],
});

const text = (suffix) => bundled.outputFiles.find(({ path }) => path.endsWith(suffix)).text;
// Inside an element only its own end tag must not occur.
const script = text(".js").replaceAll("</script", "<\\/script").replaceAll("<!--", "\\x3C!--");
const style = text(".css");
if (style.includes("</style")) throw new Error("the style sheet ends its own element");

const hash = (content) => `'sha256-${createHash("sha256").update(content, "utf8").digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "font-src data:",
  "img-src data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

let page = readFileSync(join(here, "src/page.html"), "utf8");
for (const [mark, content] of [["__CSP__", policy], ["__STYLE__", style], ["__SCRIPT__", script]]) {
  page = page.replace(mark, () => content);
}
if (page.split("__DATA__").length !== 2) throw new Error("the page must have exactly one place for its data");

mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);
console.log(`${output}: ${(page.length / 1024).toFixed(0)} kB`);
