/** What an agent is told when it is about to end its turn: to go on, where it has not said its last word, and at most twice. */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasLastWord } from '../speech/last-word.ts';
import { REMINDER, REMINDERS_MOST } from './next-prompt.ts';

/** As Claude Code and Codex read it from the hook's standard output; an empty object lets the turn end. */
export type HookAnswer = { readonly decision: 'block'; readonly reason: string } | Record<string, never>;

/** Beside the attempt's outbox: a byte for each time it was told, so that the count is the attempt's and nobody else's. */
const COUNT_FILE = 'reminded';

/** Where the count cannot be kept the turn may end: a worker told without end is worse than one that is judged. */
export async function stopHookAnswer(outbox: string): Promise<HookAnswer> {
  if (await hasLastWord(outbox)) return {};
  const file = join(outbox, COUNT_FILE);
  try {
    await mkdir(outbox, { recursive: true, mode: 0o700 });
    const told = await readFile(file, 'utf8').catch(() => '');
    if (told.length >= REMINDERS_MOST) return {};
    await appendFile(file, '.', { mode: 0o600 });
  } catch {
    return {};
  }
  return { decision: 'block', reason: REMINDER };
}
