/** Holds an agent's session through its turns: the prompt, letters that came meanwhile, and a reminder where it stops without a word. */

import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { openRecord } from '../agents/runner/session-record.ts';
import { LegionError } from '../core/model/fault.ts';
import type { Environment } from '../domain/environment.ts';
import { MARKER_VARIABLE } from '../domain/marker.ts';
import { LETTERS_VARIABLE } from '../protocol/letter.ts';
import type { WorkerEnvironment } from '../protocol/worker-environment.ts';
import { identify } from '../speech/identify.ts';
import { hasLastWord } from '../speech/last-word.ts';
import type { Conversation, Dialect, SessionOrder, TurnEnd } from './dialect.ts';
import type { Equipment } from './equipment.ts';
import { ownGroup } from './group.ts';
import { openLetterbox } from './letterbox.ts';
import { nextPrompt, type Reminders } from './next-prompt.ts';
import { type Say, sayingTo } from './say.ts';

export interface DriveOrder
  extends Pick<SessionOrder, 'session' | 'isResumed' | 'model' | 'endpoint' | 'program'> {
  /** As the journal has it; the session's own record counts where it is absent. */
  readonly native: string | undefined;
  /** Where this agent's sessions are kept. */
  readonly home: string;
}

export interface DriveWorld {
  readonly env: Environment;
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly signal: AbortSignal;
  readonly equipment: Equipment;
}

/** As of sysexits: try again later. */
const RATE_LIMITED = 75;
/** As of sysexits: no permission. */
const LOGIN_REFUSED = 77;

/** Resolves to the exit code. Every fault is a line of the output before it is thrown. */
export async function drive(order: DriveOrder, dialect: Dialect, world: DriveWorld): Promise<number> {
  const say = sayingTo(world.stdout);
  try {
    const worker = identify(world.env);
    const record = openRecord(order.home, order.session, order.isResumed);
    const prompt = await text(addAbortSignal(world.signal, world.stdin));
    const emit: Say = (line) => {
      if (line.type === 'started') record.began(line.session);
      record.stirred();
      say(line);
    };
    const conversation = await dialect.open(
      {
        ...order,
        ...{ workspace: world.cwd, folder: record.folder, worker, equipment: world.equipment },
        native: order.native ?? record.native,
        env: inherited(world.env),
      },
      emit,
    );
    try {
      return await converse(conversation, { prompt, worker, emit, world, reminders: dialect.reminders });
    } finally {
      await conversation.close();
      await endLeftovers(world.env);
    }
  } catch (error) {
    // Being asked to end is no fault, whatever was cut short by it.
    world.signal.throwIfAborted();
    if (error instanceof LegionError) say({ type: 'error', code: error.code, message: error.message });
    throw error;
  }
}

interface Course {
  readonly prompt: string;
  readonly worker: WorkerEnvironment;
  readonly emit: Say;
  readonly world: DriveWorld;
  readonly reminders: Reminders;
}

async function converse(conversation: Conversation, course: Course): Promise<number> {
  const { worker, emit, world } = course;
  const letters = openLetterbox(world.env[LETTERS_VARIABLE]);
  let reminded = 0;
  for (let prompt = course.prompt; ; ) {
    const end = await oneTurn(prompt);
    world.signal.throwIfAborted();
    if (end.how === 'rate limited') {
      emit({ type: 'rate_limited', ...(end.resetAt === undefined ? {} : { reset_at: end.resetAt }) });
      return RATE_LIMITED;
    }
    if (end.how === 'login refused') {
      emit({ type: 'login_refused', message: end.message });
      return LOGIN_REFUSED;
    }
    emit({ type: 'turn_ended', ...(end.how === 'interrupted' ? { interrupted: true as const } : {}) });
    // What came after the last word begins the next life: this one's move is made.
    if (await hasLastWord(worker.LEGION_OUTBOX)) return 0;
    const waiting = await letters.waiting();
    const next = nextPrompt(waiting, reminded, course.reminders);
    if (next === undefined) return 0;
    if (waiting.length === 0) reminded += 1;
    letters.heard(waiting);
    for (const { id } of waiting) emit({ type: 'heard', letter: id });
    prompt = next;
  }

  async function oneTurn(prompt: string): Promise<TurnEnd> {
    const urgent = new AbortController();
    const stopLooking = letters.whenUrgent(() => urgent.abort());
    try {
      return await conversation.turn(prompt, AbortSignal.any([urgent.signal, world.signal]));
    } finally {
      stopLooking();
    }
  }
}

/**
 * Agents give their commands sessions of their own, which a signal to the group does not reach: a server that a worker left running
 * would outlive it for ever. Only where a host has marked this process is its group its own; what cannot be ended is the host's business.
 */
async function endLeftovers(env: DriveWorld['env']): Promise<void> {
  if (env[MARKER_VARIABLE] === undefined) return;
  try {
    await ownGroup(env).endOthers([]);
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
  }
}

/** Everything, its marker too; only the cache of our own modules is not the agent's. */
function inherited({ NODE_COMPILE_CACHE: _ours, ...env }: DriveWorld['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}
