/**
 * Schedules outbox imports. Imports all outboxes at startup and at long intervals; in between,
 * imports only those that may contain messages.
 */
import { rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LegionError } from '../../../core/model/fault.ts';
import type { WorkerIdentity } from '../../../core/model/ids.ts';
import { toWorkerId } from '../../../core/model/ids.ts';
import { listPresentWorkers } from '../../../core/state/workers.ts';
import { DONE_FLAG, type OutboxEntry, parseOutboxEntry, QUESTION_FLAG } from '../../../protocol/outbox.ts';
import { VERBS_KEPT_OFFLINE } from '../../../protocol/verb.ts';
import type { DaemonContext } from '../../context/daemon-context.ts';
import type { WorkerApi } from '../../daemon.ts';
import { type FoundOutbox, findOutboxes, readEntryFile, readOutbox } from './entries.ts';
import { isPermanentRefusal, reportSetAside, setAside } from './set-aside.ts';

/** Directory of all outboxes in the legion's state directory. */
const OUTBOXES = 'outbox';

const OUTBOX_PROBLEM = 'outbox';

/**
 * Interval between imports of all outboxes. Only these imports find messages that an attempt wrote
 * after its end.
 */
const FULL_SCAN_INTERVAL_MS = 10 * 60_000;

type OutboxImporterContext = Pick<DaemonContext, 'folders' | 'ledger' | 'problems' | 'clock'>;

interface OutboxImportRun {
  readonly result: Promise<number>;
  /** The next run. It starts when the current run ends, and all callers in between share it. */
  next?: Promise<number>;
}

/** All methods resolve to the number of imported messages and never reject. */
export class OutboxImporter {
  readonly #context: OutboxImporterContext;
  readonly #workerApi: WorkerApi;
  readonly #root: string;
  readonly #runs = new Map<string, OutboxImportRun>();
  /** Outboxes with messages that could not be imported yet, each with the reason if known. */
  readonly #unfinished = new Map<string, unknown>();
  /** Outboxes with refused messages that have not been removed yet. */
  readonly #setAside = new Set<string>();
  #lastFullScan = Number.NEGATIVE_INFINITY;
  #rootProblem: unknown;

  constructor(context: OutboxImporterContext, workerApi: WorkerApi) {
    this.#context = context;
    this.#workerApi = workerApi;
    this.#root = join(context.folders.state, OUTBOXES);
  }

