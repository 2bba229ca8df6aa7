/**
 * Starts a process exactly once, regardless of how many daemons try and when they crash. The
 * runner's claim ensures this, not the caller.
 */
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { LegionError, quoteText } from '../../core/model/fault.ts';
import type { NewProcess, ProcessIdentity } from '../../ports/host.ts';
import {
  formatProcessFacts,
  isPathPresent,
  prepareAttemptFolder,
  type RunnerClaim,
  readClaim,
  readProcess,
  readStart,
  resolveAttemptFolder,
  resolveMessagesFolder,
} from './attempt-folder.ts';
import { getErrno, toErrorMessage } from './faults.ts';
import { createMarker, isRunnerThere, type ProcessTable, toProcessIdentity } from './process-table.ts';
import {
  buildProcessEnvironment,
  buildRunnerArguments,
  createProcessReserve,
  EXIT_RESERVE,
  SHELL,
} from './runner.ts';

/**
 * A start takes milliseconds. After ten seconds the machine is probably swapping, and the caller
 * should be informed.
 */
const APPEAR_TIMEOUT_MS = 10_000;

/**
 * If a claim has no pid, a kill or a full disk interrupted the write. After this time, its runner
 * has either continued or exited.
 */
const UNREADABLE_CLAIM_MS = 60_000;

/**
 * Poll interval for the process record. Short, because this wait delays the start of the next
 * worker after a report.
 */
const START_POLL_MS = 2;

export interface StartContext {
  readonly state: string;
  readonly legion: string;
  readonly environment: EnvironmentVariables;
  readonly table: ProcessTable;
  readonly setsid: string;
}

export async function startProcess(context: StartContext, order: NewProcess): Promise<ProcessIdentity> {
  const { worker, attempt, argv, cwd, stdin } = order;
  const { setsid } = context;
  refuseUnfitProcess(order);
  const env = {
    ...buildProcessEnvironment(context.environment, order.env),
    ...buildMessagesVariable(context, order),
    PWD: cwd,
  };
  await refuseMissingFolder(cwd);
  const folder = resolveAttemptFolder(context.state, worker, attempt);
  const marker = createMarker({ legion: context.legion, worker, attempt });
  const formatFacts = (name: string) =>
    formatProcessFacts({ bootId: context.table.bootId, marker: name, program: argv[0], cwd });
  const { bootId } = context.table;
  const isNew = prepareAttemptFolder(context.state, folder, {
    'start.json': JSON.stringify({ worker, attempt, marker, bootId }),
    'process.json': createProcessReserve(formatFacts(marker)),
    'exit.json': EXIT_RESERVE,
    stdin,
    out: '',
    err: '',
  });
  try {
    // If the directory already exists, an earlier call prepared it and may have been interrupted
    // right afterwards.
    const prepared = isNew ? { marker, isClaimed: false } : await readPrepared(context, folder);
    if (!prepared.isClaimed) {
      const { marker: name } = prepared;
      await launchRunner(
        buildRunnerArguments({ folder, marker: name, facts: formatFacts(name), setsid, argv }),
        cwd,
        env,
      );
    }
    return await waitForProcess(context, folder);
  } catch (error) {
    const isLost = error instanceof LegionError && error.code === 'host.unavailable';
    throw isLost && (await isOfEarlierBoot(context, folder)) ? createRebootError(folder) : error;
  }
}

interface PreparedAttempt {
  readonly marker: string;
  /** True if a runner has claimed the attempt. */
  readonly isClaimed: boolean;
}

async function readPrepared({ table }: StartContext, folder: string): Promise<PreparedAttempt> {
  const isClaimed = await isPathPresent(join(folder, 'claim'));
  const { marker, bootId } = (await readStart(folder)) ?? {};
  if (marker === undefined) throw new LegionError('host.unavailable', `${folder} has no start.json`);
  if (!isClaimed && bootId !== undefined && bootId !== table.bootId) throw createRebootError(folder);
  return { marker, isClaimed };
}

/**
 * Nothing was flushed to disk, so the files left after a power cut do not show whether the process
 * ran.
 */
function createRebootError(folder: string): LegionError {
  return new LegionError(
    'host.start_unknown',
    `${folder}: the machine has been rebooted since it was prepared`,
  );
}

/**
 * Compares clock times, because the record that contains the boot id may be lost in a power cut.
 */
async function isOfEarlierBoot({ table }: StartContext, folder: string): Promise<boolean> {
  const stats = await stat(folder).catch(() => undefined);
  return stats !== undefined && stats.ctimeMs < table.readBootTime();
}

function buildMessagesVariable(
  { state }: StartContext,
  { worker, attempt, messagesVariable }: NewProcess,
): Record<string, string> {
  return messagesVariable === undefined
    ? {}
    : { [messagesVariable]: resolveMessagesFolder(state, worker, attempt) };
}

/** Resolves once the runner exists. From then on, the attempt no longer depends on this process. */
async function launchRunner(args: string[], cwd: string, env: Record<string, string>): Promise<void> {
  const runner = spawn(SHELL, args, { cwd, env, detached: true, stdio: 'ignore' });
  runner.unref();
  await new Promise<void>((resolve, reject) => {
    runner.once('spawn', resolve);
    runner.once('error', (error) => {
      const code = getErrno(error) === 'E2BIG' ? 'input.invalid' : 'host.start_failed';
      reject(new LegionError(code, `the runner could not be started: ${error.message}`, { cause: error }));
    });
  });
}

async function waitForProcess({ table }: StartContext, folder: string): Promise<ProcessIdentity> {
  const until = performance.now() + APPEAR_TIMEOUT_MS;
  for (;;) {
    const record = await readProcess(folder);
    if (record !== undefined) return toProcessIdentity(record);
    if (performance.now() > until) break;
    await sleep(START_POLL_MS);
  }
  const claim = await readClaim(folder);
  if (claim === undefined || (await canStillStart(table, folder, claim)))
    throw new LegionError('host.start_failed', `${folder}: its process has not appeared yet`);
  throw new LegionError('host.start_unknown', `${folder}: its runner exited before starting anything`);
}

async function canStillStart(table: ProcessTable, folder: string, claim: RunnerClaim): Promise<boolean> {
  if (claim !== 'unreadable') return isRunnerThere(table, claim) !== false;
  const { mtimeMs } = await stat(join(folder, 'claim'));
  return Date.now() - mtimeMs < UNREADABLE_CLAIM_MS;
}

function refuseUnfitProcess({ worker, attempt, argv, cwd }: NewProcess): void {
  const problem = !/^[\w.-]+$/.test(worker)
    ? `worker: ${quoteText(worker)} is not a worker id`
    : !Number.isSafeInteger(attempt) || attempt < 1
      ? `attempt: expected a whole number from 1, got ${attempt}`
      : argv[0] === '' || [...argv, cwd].some((text) => text.includes('\0'))
        ? 'argv: contains a NUL character or lacks a program'
        : !cwd.startsWith('/')
          ? `cwd: ${quoteText(cwd)} is not an absolute path`
          : undefined;
  if (problem !== undefined) throw new LegionError('input.invalid', problem);
}

/**
 * Throws if the working directory does not exist. Call before the attempt is claimed, so that the
 * attempt can still be started once the directory exists.
 */
async function refuseMissingFolder(cwd: string): Promise<void> {
  const why = await stat(cwd).then(
    (stats) => (stats.isDirectory() ? undefined : 'is not a directory'),
    (error: unknown) => toErrorMessage(error),
  );
  if (why !== undefined) throw new LegionError('host.folder_missing', `${cwd}: ${why}`);
}
