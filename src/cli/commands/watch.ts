/** `legion watch`: what the swarm does, as it happens. */
import { Command } from '@commander-js/extra-typings';
import { isInteractive } from '../ask-person.ts';
import { findRunningPlace } from '../place.ts';
import { showPlaceNotes } from '../place-notes.ts';
import { defineCommand } from '../program/define-command.ts';
import { examples } from '../program/examples.ts';
import { addJsonOption, addPlaceOptions, parseWholeNumber } from '../program/options.ts';
import { watchLines } from './watch/lines.ts';

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
