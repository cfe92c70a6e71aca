// Runs tests/*.test.ts on Node's own test runner.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "dalembert-web-"));
try {
  await build({
    absWorkingDir: here,
    entryPoints: readdirSync(join(here, "tests")).filter((name) => name.endsWith(".test.ts")).map((name) => `tests/${name}`),
    bundle: true, platform: "node", format: "esm", outdir: folder, outExtension: { ".js": ".mjs" },
  });
  const files = readdirSync(folder).map((name) => join(folder, name));
  process.exitCode = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
