/** Carries out intents: those of one issue one after the other, those of different issues at the same time. */
import type { Command } from '../../core/model/command.ts';
import type { EventBody } from '../../core/model/event.ts';
import { CATALOGUE, type FaultCode, LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Outcome } from '../perform/outcome.ts';
import { perform } from '../perform/perform.ts';
import type { PreparedWorkspace } from '../perform/prepared-workspace.ts';
import { prepareAhead } from '../perform/spawn.ts';
import { faultOf } from '../troubles.ts';
import type { World } from '../world.ts';
import type { Cooling } from './issue-backoff.ts';

export interface Numbered {
  readonly intent: number;
  readonly command: Command;
}

export interface Performer {
  /** Begins and returns; what comes of it is in the journal, and wakes the loop. Resolves when all of them are settled. */
  begin(issue: IssueId, commands: readonly Numbered[]): Promise<void>;
  /** Resolves when all commands of this issue that have been begun are settled; never rejects. */
  settled(issue: IssueId): Promise<void>;
  /** Lets what is under way come to its end, or to where it may be cut; nothing new is begun afterwards. */
  stop(): Promise<void>;
}

/** What may succeed later is tried again after 0.5, 1, 2 and 4 s; after that the next look decides anew. */
const RETRY_AFTER_MS: readonly number[] = [500, 1_000, 2_000, 4_000];

/** GitHub's limits end with the hour; a time that is further off is a mistake of somebody's clock. */
const LONGEST_WAIT_MS = 65 * 60_000;

/** The pause before an outcome that could not be written, for example because the disk is full, is written again. */
const UNWRITTEN_PAUSE_MS = 5_000;

export function startPerformer(world: World, cooling: Cooling): Performer {
  const ended = new AbortController();
  // Whoever was replaced leaves what is open to its successor.
  world.ledger.fenced.addEventListener('abort', () => ended.abort(), { once: true });
  /** The latest work of each issue; it begins when the one before it has ended. */
  const latest = new Map<IssueId, Promise<void>>();
  /**
   * Outcomes that are not in the journal yet, by intent. Carrying a command out again could contradict its first outcome: a worker
   * that was started and has ended in the meantime would count as one that could not be started.
   */
  const unwritten = new Map<number, Outcome>();

  async function run(issue: IssueId, commands: readonly Numbered[]): Promise<void> {
    let failed: Outcome | undefined;
    const ahead = prepareWorkspaceAhead(commands);
    for (const { intent, command } of commands) {
      if (ended.signal.aborted) return;
      // After a failed write the commands behind it would act on an issue that is not where they think.
      const outcome =
        unwritten.get(intent) ??
        (failed === undefined ? await tried(command, ahead) : overtaken(command, failed));
      if (outcome === undefined) return;
      if (outcome.outcome === 'failed' && command.kind !== 'clean_workspace') failed ??= outcome;
      if (outcome.outcome === 'done') unwritten.set(intent, outcome);
      await settle(intent, outcome);
      unwritten.delete(intent);
    }
    if (failed === undefined) {
      world.troubles.clear(`issue ${issue}`);
      cooling.succeeded(issue);
    } else cooling.failed(issue);
    world.wake(issue);
  }

  /** Its intent is durable already, so its workspace may be prepared beside the commands before it. */
  function prepareWorkspaceAhead(commands: readonly Numbered[]): Promise<PreparedWorkspace> | undefined {
    const start = commands.slice(1).find(({ command }) => command.kind === 'spawn');
    if (start?.command.kind !== 'spawn' || unwritten.has(start.intent) || ended.signal.aborted)
      return undefined;
    return prepareAhead(world, start.command, ended.signal);
  }

  /** Continues after a pause when the journal refused an outcome: an open intent blocks its issue. */
  async function runAgain(issue: IssueId, error: unknown): Promise<void> {
    if (ended.signal.aborted) return;
    world.troubles.raise(`issue ${issue}`, error);
    await world.clock.sleep(UNWRITTEN_PAUSE_MS, ended.signal).catch(() => undefined);
    const open = [...world.ledger.swarm.intents].filter(([, { command }]) => command.issue === issue);
    const left = open.map(([intent, { command }]) => ({ intent, command }));
    if (!ended.signal.aborted) await run(issue, left).catch((again: unknown) => runAgain(issue, again));
  }

  async function settle(intent: number, { outcome, detail, events }: Outcome): Promise<void> {
    await world.ledger.append((swarm) =>
      swarm.intents.has(intent)
        ? [...(events?.(swarm) ?? []), { type: 'intent.settled', intent, outcome, detail }]
        : [],
    );
  }

  /** Undefined when the daemon ends: the intent stays open, and the next start looks at it again. */
  async function tried(command: Command, ahead?: Promise<PreparedWorkspace>): Promise<Outcome | undefined> {
    for (const [round, pause] of [...RETRY_AFTER_MS, undefined].entries()) {
      try {
        return await perform(world, command, ended.signal, round === 0 ? ahead : undefined);
      } catch (error) {
        if (ended.signal.aborted) return undefined;
        // A worker that may be running is not given up: its intent stays open until the host can be asked.
        // A pause that may be on the board already is not given up either: a person has to hear of it.
        if (pause === undefined && (isUnseen(command, error) || isUntoldPause(command, error))) throw error;
        if (pause === undefined || !(error instanceof LegionError) || !error.retryable)
          return failure(command, error);
        await wait(command, Math.max(pause, restUntil(error)), error);
      }
      if (ended.signal.aborted) return undefined;
    }
    return undefined;
  }

  /** Who is told to wait for long is not silent about it: nothing else moves for this issue meanwhile. */
  async function wait(command: Command, ms: number, error: LegionError): Promise<void> {
    if (error.retryAt !== undefined) world.troubles.raise(`issue ${command.issue}`, error);
    await world.clock.sleep(ms, ended.signal).catch(() => undefined);
  }

  /** Asked earlier, a service that counts would only refuse again. */
  function restUntil({ retryAt }: LegionError): number {
    return retryAt === undefined ? 0 : Math.min(retryAt - world.clock.now(), LONGEST_WAIT_MS);
  }

  function failure(command: Command, error: unknown): Outcome {
    const { code, message } = faultOf(error);
    world.troubles.raise(`issue ${command.issue}`, error);
    // The next issue would meet the same: the preflight finds out, and holds them all.
    if (code === 'git.submodule_failed') world.preflight.rerunBaselines();
    const detail = `${code}: ${message}`;
    return { outcome: 'failed', detail, events: () => afterFailure(command, code, detail) };
  }

  function begin(issue: IssueId, commands: readonly Numbered[]): Promise<void> {
    const before = latest.get(issue) ?? Promise.resolve();
    const work = before
      .then(() => run(issue, commands))
      .catch((error: unknown) => runAgain(issue, error))
      .finally(() => {
        if (latest.get(issue) === work) latest.delete(issue);
      });
    latest.set(issue, work);
    return work;
  }

  return {
    begin,
    settled: (issue) => latest.get(issue) ?? Promise.resolve(),
    async stop() {
      ended.abort();
      await Promise.all(latest.values());
    },
  };
}

