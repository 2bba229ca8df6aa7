/** What the next turn of a session begins with: the letters that came, or a reminder to one that ended without a word. */
import type { Letter } from '../protocol/letter.ts';

/** `agent`: it has a hook of its own that reminds it. */
export type Reminders = 'agent' | 'driver';

/** Told twice, then left to whoever judges its health: a third time would only burn its quota. */
export const REMINDERS_MOST = 2;

export const REMINDER = `You have ended your turn without a report. If the phase is finished, report it with \`done\`; if you need a person,
\`ask\`; if it cannot be done, say so with \`error\`. If there is work left, go on with it now and report at its end.`;

/** Undefined where there is nothing more to say, and the process can end. */
export function nextPrompt(
  waiting: readonly Letter[],
  reminded: number,
  reminders: Reminders,
): string | undefined {
  if (waiting.length > 0) return waiting.map(({ text }) => text).join('\n\n');
  return reminders === 'driver' && reminded < REMINDERS_MOST ? REMINDER : undefined;
}
