/** Follows one attempt: reads its agent's output, detects its exit and journals both. */

import type { EventBody } from '../../core/model/event.ts';
import { toWorkerId } from '../../core/model/ids.ts';
import { hasEnded, toLifecycleState } from '../../core/model/lifecycle.ts';
import type { Mode } from '../../core/model/mode.ts';
import type { LegionState, WorkerRecord } from '../../core/state/state.ts';
import type { Agent, AgentEvent } from '../../ports/agent.ts';
import type { ProcessIdentity } from '../../ports/host.ts';
import { LineSplitter } from '../../protocol/line-splitter.ts';
import { toMessageNumber } from '../../protocol/worker-message.ts';
import type { DaemonContext, PortContext } from '../context/daemon-context.ts';
import { toProcessExit } from './stop-process.ts';
import { type AgentTrace, applyAgentEvent, EMPTY_TRACE } from './trace.ts';

export interface AttemptIdentity {
  readonly issue: string;
  readonly mode: Mode;
  readonly attempt: number;
}

export interface AttemptWatch {
  readonly trace: AgentTrace;
  /** Whether output was read but not journaled yet. Such output is not in the trace. */
  readonly hasUnrecorded: boolean;
  /** Reads to the current end and checks for an exit. Concurrent calls share one read. */
  poll(): Promise<void>;
  close(): void;
}

/**
 * Calls `onChange` when there is something new to judge: the worker's exit, or a refusal by its
 * provider.
 */
