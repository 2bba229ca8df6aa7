/** Starts a process once, however many daemons ask and whenever they die: the runner's claim decides, not the caller. */
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../domain/environment.ts';
import { LegionError } from '../../domain/fault.ts';
import { shown } from '../../domain/shown.ts';
import type { NewProcess, ProcessIdentity } from '../host.ts';
import { attemptFolder, exists, prepareFolder } from './attempt-folder.ts';
import { lettersFolder } from './deliver.ts';
import { workerEnvironment } from './environment.ts';
import { errnoOf, messageOf } from './faults.ts';
import { identityOf, isRunnerThere } from './identity.ts';
import { newMarker } from './marker.ts';
import type { ProcessTable } from './process-table.ts';
import { type Claim, processFacts, readClaim, readProcess, readStart } from './records.ts';
import { EXIT_RESERVE, processReserve, runnerArguments, SHELL, type Tools } from './runner.ts';

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
  readonly tools: Tools;
}

export async function startProcess(context: StartContext, order: NewProcess): Promise<ProcessIdentity> {
  const { worker, attempt, argv, cwd, stdin } = order;
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
  await prepareFolder(context.state, folder, {
    'start.json': JSON.stringify({ worker, attempt, marker }),
    'process.tmp': processReserve(facts(marker)),
    'exit.tmp': EXIT_RESERVE,
    stdin,
    out: '',
    err: '',
  });
  // Possibly of an earlier call, which got this far and no further.
  const prepared = (await readStart(folder))?.marker ?? marker;
  if (!(await exists(join(folder, 'claim')))) {
    const runner = { folder, marker: prepared, facts: facts(prepared), tools: context.tools, argv };
    await launch(runnerArguments(runner), cwd, env);
  }
  return firstSight(context, folder);
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
