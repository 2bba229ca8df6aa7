/**
 * Runs an agent's session turn by turn: first the prompt, then incoming worker messages, and a
 * reminder if the agent stops without a report.
 */

import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type EnvironmentVariables, MARKER_VARIABLE } from '../../core/model/environment.ts';
import { LegionError } from '../../core/model/fault.ts';
import { listNames } from '../../lib/fs/folder.ts';
import type { WorkerEnvironment } from '../../protocol/worker-environment.ts';
import {
  isMessageFileName,
  MESSAGES_VARIABLE,
  parseWorkerMessage,
  STOP_REQUEST_ID,
  type WorkerMessage,
} from '../../protocol/worker-message.ts';
import { hasFinalReport } from '../../worker-client/outbox.ts';
import { requireWorkerEnvironment } from '../../worker-client/worker-client.ts';
import { createAgentLineWriter, type WriteAgentLine } from '../agent-lines.ts';
import type {
  AgentConversation,
  AgentDialect,
  AgentSessionOptions,
  ReminderSource,
  TurnEnd,
} from './dialect.ts';
import type { AgentEquipment } from './equipment.ts';
import { openOwnGroup } from './group.ts';
import { chooseNextPrompt } from './reminders.ts';
import { openSessionRecord } from './session-record.ts';

export interface DriverOptions
  extends Pick<AgentSessionOptions, 'session' | 'isResumed' | 'model' | 'endpoint' | 'program'> {
  /**
   * The agent's own session id from the journal. If absent, the id in the session's own record is
   * used.
   */
  readonly native: string | undefined;
  /** Directory of this agent's sessions. */
  readonly home: string;
}

export interface DriverContext {
  readonly env: EnvironmentVariables;
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly signal: AbortSignal;
  readonly equipment: AgentEquipment;
}

/** sysexits EX_TEMPFAIL: try again later. */
const RATE_LIMITED_EXIT_CODE = 75;
/** sysexits EX_NOPERM: permission denied. */
const LOGIN_REFUSED_EXIT_CODE = 77;

/** Resolves to the exit code. Writes every fault to the output before throwing it. */
export async function runDriver(
  options: DriverOptions,
  dialect: AgentDialect,
  context: DriverContext,
): Promise<number> {
  const writeLine = createAgentLineWriter(context.stdout);
  try {
    const worker = requireWorkerEnvironment(context.env);
    const record = openSessionRecord(options.home, options.session, options.isResumed);
    const prompt = await text(addAbortSignal(context.signal, context.stdin));
    const emit: WriteAgentLine = (line) => {
      if (line.type === 'started') record.recordNative(line.session);
      record.touch();
      writeLine(line);
    };
    const conversation = await dialect.open(
      {
        ...options,
        workspace: context.cwd,
        folder: record.folder,
        worker,
        equipment: context.equipment,
        native: options.native ?? record.native,
        env: buildInheritedEnvironment(context.env),
      },
      emit,
    );
    try {
      return await runConversation(conversation, {
        prompt,
        worker,
        emit,
        context,
        reminders: dialect.reminders,
      });
    } finally {
      await conversation.close();
      await endLeftovers(context.env);
    }
  } catch (error) {
    // If this process was asked to exit, an error caused by that request is not a fault.
    context.signal.throwIfAborted();
    if (error instanceof LegionError) writeLine({ type: 'error', code: error.code, message: error.message });
    throw error;
  }
}

interface ConversationContext {
  readonly prompt: string;
  readonly worker: WorkerEnvironment;
  readonly emit: WriteAgentLine;
  readonly context: DriverContext;
  readonly reminders: ReminderSource;
}