  /**
   * Runs in every board pass. Imports the outboxes of live attempts and those with remaining
   * messages, or all outboxes when a full scan is due.
   */
  async importDue(): Promise<number> {
    if (this.#context.clock.monotonic() - this.#lastFullScan >= FULL_SCAN_INTERVAL_MS)
      return this.importAll();
    const imported = await this.#importEach([...this.#liveOutboxes(), ...this.#unfinished.keys()]);
    // A person may have removed refused messages, so the problems are updated.
    await this.#reportProblems();
    return imported;
  }

  /** Imports every existing outbox and removes empty ones of ended attempts. */
  async importAll(): Promise<number> {
    this.#lastFullScan = this.#context.clock.monotonic();
    let found: readonly FoundOutbox[] = [];
    try {
      found = await findOutboxes(this.#root);
      this.#rootProblem = undefined;
    } catch (error) {
      this.#rootProblem = toOutboxError(this.#root, error);
    }
    for (const { folder, hasSetAside } of found) if (hasSetAside) this.#setAside.add(folder);
    const waiting = found.filter(({ needsReading }) => needsReading).map(({ folder }) => folder);
    const imported = await this.#importEach([...waiting, ...this.#unfinished.keys()]);
    await this.#clearEnded(found);
    await this.#reportProblems();
    return imported;
  }

  /**
   * Imports one outbox. If an import is already running, reads the outbox once more, because that
   * import may have missed the newest messages.
   */
  importOne(folder: string): Promise<number> {
    const reading = this.#runs.get(folder);
    if (reading === undefined) return this.#begin(folder);
    reading.next ??= reading.result.then(() => this.importOne(folder));
    return reading.next;
  }

  async #importEach(folders: readonly string[]): Promise<number> {
    let imported = 0;
    for (const folder of new Set(folders)) imported += await this.importOne(folder);
    return imported;
  }

  /**
   * Imports an outbox. Two imports of one outbox never run at once, because both would deliver the
   * same messages.
   */
  #begin(folder: string): Promise<number> {
    const result = importOutbox(folder, this.#workerApi)
      .then((reading) => this.#recordResult(folder, reading))
      .finally(() => this.#runs.delete(folder));
    this.#runs.set(folder, { result });
    return result;
  }

  async #recordResult(
    folder: string,
    { imported, hasSetAside, hasMore, problem }: OutboxImportResult,
  ): Promise<number> {
    if (hasMore || problem !== undefined) this.#unfinished.set(folder, problem);
    else this.#unfinished.delete(folder);
    if (hasSetAside) this.#setAside.add(folder);
    await this.#reportProblems();
    return imported;
  }

  async #reportProblems(): Promise<void> {
    const { problems } = this.#context;
    try {
      for (const folder of await reportSetAside(problems, [...this.#setAside])) this.#setAside.delete(folder);
    } catch (error) {
      this.#rootProblem ??= toOutboxError(this.#root, error);
    }
    const problem = this.#rootProblem ?? [...this.#unfinished.values()].find((each) => each !== undefined);
    if (problem === undefined) problems.resolve(OUTBOX_PROBLEM);
    else problems.report(OUTBOX_PROBLEM, problem);
  }

  #liveOutboxes(): string[] {
    const { ledger, folders } = this.#context;
    return listPresentWorkers(ledger.state).map(([, { issue, mode, attempt }]) =>
      folders.outbox(toWorkerId(issue, mode), attempt),
    );
  }

  async #clearEnded(found: readonly FoundOutbox[]): Promise<void> {
    const live = new Set(this.#liveOutboxes().flatMap((folder) => [folder, dirname(folder)]));
    for (const { folder, hasSetAside } of found) {
      const isEmpty = !hasSetAside && !this.#setAside.has(folder) && !this.#unfinished.has(folder);
      if (isEmpty && !live.has(folder)) await clearOutbox(folder, this.#context.clock.now());
    }
  }
}

/**
 * An attempt that was declared over may still write messages. After an hour without changes, it is
 * assumed to have stopped writing.
 */
const UNCHANGED_FOR_MS = 60 * 60_000;

/**
 * Removes an empty outbox. If the directory contains any file other than the flags, it is kept.
 * Never rejects: a leftover directory only costs an occasional read.
 */
async function clearOutbox(folder: string, now: number): Promise<void> {
  try {
    if (now - (await stat(folder)).mtimeMs < UNCHANGED_FOR_MS) return;
    await rm(join(folder, DONE_FLAG), { force: true });
    await rm(join(folder, QUESTION_FLAG), { force: true });
    await rmdir(folder);
  } catch {
    // The directory contains another file, or it has already been removed.
  }
}

export interface OutboxImportResult {
  /** Number of imported messages. */
  readonly imported: number;
  readonly hasSetAside: boolean;
  /** Whether messages remain for a later pass. */
  readonly hasMore: boolean;
  /** Why messages remain. */
  readonly problem?: unknown;
}

/**
 * Imports one outbox: each message once, in the order in which it was stored. A message that can
 * never be imported is set aside for a person. A message that cannot be imported at the moment
 * stays in the outbox, and so do all later ones. Never rejects.
 */
async function importOutbox(folder: string, workerApi: WorkerApi): Promise<OutboxImportResult> {
  let imported = 0;
  let hasSetAside = false;
  let problem: unknown;
  try {
    const { names, hasMore } = await readOutbox(folder);
    for (const name of names) {
      const delivery = await deliverEntry(join(folder, name), workerApi);
      switch (delivery.became) {
        case 'taken':
          // The message file is removed only at this point. If the daemon is killed earlier, the
          // message is imported again, which has no further effect.
          await rm(join(folder, name), { force: true });
          imported += 1;
          break;
        case 'impossible':
          hasSetAside = true;
          // If setting the message aside fails, it stays in the outbox, and later ones are still
          // imported.
          await setAside(folder, name, delivery.why).catch((error: unknown) => {
            problem ??= toOutboxError(folder, error);
          });
          break;
        case 'gone':
          break;
        case 'later':
          return { imported, hasSetAside, hasMore: true, problem: delivery.error };
      }
    }
    return { imported, hasSetAside, hasMore, problem };
  } catch (error) {
    return { imported, hasSetAside, hasMore: true, problem: toOutboxError(folder, error) };
  }
}

function toOutboxError(folder: string, error: unknown): LegionError {
  if (error instanceof LegionError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new LegionError('speech.outbox_unusable', `${folder}: ${why}`, { cause: error });
}

type EntryDelivery =
  | { readonly became: 'taken' }
  /** The message file was already removed by another process. */
  | { readonly became: 'gone' }
  | { readonly became: 'impossible'; readonly why: string }
  | { readonly became: 'later'; readonly error: unknown };

/** Delivers one message from an outbox on behalf of the worker that its token identifies. */
async function deliverEntry(path: string, workerApi: WorkerApi): Promise<EntryDelivery> {
  const file = readEntryFile(path);
  if (file.found !== 'text')
    return file.found === 'gone' ? { became: 'gone' } : createImpossibleDelivery(file.why);
  const entry = parseOutboxEntry(file.text, 'message');
  if (!entry.ok) return createImpossibleDelivery(entry.fault.message);
  const who = workerApi.identify(entry.value.token);
  const problem = who === undefined ? 'its token is invalid' : findEntryProblem(entry.value, who);
  if (who === undefined || problem !== undefined) return createImpossibleDelivery(problem ?? '');
  try {
    await workerApi.handleVerb(who, entry.value.verb, entry.value.input, entry.value.id, 'outbox');
    return { became: 'taken' };
  } catch (error) {
    return isPermanentRefusal(error)
      ? createImpossibleDelivery(`${error.code}: ${error.message}`)
      : { became: 'later', error };
  }
}

function createImpossibleDelivery(why: string): EntryDelivery {
  return { became: 'impossible', why };
}

/**
 * Returns the reason why a message cannot be delivered. Its sender must match its token. Its verb
 * must not be one that needs an answer, because the worker would never get it.
 */
function findEntryProblem({ verb, worker, attempt }: OutboxEntry, who: WorkerIdentity): string | undefined {
  if (worker !== toWorkerId(who.issue, who.mode) || attempt !== who.attempt) {
    return 'its worker or attempt differs from its token';
  }
  return VERBS_KEPT_OFFLINE.includes(verb) ? undefined : `${verb} cannot be stored in an outbox`;
}

/**
 * Processes a worker's messages in order. Messages that were stored while the daemon was
 * unreachable are imported before a new one is handled: otherwise a report could be refused because
 * its handoff is still in the outbox. `takeIn` imports one outbox.
 */
export function withOutboxImport(
  { folders }: Pick<DaemonContext, 'folders'>,
  workerApi: WorkerApi,
  takeIn: (outbox: string) => Promise<unknown>,
): WorkerApi {
  return {
    identify: workerApi.identify,
    async handleVerb(who, verb, input, message) {
      const outbox = folders.outbox(toWorkerId(who.issue, who.mode), who.attempt);
      if (await hasPendingMessages(outbox)) await takeIn(outbox);
      // Messages that cannot be imported are reported separately. They must not block the worker's
      // new message.
      return workerApi.handleVerb(who, verb, input, message);
    },
  };
}

/**
 * Returns whether the outbox contains messages. An unreadable outbox is treated as empty, because
 * it must not block new messages.
 */
export async function hasPendingMessages(outbox: string): Promise<boolean> {
  const entries = await readOutbox(outbox).catch(() => undefined);
  return entries !== undefined && entries.names.length > 0;
}
