/** Tests `legion demo` from the outside, with real processes, real git and the real daemon. */
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
import { legion } from '../support/legion.ts';

/** The demo's own time limit, plus a few seconds for stopping everything. */
const WHOLE_MS = 200_000;
/** Maximum duration that Legion promises for a whole demo, even on a small machine. */
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

/** Every attempt of every worker: the phase, why it started, and how it ended. */
const BEFORE = ['architect start done', 'plan start done'];
const TESTED = 'test start done';
const REVIEWED = 'review start done';
const AFTER = ['retro retro done', 'merge start done'];
const LIVES = {
  'DEMO-1': [...BEFORE, 'implement start asked', 'implement feedback done', TESTED, REVIEWED, ...AFTER],
  'DEMO-2': ['plan start done', 'implement start done', TESTED, REVIEWED, ...AFTER],
  'DEMO-3': [...BEFORE, 'implement start done', TESTED, REVIEWED, ...AFTER],
  'DEMO-4': [
    ...BEFORE,
    ...['implement start done', TESTED, 'implement test_failure done', TESTED, REVIEWED],
    ...AFTER,
  ],
  'DEMO-5': [
    ...BEFORE,
    ...['implement start done', TESTED, REVIEWED, 'implement review_changes done', TESTED, REVIEWED],
    ...AFTER,
  ],
  'DEMO-6': [...BEFORE, 'implement start crashed', 'implement crash done', TESTED, REVIEWED, ...AFTER],
};

describe('`legion demo`', () => {
  test(
    'moves six issues to Done, approves as a person would, and leaves only its folder behind',
    async () => {
      const folder = join(root, 'a demo’s folder');
      const { code, stdout, stderr } = await legion('demo', '--json', '--folder', folder);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(processesOf(folder)).toEqual([]);
      const summary = summarySchema.parse(JSON.parse(stdout));
      expect(summary).toMatchObject({ ok: true, kept: false, folder });
      expect(summary.durationMs).toBeLessThan(PROMISED_MS);

      expect(summary.issues.map(({ status }) => status)).toEqual(Array(6).fill('Done'));
      const [bug] = summary.issues.slice(1);
      expect(bug?.phases).toEqual(ALL_PHASES.slice(1));
      for (const issue of summary.issues) if (issue !== bug) expect(issue.phases).toEqual(ALL_PHASES);
      for (const { lives, attempts } of summary.issues) expect(attempts).toBe(lives.length);
      expect(Object.fromEntries(summary.issues.map(({ id, lives }) => [id, lives.map(inWords)]))).toEqual(
        LIVES,
      );

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

      // Every suggested command works from any directory.
      for (const { command } of summary.look) await run('sh', ['-c', command], { cwd: '/' });
      expect(processesOf(folder)).toEqual([]);
    },
    WHOLE_MS,
  );

  test('gives up after its time limit, explains what each issue waits for, and stops its daemon and workers', async () => {
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
      expect(error.message).toMatch(new RegExp(`^${id} is in \\w.*: .+ It continues when .+`, 'm'));
  });

  test('does not touch a folder that is not empty', async () => {
    const folder = join(root, 'taken');
    mkdirSync(folder);
    writeFileSync(join(folder, 'mine'), '');
    const { code, stdout, stderr } = await legion('demo', '--folder', folder);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('[demo.folder_taken]');
    expect(readdirSync(folder)).toEqual(['mine']);
  });

  test.each([
    [['--keep', '--rm'], '--keep and --rm cannot be combined'],
    [['--open', '--rm'], '--open and --rm cannot be combined'],
    [['--within', '0'], '--within takes a whole number of at least 1, got "0"'],
    [['--within', '9999'], '--within takes at most 3600 seconds'],
    [['now'], "Too many arguments for 'demo'"],
    [['--kep'], 'Did you mean --keep?'],
  ])('rejects %j and creates nothing', async (args, says) => {
    const folder = join(root, 'never');
    const { code, stderr } = await legion('demo', '--folder', folder, ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
    expect(existsSync(folder)).toBe(false);
  });
});

function inWords({
  phase,
  purpose,
  end,
}: {
  phase: string;
  purpose: string;
  end?: string | undefined;
}): string {
  return `${phase} ${purpose} ${end}`;
}

/** Returns every process with this directory in its environment or on its command line. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const about = line + readFileSync(`/proc/${pid}/environ`, 'utf8');
      return about.includes(folder) ? [`${pid} ${line}`] : [];
    } catch {
      return []; // not a process, owned by another user, or already gone
    }
  });
}
