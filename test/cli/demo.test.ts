/** `legion demo` from the outside: real processes, real git, the real daemon. */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { legion } from './legion.ts';

/** What the demo itself takes before it gives up, and some seconds to end what is left. */
const WHOLE_MS = 200_000;
/** It is promised to take less, on a small machine too. */
const PROMISED_MS = 90_000;

const run = promisify(execFile);
const root = mkdtempSync(join(tmpdir(), 'legion-demo-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const summarySchema = z.object({
  ok: z.boolean(),
  durationMs: z.number(),
  folder: z.string(),
  kept: z.boolean(),
  issues: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      phases: z.array(z.string()),
      attempts: z.int(),
      mergedSha: z.string().nullable(),
      merge: z.enum(['gate', 'person']).nullable(),
      lives: z.array(z.object({ phase: z.string(), purpose: z.string(), end: z.string().optional() })),
    }),
  ),
  person: z.array(z.object({ issue: z.string(), did: z.string() })),
  tests: z.object({ passed: z.boolean(), sha: z.string() }).optional(),
  look: z.array(z.object({ command: z.string() })),
});

const ALL_PHASES = ['architect', 'plan', 'implement', 'test', 'review', 'retro', 'merge'];

describe('legion demo', () => {
  test(
    'runs six issues to Done, plays the person, and leaves nothing behind but its folder',
    async () => {
      const folder = join(root, 'a demo’s folder');
      const { code, stdout, stderr } = await legion('demo', '--json', '--folder', folder);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(processesOf(folder)).toEqual([]);
      const summary = summarySchema.parse(JSON.parse(stdout));
      expect(summary).toMatchObject({ ok: true, kept: false, folder });
      expect(summary.durationMs).toBeLessThan(PROMISED_MS);

      const [feature, bug, ambiguous, failing, reviewed, crashed] = summary.issues;
      expect(summary.issues.map(({ status }) => status)).toEqual(Array(6).fill('Done'));
      expect(bug?.phases).toEqual(ALL_PHASES.filter((phase) => phase !== 'architect'));
      for (const issue of [feature, ambiguous, failing, reviewed, crashed])
        expect(issue?.phases).toEqual(ALL_PHASES);

      const course = (issue: typeof feature) =>
        issue?.lives.map(({ phase, purpose, end }) => `${phase} ${purpose} ${end}`);
      expect(course(feature)).toContain('implement start asked');
      expect(course(feature)).toContain('implement feedback done');
      expect(course(failing)?.slice(2, 6)).toEqual([
        'implement start done',
        'test start done',
        'implement test_failure done',
        'test start done',
      ]);
      expect(course(reviewed)).toContain('implement review_changes done');
      expect(course(crashed)?.slice(2, 4)).toEqual(['implement start crashed', 'implement crash done']);
      expect(summary.issues.map(({ attempts }) => attempts)).toEqual([8, 6, 7, 9, 10, 8]);

      const did = summary.person.map(({ issue, did: act }) => `${issue} ${act.split(/[: ]/)[0]}`);
      expect(did.sort()).toEqual(['DEMO-1 answer', 'DEMO-1 approve', 'DEMO-3 clarify']);
      expect(summary.issues.map(({ merge }) => merge)).toEqual([
        'person',
        'gate',
        'gate',
        'gate',
        'gate',
        'gate',
      ]);

      const repository = join(folder, 'stockroom');
      const { stdout: log } = await run('git', ['-C', repository, 'log', '--format=%H', 'main']);
      const commits = log.trim().split('\n');
      expect(commits).toHaveLength(7);
      expect(commits).toEqual(expect.arrayContaining(summary.issues.map(({ mergedSha }) => mergedSha)));
      expect(commits[0]).toBe(summary.tests?.sha);
      expect((await run('git', ['-C', repository, 'status', '--porcelain'])).stdout).toBe('');

      // What it says to look at can be looked at, from anywhere.
      for (const { command } of summary.look) await run('sh', ['-c', command], { cwd: '/' });
      expect(processesOf(folder)).toEqual([]);
    },
    WHOLE_MS,
  );

  test('gives up in time, says what each issue waits for, and ends its daemon and its workers', async () => {
    const folder = join(root, 'given up');
    const { code, stdout, stderr } = await legion('demo', '--json', '--within', '1', '--folder', folder);
    expect(code).toBe(1);
    expect(processesOf(folder)).toEqual([]);
    const { issues, ok, tests } = summarySchema.parse(JSON.parse(stdout));
    expect({ ok, tests }).toEqual({ ok: false, tests: undefined });
    const { error } = z
      .object({ error: z.object({ code: z.string(), message: z.string() }) })
      .parse(JSON.parse(stderr));
    expect(error.code).toBe('demo.unfinished');
    for (const { id } of issues)
      expect(error.message).toMatch(new RegExp(`^${id} is in \\w.*: .+ It goes on when .+`, 'm'));
  });

  test('touches no folder that has something in it', async () => {
    const folder = join(root, 'taken');
    mkdirSync(folder);
    writeFileSync(join(folder, 'mine'), '');
    const { code, stdout, stderr } = await legion('demo', '--folder', folder);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('[demo.folder_taken]');
    expect(readdirSync(folder)).toEqual(['mine']);
  });

  test.each([
    [['--keep', '--rm'], '--keep and --rm exclude each other'],
    [['--within', '0'], '--within takes a whole number from 1, got "0"'],
    [['--within', '9999'], '--within takes at most 3600 seconds'],
    [['now'], 'demo takes no further "now"'],
    [['--kep'], 'did you mean --keep?'],
  ])('refuses %j and makes nothing', async (args, says) => {
    const folder = join(root, 'never');
    const { code, stderr } = await legion('demo', '--folder', folder, ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
    expect(existsSync(folder)).toBe(false);
  });
});

/** Everything that runs with this folder in its environment or on its command line. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const about = line + readFileSync(`/proc/${pid}/environ`, 'utf8');
      return about.includes(folder) ? [`${pid} ${line}`] : [];
    } catch {
      return []; // not a process, not ours, or gone
    }
  });
}
