/**
 * Opens a repository’s baseline: a clean checkout of its base branch, its commands and the recorded
 * result.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../core/model/clock.ts';
import { decode } from '../../core/model/decode.ts';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import type { BaselineFacts } from '../../core/state/preflight.ts';
import { createGitRunner } from '../../git/runner.ts';
import {
  type CommandGroup,
  type CommandOutcome,
  endCommandGroup,
  runCommand,
} from '../../hosts/local/command.ts';
import { sanitizeTail } from '../../integrations/forge-support/clean-text.ts';
import { createCheckouts } from '../../integrations/local/forge/checkout.ts';
import { writeDurablySync } from '../../lib/fs/atomic-write.ts';
import { readJsonFile } from '../../lib/fs/read-bounded.ts';
import {
  Baseline,
  type BaselineCommand,
  type BaselineOptions,
  type BaselineRecord,
  type BaselineResult,
  toBaselineFacts,
} from '../preflight/baseline.ts';
import { redactOutput } from '../present/reason.ts';
import type { RepositorySource } from './clone.ts';
import { buildRepositoryStatePath } from './open-state-folder.ts';

const RECORD_FILE = 'baseline.json';

/**
 * Time limit for all commands together, and thus the longest that the operator has to wait for the
 * first worker.
 */
const BASELINE_LIMIT_MS = 15 * 60_000;

/** Number of output lines that fit on a screen next to the rest of `legion status`. */
const TAIL_LINES = 20;
const TAIL_CHARACTERS = 2_000;

export interface BaselineParts {
  readonly source: Pick<RepositorySource, 'common'>;
  /** Directory for the state that Legion keeps about the repository. */
  readonly state: string;
  readonly environment: EnvironmentVariables;
  readonly clock: Clock;
  readonly onChange: () => void;
  readonly limitMs?: number | undefined;
}

export async function openBaseline(parts: BaselineParts): Promise<Baseline> {
  const { source: ground, state, environment, clock, onChange: changed } = parts;
  const path = join(state, RECORD_FILE);
  const root = join(state, 'baseline');
  mkdirSync(root, { recursive: true, mode: 0o700 });
  // Uses the user’s own git settings for line endings and filters, as the local forge does for CI.
  const git = createGitRunner({ environment, personal: true });
  const objectFormat = (await git.run(ground.common, ['rev-parse', '--show-object-format'])).trim();
  const checkout = createCheckouts({ gitDir: ground.common, objectFormat, runIn: git.answer }, root);
  const group = openRunningGroup(join(state, 'baseline-running.json'));
  await group.endLeft();
  await checkout.sweep();
  return new Baseline({
    clock,
    onChange: changed,
    record: readRecord(path),
    save: (record) => writeDurablySync(path, `${JSON.stringify(record)}\n`),
    run: runIn(parts, checkout, group),
  });
}

/**
 * Reads the last result for these commands, even while no daemon is running. `repo` is the
 * repository’s name.
 */
export function readBaseline(
  stateFolder: string,
  repo: string,
  fingerprint: string,
): BaselineFacts | undefined {
  const path = join(buildRepositoryStatePath(stateFolder, repo), RECORD_FILE);
  return toBaselineFacts(readRecord(path), fingerprint);
}

function runIn(
  { state, environment, limitMs = BASELINE_LIMIT_MS }: BaselineParts,
  checkout: ReturnType<typeof createCheckouts>,
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
        const why = describeBaselineCommand(outcome, argv, performance.now() >= until ? limitMs : undefined);
        const { verdict } = outcome;
        return { ...about, verdict, command: argv.join(' '), why, tail: takeOutputTail(outcome.tail) };
      }
      return { ...about, verdict: 'passed', command: '', why: '', tail: '' };
    }
    try {
      return await checkout.withCheckout(sha, runAll, signal);
    } catch (error) {
      signal.throwIfAborted();
      const why = error instanceof Error ? error.message : String(error);
      return { ...about, verdict: 'no_checkout', command: '', why, tail: '' };
    }
  };
}

function describeBaselineCommand(
  { why }: CommandOutcome,
  [program]: BaselineCommand,
  exceededMs: number | undefined,
): string {
  if (exceededMs !== undefined) return `it did not finish within ${exceededMs / 1_000} s and was killed`;
  return why.includes('ENOENT') ? `${program} is not on the PATH` : why;
}

function takeOutputTail(text: string): string {
  return sanitizeTail(redactOutput(text), TAIL_CHARACTERS)
    .trimEnd()
    .split('\n')
    .slice(-TAIL_LINES)
    .join('\n');
}

interface RunningGroup {
  keep(group: CommandGroup): void;
  forget(): void;
  /** Ends the process group that a killed daemon left running. */
  endLeft(): Promise<void>;
}

const groupSchema = z.object({ pid: z.int().positive(), marker: z.string().min(1) });

function openRunningGroup(path: string): RunningGroup {
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
