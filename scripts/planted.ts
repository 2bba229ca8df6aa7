/** `npm run planted`: plants each bug of `planted/` into a copy of the source, and shows that the simulator finds it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const PLANTED = join(ROOT, 'planted');
/** A bug that a thousand stories do not meet is not found. */
const SEEDS = 1_000;
const MOST_MS = 300_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});
const names = readdirSync(PLANTED)
  .filter((name) => name.endsWith('.patch'))
  .sort();
const wanted =
  positionals.length === 0 ? names : names.filter((name) => positionals.some((part) => name.includes(part)));
if (wanted.length === 0) {
  process.stderr.write(`planted: there is none like ${positionals.join(', ')} among ${names.join(', ')}\n`);
  process.exitCode = 2;
}

const results = wanted.map((name) => {
  const result = { name: name.replace('.patch', ''), ...hunt(name) };
  if (!values.json) {
    const mark = result.found ? styleText('green', 'found') : styleText('red', 'not found');
    process.stdout.write(`${mark}  ${result.name}: ${result.broken}\n`);
  }
  return result;
});
const found = results.filter((result) => result.found).length;
process.stdout.write(
  values.json
    ? `${JSON.stringify({ found, of: results.length, results })}\n`
    : `${found} of ${results.length}\n`,
);
if (found < results.length) process.exitCode = 1;

function hunt(name: string): { found: boolean; broken: string } {
  const copy = mkdtempSync(join(tmpdir(), 'legion-planted-'));
  try {
    cpSync(join(ROOT, 'src'), join(copy, 'src'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(copy, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    execFileSync('git', ['apply', join(PLANTED, name)], { cwd: copy });
    const args = ['src/sim/run.ts', '--seeds', String(SEEDS), '--first', '--json'];
    const { stdout, stderr, error } = spawnSync(process.execPath, args, {
      cwd: copy,
      encoding: 'utf8',
      timeout: MOST_MS,
    });
    // A story that never ends is broken as well.
    if (error !== undefined) return { found: true, broken: `it did not end: ${error.message}` };
    return verdict(stdout, stderr);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function verdict(stdout: string, stderr: string): { found: boolean; broken: string } {
  // What does not even run proves nothing about the simulator.
  if (stdout === '') throw new Error(`the simulator did not run: ${stderr}`);
  const { ok, failed } = JSON.parse(stdout) as { ok: boolean; failed: { seed: number; broken: string[] }[] };
  const [first] = failed;
  return {
    found: !ok,
    broken: first === undefined ? 'nothing broke' : `seed ${first.seed}: ${first.broken[0]}`,
  };
}
