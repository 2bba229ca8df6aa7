/** Follows one attempt: reads what its agent writes, notices its end, and says so to the journal. */

import type { EventBody } from '../../core/model/event.ts';
import { workerId } from '../../core/model/ids.ts';
import type { Swarm } from '../../core/state/state.ts';
import { hasEnded, lifecycleOf } from '../../domain/lifecycle.ts';
import type { Mode } from '../../domain/mode.ts';
import type { ProcessIdentity } from '../../hosts/host.ts';
import type { Agent, AgentEvent } from '../../ports/agent.ts';
import { messageOfLetter } from '../../protocol/letter.ts';
import { Lines } from '../../protocol/line-splitter.ts';
import { NOTHING_YET, type Trace, traced } from '../supervisor/trace.ts';
import type { World } from '../world.ts';
import { exitOf } from './end-process.ts';
import { spendingNotes } from './note-spending.ts';

export interface Attempt {
  readonly issue: string;
  readonly mode: Mode;
  readonly attempt: number;
}

export interface AttemptWatch {
  readonly trace: Trace;
  /** Words were read that could not be written down yet: what they say is not in the trace. */
  readonly hasUnheard: boolean;
  /** Reads to the present end and looks whether it is over; calls share one reading. */
  look(): Promise<void>;
  close(): void;
}

/** `changed` is called when there is something new to judge: its end, or a refusal for lack of quota. */
export function watchAttempt(
  world: World,
  agent: Agent,
  { issue, mode, attempt }: Attempt,
  identity: ProcessIdentity,
  changed: () => void,
): AttemptWatch {
  const { host, clock, ledger, troubles } = world;
  const about = { issue, mode, attempt };
  const worker = workerId(issue, mode);
  const lines = new Lines();
  const notes = spendingNotes(world, about);
  const unheard: AgentEvent[] = [];
  let trace = NOTHING_YET;
  let offset = 0;
  /** Whether all was read to its end the last time: only then is it known when what is read now was written. */
  let upToDate = false;
  let over = false;
  let reading: Promise<void> | undefined;
  let again = false;

  async function read(): Promise<void> {
    const before = offset;
    const wasUpToDate = upToDate;
    upToDate = false;
    try {
      for await (const { text, nextOffset } of host.output(worker, attempt, offset)) {
        offset = nextOffset;
        for (const line of lines.take(text))
          unheard.push(...(line === undefined ? [TOO_LONG] : agent.read(line)));
        await hear();
      }
      await hear();
      if (await notes.heard(trace.usage, wasUpToDate)) changed();
    } catch (error) {
      // Whose words cannot be read may have ended all the same, and nobody else would notice. Words that were read and could
      // not be written down come first: the last of them may name a quota.
      if (unheard.length === 0) await lookForEnd();
      throw error;
    }
    upToDate = true;
    // Its end may have come with its last words: only a reading without news is followed by a look at the process, which
    // costs more than reading a file.
    if (offset === before) await lookForEnd();
    else again = true;
  }

  /** One by one, and each is forgotten only when its news is written: a journal that is busy must not cost us a word. */
  async function hear(): Promise<void> {
    for (let event = unheard[0]; event !== undefined; event = unheard[0]) {
      const heard = event;
      if (news(ledger.swarm, heard).length > 0) await ledger.append((swarm) => news(swarm, heard));
      trace = traced(trace, event, clock.now());
      unheard.shift();
      if (event.kind === 'rate limited' || event.kind === 'login refused') changed();
    }
  }

  /** What is read again after a restart is no news. */
  function news({ workers, messages }: Swarm, event: AgentEvent): EventBody[] {
    const known = workers.get(worker);
    if (known?.attempt !== attempt) return [];
    const native = event.kind === 'started' ? event.native : undefined;
    const message = event.kind === 'heard' ? messageOfLetter(event.letter) : undefined;
    const isPaired = native === undefined || known.native === native;
    // Of one that has ended no first word is kept: it would be news with every line.
    const isFirst = known.facts.firstEventAt === undefined && !hasEnded(lifecycleOf(known.facts));
    return [
      ...(isFirst ? [{ type: 'attempt.active', ...about } as const] : []),
      ...(isPaired ? [] : [{ type: 'attempt.session_paired', ...about, native } as const]),
      ...(message !== undefined && messages.get(message)?.to === worker
        ? [{ type: 'message.delivered', message } as const]
        : []),
    ];
  }

  async function lookForEnd(): Promise<void> {
    const seen = await host.observe(identity);
    if (seen.alive !== false || seen.exit === 'none') return;
    const exit = exitOf(seen);
    const { code, signal } = exit === 'unknown' ? { code: null, signal: null } : exit;
    // Whoever stopped it may have seen its end first.
    await ledger.append((swarm) => {
      const present = swarm.workers.get(worker);
      const isKnown = present?.attempt !== attempt || present.exit !== undefined;
      const exited: EventBody[] = isKnown ? [] : [{ type: 'attempt.exited', ...about, code, signal }];
      return [...notes.atEnd(swarm, trace.usage), ...exited];
    });
    // Only once it is written: with a journal that is busy the next look finds the end again.
    over = true;
    stopWatching();
    changed();
  }

  function look(): Promise<void> {
    again = true;
    reading ??= (async () => {
      while (again && !over) {
        again = false;
        await read();
      }
    })()
      .then(() => troubles.clear(`output of ${worker}`))
      .catch((error: unknown) => troubles.raise(`output of ${worker}`, error))
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  const stopWatching = host.watch(worker, attempt, () => void look());
  void look();
  return {
    get trace() {
      return trace;
    },
    get hasUnheard() {
      return unheard.length > 0;
    },
    look,
    close() {
      over = true;
      stopWatching();
    },
  };
}

const TOO_LONG: AgentEvent = { kind: 'unreadable', length: Number.MAX_SAFE_INTEGER };
