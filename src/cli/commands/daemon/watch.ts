/** `legion watch`: what the swarm does, as it happens. */
import { Command } from '@commander-js/extra-typings';
import { isInteractive } from '../../ask-person.ts';
import type { CommandContext } from '../../command.ts';
import { findRunningPlace } from '../../legion-location.ts';
import { showPlaceNotes } from '../../place-notes.ts';
import { eventLine } from '../../present/event.ts';
import { safeText } from '../../present/safe.ts';
import { defineCommand } from '../../program/define-command.ts';
import { addJsonOption, addPlaceOptions, examples, parseWholeNumber } from '../../program/options.ts';
import { type Beginning, follow } from '../watch/follow.ts';

export const watch = defineCommand(
  () =>
    addPlaceOptions(
      addJsonOption(
        new Command()
          .description(
            'Show the board, its workers, what waits for you and the last events, live. q ends it. Without a terminal, print a line for each event. A restart of the daemon does not end it.',
          )
          .option(
            '--after <N>',
            'Without a terminal: begin after the event of this number (default: now)',
            parseWholeNumber('--after'),
          )
          .addHelpText('after', examples('legion watch', 'legion watch --json --after 1200')),
      ),
    ),
  async ({ options }, context) => {
    const { after, json = false } = options;
    const place = findRunningPlace(context, options);
    if (json || !isInteractive(context)) {
      if (!json) showPlaceNotes(place, context);
      await watchLines(place.state, { after, back: 0 }, json, context);
    } else {
      await (await import('./watch/screen.ts')).watchScreen(place.state, context);
    }
    return undefined;
  },
);

/** Watching without a terminal: one line for each event, as text or as JSON. */
async function watchLines(
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