function isUnseen({ kind }: Command, error: unknown): boolean {
  return kind === 'spawn' && error instanceof LegionError && error.code === 'host.unavailable';
}

function isUntoldPause(command: Command, error: unknown): boolean {
  const pauses = command.kind === 'write_issue' && command.add.includes('legion-paused');
  return pauses && error instanceof LegionError && error.retryable;
}

/** An attempt that was claimed and could not be started has ended: it counts as failed, so that it is not tried for ever. */
function afterFailure(command: Command, code: FaultCode, detail: string): EventBody[] {
  if (command.kind !== 'spawn') return [];
  const { issue, mode, attempt } = command;
  // Too little room is the host's trouble, a submodule the repository's, a service that is away its own; none is the worker's.
  if (code === 'worker.no_capacity' || code === 'git.submodule_failed' || isAway(code))
    return [{ type: 'attempt.stopped', issue, mode, attempt, why: detail }];
  return [{ type: 'attempt.crashed', issue, mode, attempt, evidence: [`could not be started: ${detail}`] }];
}

/** A tracker or a forge that may answer later. */
function isAway(code: FaultCode): boolean {
  return CATALOGUE[code].nature === 'retryable' && /^(?:tracker|forge|github)\./.test(code);
}

function overtaken(command: Command, { detail }: Outcome): Outcome {
  const why = `not begun, because what comes before it failed (${detail})`;
  if (command.kind !== 'spawn') return { outcome: 'superseded', detail: why };
  const { issue, mode, attempt } = command;
  const stopped: EventBody = { type: 'attempt.stopped', issue, mode, attempt, why };
  return { outcome: 'superseded', detail: why, events: () => [stopped] };
}