export function watchAttempt(
  context: DaemonContext,
  agent: Agent,
  { issue, mode, attempt }: AttemptIdentity,
  identity: ProcessIdentity,
  onChange: () => void,
): AttemptWatch {
  const { host, clock, ledger, problems } = context;
  const about = { issue, mode, attempt };
  const worker = toWorkerId(issue, mode);
  const lines = new LineSplitter();
  const notes = createSpendingRecorder(context, about);
  const unrecorded: AgentEvent[] = [];
  let trace = EMPTY_TRACE;
  let offset = 0;
  /**
   * Whether the previous read reached the end of the output. Only then is it known when new output
   * was written.
   */
  let upToDate = false;
  let isOver = false;
  let reading: Promise<void> | undefined;
  let isReadNeeded = false;

  async function read(): Promise<void> {
    const before = offset;
    const wasUpToDate = upToDate;
    upToDate = false;
    try {
      for await (const { text, nextOffset } of host.output(worker, attempt, offset)) {
        offset = nextOffset;
        for (const line of lines.take(text))
          unrecorded.push(...(line === undefined ? [OVERLONG_LINE] : agent.read(line)));
        await recordEvents();
      }
      await recordEvents();
      if (await notes.record(trace.usage, wasUpToDate)) onChange();
    } catch (error) {
      // A worker with unreadable output may still have exited, and nothing else would notice the
      // exit. Output that was read must be journaled before the exit, because it may mention an
      // exhausted quota.
      if (unrecorded.length === 0) await detectExit();
      throw error;
    }
    upToDate = true;
    // If there was new output, another read follows, because the exit may have come together with
    // that output. The process is checked only after a read without new output, because the check
    // costs more than reading a file.
    if (offset === before) await detectExit();
    else isReadNeeded = true;
  }

  /**
   * Journals events one by one, and drops each only after it has been journaled, so that no output
   * is lost while the journal is busy.
   */
  async function recordEvents(): Promise<void> {
    for (let event = unrecorded[0]; event !== undefined; event = unrecorded[0]) {
      const received = event;
      if (buildNewEvents(ledger.state, received).length > 0)
        await ledger.append((state) => buildNewEvents(state, received));
      trace = applyAgentEvent(trace, event, clock.now());
      unrecorded.shift();
      if (event.kind === 'rate limited' || event.kind === 'login refused') onChange();
    }
  }

  /**
   * Returns the journal events for new output. Output that is read again after a restart yields
   * none.
   */
  function buildNewEvents({ workers, messages }: LegionState, event: AgentEvent): EventBody[] {
    const known = workers.get(worker);
    if (known?.attempt !== attempt) return [];
    const native = event.kind === 'started' ? event.native : undefined;
    const message = event.kind === 'heard' ? toMessageNumber(event.letter) : undefined;
    const isPaired = native === undefined || known.native === native;
    // An ended attempt never records its first event. Without this check, every line of its output
    // would be treated as the first.
    const isFirst = known.facts.firstEventAt === undefined && !hasEnded(toLifecycleState(known.facts));
    return [
      ...(isFirst ? [{ type: 'attempt.active', ...about } as const] : []),
      ...(isPaired ? [] : [{ type: 'attempt.session_paired', ...about, native } as const]),
      ...(message !== undefined && messages.get(message)?.to === worker
        ? [{ type: 'message.delivered', message } as const]
        : []),
    ];
  }

  async function detectExit(): Promise<void> {
    const seen = await host.observe(identity);
    if (seen.alive !== false || seen.exit === 'none') return;
    const exit = toProcessExit(seen);
    const { code, signal } = exit === 'unknown' ? { code: null, signal: null } : exit;
    // The stop ladder may have recorded the exit first.
    await ledger.append((state) => {
      const present = state.workers.get(worker);
      const isKnown = present?.attempt !== attempt || present.exit !== undefined;
      const exited: EventBody[] = isKnown ? [] : [{ type: 'attempt.exited', ...about, code, signal }];
      return [...notes.buildFinalEvents(state, trace.usage), ...exited];
    });
    // Set only after the exit is journaled. If the journal is busy, the next read finds the exit
    // again.
    isOver = true;
    stopWatching();
    onChange();
  }

  function readNewOutput(): Promise<void> {
    isReadNeeded = true;
    reading ??= (async () => {
      while (isReadNeeded && !isOver) {
        isReadNeeded = false;
        await read();
      }
    })()
      .then(() => problems.resolve(`output of ${worker}`))
      .catch((error: unknown) => problems.report(`output of ${worker}`, error))
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  const stopWatching = host.watch(worker, attempt, () => void readNewOutput());
  void readNewOutput();
  return {
    get trace() {
      return trace;
    },
    get hasUnrecorded() {
      return unrecorded.length > 0;
    },
    poll: readNewOutput,
    close() {
      isOver = true;
      stopWatching();
    },
  };
}

const OVERLONG_LINE: AgentEvent = { kind: 'unreadable', length: Number.MAX_SAFE_INTEGER };

/**
 * Maximum delay before spending is journaled. A shorter delay would cause a durable write for every
 * word.
 */
const SPENDING_INTERVAL_MS = 10_000;

interface SpendingRecorder {
  /**
   * Call it whenever all output has been read. Resolves to whether anything that affects a budget
   * was journaled. `isNew` means that the output was written since the previous call. Output that
   * is read late may be older than a known checkpoint.
   */
  record(usage: AgentTrace['usage'], isNew: boolean): Promise<boolean>;
  /** Returns the events for the append that journals the attempt's end. */
  buildFinalEvents(state: LegionState, usage: AgentTrace['usage']): EventBody[];
}

/**
 * Journals an attempt's spending, so that budgets apply across restarts: rarely while the attempt
 * is running, and always at its end.
 */
function createSpendingRecorder(
  context: DaemonContext,
  { issue, mode, attempt }: AttemptIdentity,
): SpendingRecorder {
  const { ledger, clock } = context;
  const id = toWorkerId(issue, mode);
  let writtenAt = Number.NEGATIVE_INFINITY;

  function present({ workers }: LegionState): WorkerRecord | undefined {
    const worker = workers.get(id);
    return worker?.attempt === attempt ? worker : undefined;
  }

  function buildNewEvents(state: LegionState, usage: AgentTrace['usage'], changedAt?: number): EventBody[] {
    const worker = present(state);
    if (worker === undefined) return [];
    const { now } = worker.spent;
    const { turns, usd } = usage;
    const tokens = usage.tokensIn + usage.tokensOut;
    // Output read again after a restart is already journaled.
    if (turns <= now.turns && tokens <= now.tokens && usd <= now.usd) return [];
    const onChange = changedAt === undefined ? {} : { changedAt };
    return [{ type: 'attempt.spent', issue, mode, attempt, turns, tokens, usd, ...onChange }];
  }

  return {
    async record(usage, isNew) {
      const worker = present(ledger.state);
      if (worker === undefined || buildNewEvents(ledger.state, usage).length === 0) return false;
      const isTurn = usage.turns > worker.spent.now.turns;
      // If the worker has reported, its last turn is journaled together with the end of the
      // attempt, which follows soon.
      if (isTurn ? !isAtWork(worker) : clock.now() - writtenAt < SPENDING_INTERVAL_MS) return false;
      const isKnown = isTurn && isNew && !(await context.hasPendingMessages(id, attempt));
      const changedAt = isKnown ? await findWorkspaceChange(context, issue) : undefined;
      writtenAt = clock.now();
      return (await ledger.append((state) => buildNewEvents(state, usage, changedAt))).length > 0;
    },
    buildFinalEvents: (state, usage) => buildNewEvents(state, usage),
  };
}

/**
 * Returns whether the worker is still working. Only then do its changes matter: a worker that has
 * reported has finished its work.
 */
function isAtWork({ facts }: WorkerRecord): boolean {
  const state = toLifecycleState(facts);
  return !hasEnded(state) && state !== 'reporting';
}

/**
 * Returns the time of the last change in the workspace. Undefined if the workspace could not be
 * read, which is not evidence about the worker.
 */
async function findWorkspaceChange({ workspaces }: PortContext, issue: string): Promise<number | undefined> {
  return workspaces.changedAt(issue).catch(() => undefined);
}
