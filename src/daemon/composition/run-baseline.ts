/** Opens the baseline of a repository: a clean checkout of its base branch, its commands, and the record of what came of it. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { BaselineFacts } from '../../core/state/preflight.ts';
import type { Clock } from '../../domain/clock.ts';
import { decode } from '../../domain/decode.ts';
import type { Environment } from '../../domain/environment.ts';
import { cleanTail } from '../../forges/clean-text.ts';
import { gitRunner } from '../../git/runner.ts';
import {
  type CommandGroup,
  type CommandOutcome,
  endCommandGroup,
  runCommand,
} from '../../hosts/local/command.ts';
import { checkouts } from '../../integrations/local/forge/checkout.ts';
import { writeDurablySync } from '../../lib/fs/atomic-write.ts';
import { readJsonFile } from '../../lib/fs/read-bounded.ts';
import type { Ground } from '../compose-ground.ts';
import {
  Baseline,
  type BaselineCommand,
  type BaselineOptions,
  type BaselineRecord,
  type BaselineResult,
  baselineFacts,
} from '../preflight/baseline.ts';
import { withoutSecrets } from '../present/without-secrets.ts';
import { repositoryState } from './open-state-folder.ts';

const RECORD_FILE = 'baseline.json';

/** All commands together: a person waits for the first worker meanwhile. */
const BASELINE_LIMIT_MS = 15 * 60_000;

/** What fits on a screen beside everything else that `legion status` shows. */
const TAIL_LINES = 20;
const TAIL_CHARACTERS = 2_000;

export interface BaselineParts {
  readonly ground: Pick<Ground, 'common'>;
  /** The folder of what Legion keeps of the repository. */
  readonly state: string;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly changed: () => void;
  readonly limitMs?: number | undefined;
}

export async function openBaseline(parts: BaselineParts): Promise<Baseline> {
  const { ground, state, environment, clock, changed } = parts;
  const path = join(state, RECORD_FILE);
  const root = join(state, 'baseline');
  mkdirSync(root, { recursive: true, mode: 0o700 });
  // As the local forge does for CI: line ends and filters are those of the user’s own git.
  const git = gitRunner({ environment, personal: true });
  const objectFormat = (await git.run(ground.common, ['rev-parse', '--show-object-format'])).trim();
  const checkout = checkouts({ gitDir: ground.common, objectFormat, runIn: git.answer }, root);
  const group = runningGroup(join(state, 'baseline-running.json'));
  await group.endLeft();
  await checkout.sweep();
  return new Baseline({
    clock,
    changed,
    record: readRecord(path),
    save: (record) => writeDurablySync(path, `${JSON.stringify(record)}\n`),
    run: runIn(parts, checkout, group),
  });
}

/** The last result for these commands, without a daemon; `repo` is the repository’s name. */
export function readBaseline(
  stateFolder: string,
  repo: string,
  fingerprint: string,
): BaselineFacts | undefined {
  const path = join(repositoryState(stateFolder, repo), RECORD_FILE);
  return baselineFacts(readRecord(path), fingerprint);
}

function runIn(
  { state, environment, limitMs = BASELINE_LIMIT_MS }: BaselineParts,
  checkout: ReturnType<typeof checkouts>,
  group: RunningGroup,
): BaselineOptions['run'] {
  return async ({ fingerprint, sha, commands }, began, signal) => {
    const until = performance.now() + limitMs;
    const log = join(state, 'baseline.log');
    rmSync(log, { force: true });
    const about = { fingerprint, sha };
    async function runAll(folder: string): Promise<Omit<BaselineResult, 'at'>> {
      for (const argv of commands) {
        signal.throwIfAborted();
        began(argv.join(' '));
        const timeoutMs = Math.max(until - performance.now(), 1);
        const outcome = await runCommand({
          argv,
          cwd: folder,
          environment,
          env: { CI: 'true' },
          outputFile: log,
          timeoutMs,
          signal,
          onStarted: group.keep,
        });
        group.forget();
        signal.throwIfAborted();
        if (outcome.verdict === 'passed') continue;
        const why = describe(outcome, argv, performance.now() >= until ? limitMs : undefined);
        const { verdict } = outcome;
        return { ...about, verdict, command: argv.join(' '), why, tail: lastLines(outcome.tail) };
      }
      return { ...about, verdict: 'passed', command: '', why: '', tail: '' };
    }
    try {
      return await checkout.lend(sha, runAll, signal);
    } catch (error) {
      signal.throwIfAborted();
      const why = error instanceof Error ? error.message : String(error);
      return { ...about, verdict: 'no_checkout', command: '', why, tail: '' };
    }
  };
}

function describe(
  { why }: CommandOutcome,
  [program]: BaselineCommand,
  exceededMs: number | undefined,
): string {
  if (exceededMs !== undefined) return `it did not end within ${exceededMs / 1_000} s and was killed`;
  return why.includes('ENOENT') ? `there is no program ${program} on the search path` : why;
}

function lastLines(text: string): string {
  return cleanTail(withoutSecrets(text), TAIL_CHARACTERS).trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
}

interface RunningGroup {
  keep(group: CommandGroup): void;
  forget(): void;
  /** Ends what a daemon that was killed has left running. */
  endLeft(): Promise<void>;
}

const groupSchema = z.object({ pid: z.int().positive(), marker: z.string().min(1) });

function runningGroup(path: string): RunningGroup {
  const forget = () => rmSync(path, { force: true });
  return {
    keep: (group) => writeDurablySync(path, `${JSON.stringify(group)}\n`),
    forget,
    async endLeft() {
      const left = groupSchema.safeParse(readJsonFile(path));
      if (left.success) await endCommandGroup(left.data);
      forget();
    },
  };
}

const recordSchema = z.object({
  result: z
    .object({
      fingerprint: z.string(),
      sha: z.string(),
      verdict: z.enum(['passed', 'failed', 'could_not_run', 'no_checkout']),
      command: z.string(),
      why: z.string(),
      tail: z.string(),
      at: z.number(),
    })
    .optional(),
  override: z.object({ fingerprint: z.string(), by: z.string(), at: z.number() }).optional(),
});

function readRecord(path: string): BaselineRecord {
  const read = decode(recordSchema, readJsonFile(path), 'baseline');
  return read.ok ? read.value : {};
}
