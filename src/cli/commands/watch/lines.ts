/** Watching without a terminal: one line for each event, as text or as JSON. */
import type { CommandContext } from '../../command.ts';
import { eventLine } from '../../present/event.ts';
import { safeText } from '../../present/safe.ts';
import { type Beginning, follow } from './follow.ts';

export async function watchLines(
  state: string,
  beginning: Beginning,
  json: boolean,
  { stdout, stderr, signal }: CommandContext,
): Promise<void> {
  let isAway = false;
  for await (const happening of follow(state, beginning, signal)) {
    if (happening.kind === 'event') {
      const { event } = happening;
      stdout.write(`${json ? JSON.stringify(event) : eventLine(event)}\n`);
    } else if (happening.kind === 'away') {
      if (!isAway) stderr.write(`legion: the daemon is away: ${safeText(happening.why)}\n`);
      isAway = true;
    } else {
      if (isAway) stderr.write('legion: the daemon is back\n');
      isAway = false;
    }
  }
}
