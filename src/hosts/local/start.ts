/** Starts a process once, however many daemons ask and whenever they die: the runner's claim decides, not the caller. */
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LegionError, shown } from '../../core/model/fault.ts';
import type { Environment } from '../../domain/environment.ts';
import type { NewProcess, ProcessIdentity } from '../host.ts';
import { attemptFolder, exists, prepareFolder } from './attempt-folder.ts';
import { lettersFolder } from './deliver.ts';
import { workerEnvironment } from './environment.ts';
import { errnoOf, messageOf } from './faults.ts';
import { identityOf, isRunnerThere } from './identity.ts';
import { newMarker } from './marker.ts';
import type { ProcessTable } from './process-table.ts';
import { type Claim, processFacts, readClaim, readProcess, readStart } from './records.ts';
import { EXIT_RESERVE, processReserve, runnerArguments, SHELL } from './runner.ts';

/** A start takes some milliseconds; ten seconds are a machine that swaps, and then the caller should know. */
const SHOW_ITSELF_MS = 10_000;

/** A claim that names nobody was cut short by a kill or a full disk; by then its runner has gone on or is no more. */
const NAMELESS_MS = 60_000;

/** How often the record is looked for: it is on the way from a report to the next worker. */
const LOOK_MS = 2;

export interface StartContext {
  readonly state: string;
  readonly legion: string;
  readonly environment: Environment;
  readonly table: ProcessTable;
  readonly setsid: string;
}

export async function startProcess(context: StartContext, order: NewProcess): Promise<ProcessIdentity> {
  const { worker, attempt, argv, cwd, stdin } = order;
  const { setsid } = context;
  refuseUnfit(order);
  const env = {
    ...workerEnvironment(context.environment, order.env),
    ...lettersOf(context, order),
    PWD: cwd,
  };
  await refuseMissing(cwd);
  const folder = attemptFolder(context.state, worker, attempt);
  const marker = newMarker({ legion: context.legion, worker, attempt });
  const facts = (name: string) =>
    processFacts({ bootId: context.table.bootId, marker: name, program: argv[0], cwd });
  const { bootId } = context.table;
  const isNew = prepareFolder(context.state, folder, {
    'start.json': JSON.stringify({ worker, attempt, marker, bootId }),
    'process.json': processReserve(facts(marker)),
    'exit.json': EXIT_RESERVE,
    stdin,
    out: '',
    err: '',
  });
  try {
    // Where it is there already, an earlier call got this far and perhaps no further.
    const prepared = isNew ? { marker, isClaimed: false } : await readPrepared(context, folder);
    if (!prepared.isClaimed) {
      const { marker: name } = prepared;
      await launch(runnerArguments({ folder, marker: name, facts: facts(name), setsid, argv }), cwd, env);
    }
    return await firstSight(context, folder);
  } catch (error) {
    const isLost = error instanceof LegionError && error.code === 'host.unavailable';
    throw isLost && (await isOfEarlierBoot(context, folder)) ? startedAnew(folder) : error;
  }
}

interface Prepared {
  readonly marker: string;
  /** A runner has taken it. */
  readonly isClaimed: boolean;
}

async function readPrepared({ table }: StartContext, folder: string): Promise<Prepared> {
  const isClaimed = await exists(join(folder, 'claim'));
  const { marker, bootId } = (await readStart(folder)) ?? {};
  if (marker === undefined) throw new LegionError('host.unavailable', `${folder} has no start.json`);
  if (!isClaimed && bootId !== undefined && bootId !== table.bootId) throw startedAnew(folder);
  return { marker, isClaimed };
}

/** Nothing was flushed: what was left of it after a power cut cannot say whether it ran. */
function startedAnew(folder: string): LegionError {
  return new LegionError(
    'host.start_unknown',
    `${folder}: the machine was started anew since it was prepared`,
  );
}

/** By the clock, because records that did not survive a power cut do not name their boot. */
async function isOfEarlierBoot({ table }: StartContext, folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  return found !== undefined && found.ctimeMs < table.bootedAt();
}

function lettersOf(
  { state }: StartContext,
  { worker, attempt, letters }: NewProcess,
): Record<string, string> {
  return letters === undefined ? {} : { [letters]: lettersFolder(state, worker, attempt) };
}

/** Resolves once the runner exists; from then on nothing depends on us. */
async function launch(given: string[], cwd: string, env: Record<string, string>): Promise<void> {
  const runner = spawn(SHELL, given, { cwd, env, detached: true, stdio: 'ignore' });
  runner.unref();
  await new Promise<void>((resolve, reject) => {
    runner.once('spawn', resolve);
    runner.once('error', (error) => {
      const code = errnoOf(error) === 'E2BIG' ? 'input.invalid' : 'host.start_failed';
      reject(new LegionError(code, `the runner could not be started: ${error.message}`, { cause: error }));
    });
  });
}

async function firstSight({ table }: StartContext, folder: string): Promise<ProcessIdentity> {
  const until = performance.now() + SHOW_ITSELF_MS;
  for (;;) {
    const record = await readProcess(folder);
    if (record !== undefined) return identityOf(record);
    if (performance.now() > until) break;
    await sleep(LOOK_MS);
  }
  const claim = await readClaim(folder);
  if (claim === undefined || (await mayGoOn(table, folder, claim)))
    throw new LegionError('host.start_failed', `${folder}: nothing has shown itself yet`);
  throw new LegionError('host.start_unknown', `${folder}: its runner ended before it had started anything`);
}

async function mayGoOn(table: ProcessTable, folder: string, claim: Claim): Promise<boolean> {
  if (claim !== 'unreadable') return isRunnerThere(table, claim) !== false;
  const { mtimeMs } = await stat(join(folder, 'claim'));
  return Date.now() - mtimeMs < NAMELESS_MS;
}

function refuseUnfit({ worker, attempt, argv, cwd }: NewProcess): void {
  const complaint = !/^[\w.-]+$/.test(worker)
    ? `worker: ${shown(worker)} is not a worker id`
    : !Number.isSafeInteger(attempt) || attempt < 1
      ? `attempt: expected a whole number from 1, got ${attempt}`
      : argv[0] === '' || [...argv, cwd].some((text) => text.includes('\0'))
        ? 'argv: has a NUL, or no program'
        : !cwd.startsWith('/')
          ? `cwd: ${shown(cwd)} is not an absolute path`
          : undefined;
  if (complaint !== undefined) throw new LegionError('input.invalid', complaint);
}

/** Before anything is claimed, so that the same attempt can be started once the folder is there. */
async function refuseMissing(cwd: string): Promise<void> {
  const why = await stat(cwd).then(
    (found) => (found.isDirectory() ? undefined : 'is not a folder'),
    (error: unknown) => messageOf(error),
  );
  if (why !== undefined) throw new LegionError('host.folder_missing', `${cwd}: ${why}`);
}