async function runConversation(
  conversation: AgentConversation,
  options: ConversationContext,
): Promise<number> {
  const { worker, emit, context } = options;
  const inbox = openMessageInbox(context.env[MESSAGES_VARIABLE]);
  let reminderCount = 0;
  let isStopping = false;
  for (let prompt = options.prompt; ; ) {
    const end = await runOneTurn(prompt);
    context.signal.throwIfAborted();
    if (end.how === 'rate limited') {
      emit({ type: 'rate_limited', ...(end.resetAt === undefined ? {} : { reset_at: end.resetAt }) });
      return RATE_LIMITED_EXIT_CODE;
    }
    if (end.how === 'login refused') {
      emit({ type: 'login_refused', message: end.message });
      return LOGIN_REFUSED_EXIT_CODE;
    }
    emit({ type: 'turn_ended', ...(end.how === 'interrupted' ? { interrupted: true as const } : {}) });
    // Messages that arrive after the final report go to the next attempt.
    if (await hasFinalReport(worker.LEGION_OUTBOX)) return 0;
    // The agent has read the request to stop and has ended its turn.
    if (isStopping) return 0;
    const waiting = await inbox.readPending();
    const next = chooseNextPrompt(waiting, reminderCount, options.reminders);
    if (next === undefined) return 0;
    if (waiting.length === 0) reminderCount += 1;
    isStopping = waiting.some(({ id }) => id === STOP_REQUEST_ID);
    inbox.markHeard(waiting);
    for (const { id } of waiting) emit({ type: 'heard', letter: id });
    prompt = next;
  }

  async function runOneTurn(prompt: string): Promise<TurnEnd> {
    const interruption = new AbortController();
    const stopWatching = inbox.onUrgent(() => interruption.abort());
    try {
      return await conversation.runTurn(prompt, AbortSignal.any([interruption.signal, context.signal]));
    } finally {
      stopWatching();
    }
  }
}

/**
 * Terminates leftover processes. Agents run commands in separate process sessions, which a signal
 * to the group does not reach, so a server left running would outlive the worker indefinitely. The
 * process owns its group only if a host has marked it; the host handles processes that cannot be
 * terminated here.
 */
async function endLeftovers(env: DriverContext['env']): Promise<void> {
  if (env[MARKER_VARIABLE] === undefined) return;
  try {
    await openOwnGroup(env).endOthers([]);
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
  }
}

/** Returns all variables, including the marker, except the one for our module cache. */
function buildInheritedEnvironment({
  NODE_COMPILE_CACHE: _ours,
  ...env
}: DriverContext['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

/** Poll interval for file systems without change events. */
const INBOX_POLL_MS = 1_000;

export interface MessageInbox {
  /** Undelivered messages, oldest first. */
  readPending(): Promise<readonly WorkerMessage[]>;
  markHeard(messages: readonly WorkerMessage[]): void;
  /** Calls `call` once an urgent message arrives. Returns a function that stops watching. */
  onUrgent(call: () => void): () => void;
}

/**
 * Finds undelivered messages to a session, and detects messages that are too urgent to wait for the
 * end of the turn. `folder` is undefined if the running session cannot receive messages. The
 * directory may not exist yet.
 */
export function openMessageInbox(folder: string | undefined): MessageInbox {
  const known = new Set<string>();

  async function readPending(): Promise<readonly WorkerMessage[]> {
    if (folder === undefined) return [];
    const names = (await listNames(folder))
      .filter((name) => isMessageFileName(name) && !known.has(name))
      .sort();
    const messages: WorkerMessage[] = [];
    for (const name of names) {
      const message = parseWorkerMessage(await readFile(join(folder, name), 'utf8'), name);
      if (message.ok) messages.push(message.value);
      // Remembers an invalid file in order to ignore it, because every poll would otherwise read it
      // again. The sender keeps the message until it is delivered.
      else known.add(name);
    }
    return messages;
  }

  return {
    readPending,
    markHeard(messages) {
      for (const { id } of messages) known.add(`${id}.json`);
    },
    onUrgent(call) {
      if (folder === undefined) return () => undefined;
      let isChecking = false;
      const check = async () => {
        if (isChecking) return;
        isChecking = true;
        const messages = await readPending().catch(() => []);
        isChecking = false;
        if (messages.some(({ interrupt }) => interrupt)) call();
      };
      const timer = setInterval(() => void check(), INBOX_POLL_MS);
      const watcher = watchInboxFolder(folder, () => void check());
      void check();
      return () => {
        clearInterval(timer);
        watcher?.close();
      };
    },
  };
}

/**
 * Watching only makes detection faster. The poll timer also covers a directory that does not exist
 * yet or cannot be watched.
 */
function watchInboxFolder(folder: string, changed: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, changed);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
