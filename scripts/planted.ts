/**
 * `npm run planted`: applies each bug of `planted/` to a copy of the project, and checks that the
 * simulator or a test finds it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const PLANTED = join(ROOT, 'planted');
const PARTS = [
  'src',
  'web',
  'test',
  'scripts',
  'bin',
  'skills',
  'package.json',
  'package-lock.json',
  'vitest.config.ts',
  'tsconfig.json',
];
/** A bug is considered not found if a thousand simulation runs miss it. */
const SEEDS = 1_000;
const MAX_HUNT_MS = 300_000;

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
  process.stderr.write(`planted: No bug matches ${positionals.join(', ')}. Valid: ${names.join(', ')}\n`);
  process.exitCode = 2;
}

const results = wanted.map((name) => {
  const result = { name: name.replace('.patch', ''), ...runHunt(name) };
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

function runHunt(name: string): { found: boolean; broken: string } {
  const copy = mkdtempSync(join(tmpdir(), 'legion-planted-'));
  try {
    for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    execFileSync('git', ['apply', join(PLANTED, name)], { cwd: copy });
    const [, test] = /^Found by: (test\/.+)$/m.exec(readFileSync(join(PLANTED, name), 'utf8')) ?? [];
    if (test !== undefined) return runTestHunt(copy, test);
    const args = ['scripts/sim/run.ts', '--seeds', String(SEEDS), '--first', '--json'];
    const { stdout, stderr, error } = spawnSync(process.execPath, args, {
      cwd: copy,
      encoding: 'utf8',
      timeout: MAX_HUNT_MS,
    });
    // If the run never ends, the bug has broken the run, so the bug counts as found.
    if (error !== undefined) return { found: true, broken: `the run did not end: ${error.message}` };
    return parseSimulatorVerdict(stdout, stderr);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/**
 * Runs a test to find a bug that the simulator cannot see, because a second check in Legion hides
 * it.
 */
function runTestHunt(copy: string, test: string): { found: boolean; broken: string } {
  const report = join(copy, 'report.json');
  const args = ['node_modules/vitest/vitest.mjs', 'run', test, '--reporter=json', `--outputFile=${report}`];
  const { stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', timeout: MAX_HUNT_MS });
  const run = JSON.parse(readFileSync(report, 'utf8')) as TestRun;
  const { numFailedTests, numPassedTests, testResults } = run;
  if (numPassedTests + numFailedTests === 0) throw new Error(`${test} did not run: ${stderr}`);
  const failed = testResults.flatMap(({ assertionResults }) => assertionResults);
  const [first] = failed.filter(({ status }) => status === 'failed');
  return {
    found: numFailedTests > 0,
    broken: first === undefined ? 'nothing broke' : `${test}: ${first.title}`,
  };
}

interface TestRun {
  readonly numFailedTests: number;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
}

function parseSimulatorVerdict(stdout: string, stderr: string): { found: boolean; broken: string } {
  // If the simulator did not run, nothing is known about the bug.
  if (stdout === '') throw new Error(`the simulator did not run: ${stderr}`);
  const { ok, failed } = JSON.parse(stdout) as { ok: boolean; failed: { seed: number; broken: string[] }[] };
  const [first] = failed;
  return {
    found: !ok,
    broken: first === undefined ? 'nothing broke' : `seed ${first.seed}: ${first.broken[0]}`,
  };
}
