/**
 * Composes the prompt of a session's next turn (new messages, or a reminder if the last turn ended
 * without a report) and answers the Stop hook.
 */

import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STOP_REQUEST_ID, toMessageFileName, type WorkerMessage } from '../../protocol/worker-message.ts';
import { hasFinalReport } from '../../worker-client/outbox.ts';
import type { ReminderSource } from './dialect.ts';

/**
 * Two reminders are enough: after that the health check takes over, and a third would only burn
 * quota.
 */
const MAX_REMINDERS = 2;

export const REMINDER = `You ended your turn without a report. If the phase is finished, report it with \`done\`. If you need a person, use
\`ask\`. If it cannot be done, report \`error\`. If there is work left, continue now and report when it is finished.`;

/** Returns undefined if there is nothing left to send and the process can exit. */
export function chooseNextPrompt(
  waiting: readonly WorkerMessage[],
  reminderCount: number,
  reminders: ReminderSource,
): string | undefined {
  if (waiting.length > 0) return waiting.map(({ text }) => text).join('\n\n');
  return reminders === 'driver' && reminderCount < MAX_REMINDERS ? REMINDER : undefined;
}

/**
 * Format that Claude Code and Codex read from the hook's standard output. An empty object lets the
 * turn end.
 */
export type StopHookResult = { readonly decision: 'block'; readonly reason: string } | Record<string, never>;

/**
 * File beside the attempt's outbox with one byte per reminder, so that each attempt has its own
 * count.
 */
const REMINDER_COUNT_FILE = 'reminded';

const STOP_REQUEST_FILE = toMessageFileName({ id: STOP_REQUEST_ID });

/**
 * Answers the Stop hook: keeps an agent without a final report from ending its turn, at most twice.
 * If the count cannot be stored, lets the turn end, because endless reminders are worse than
 * leaving the worker to the health check.
 */
export async function decideStopHook(
  outbox: string,
  messagesFolder: string | undefined,
): Promise<StopHookResult> {
  if (await hasFinalReport(outbox)) return {};
  // A worker that was asked to stop may end its turn without a report.
  if (messagesFolder !== undefined && existsSync(join(messagesFolder, STOP_REQUEST_FILE))) return {};
  const file = join(outbox, REMINDER_COUNT_FILE);
  try {
    await mkdir(outbox, { recursive: true, mode: 0o700 });
    const reminders = await readFile(file, 'utf8').catch(() => '');
    if (reminders.length >= MAX_REMINDERS) return {};
    await appendFile(file, '.', { mode: 0o600 });
  } catch {
    return {};
  }
  return { decision: 'block', reason: REMINDER };
}
