/** `legion watch`: shows live what the workers are doing. */
import { Command } from '@commander-js/extra-typings';
import { isInteractive } from '../../ask-person.ts';
import { findRunningLocation, showLocationNotes } from '../../legion-location.ts';
import { formatEventLine } from '../../present/event.ts';
import { sanitizeText } from '../../present/terminal.ts';
import {
  addJsonOption,
  addLocationOptions,
  type CommandContext,
  defineCommand,
  parseWholeNumber,
  renderExamples,
} from '../../program/define-command.ts';
import { type WatchEventsOptions, watchEvents } from '../../watch-events.ts';

export const watch = defineCommand(
  () =>
    addLocationOptions(
      addJsonOption(
        new Command()
          .description(
            'Show a live view of the board, its workers, what is waiting for you, and the latest events. Press q to quit. Without a terminal, print one line per event. Watching continues through restarts of the daemon.',
          )
          .option(
            '--after <N>',
            'Without a terminal: start after the event with this number (default: now)',
            parseWholeNumber('--after'),
          )
          .addHelpText('after', renderExamples('legion watch', 'legion watch --json --after 1200')),
      ),
    ),
  async ({ options }, context) => {
    const { after, json = false } = options;
    const location = findRunningLocation(context, options);
    if (json || !isInteractive(context)) {
      if (!json) showLocationNotes(location, context);
      await watchLines(location.state, { after, back: 0 }, json, context);
    } else {
      await (await import('./watch/screen.ts')).watchScreen(location.state, context);
    }
    return undefined;
  },
);

/** Prints one line per event, as text or JSON. Used if there is no terminal. */
async function watchLines(
  state: string,
  options: WatchEventsOptions,
  json: boolean,
  { stdout, stderr, signal }: CommandContext,
): Promise<void> {
  let isAway = false;
  for await (const update of watchEvents(state, options, signal)) {
    if (update.kind === 'event') {
      const { event } = update;
      stdout.write(`${json ? JSON.stringify(event) : formatEventLine(event)}\n`);
    } else if (update.kind === 'away') {
      if (!isAway) stderr.write(`legion: the daemon is unreachable: ${sanitizeText(update.why)}\n`);
      isAway = true;
    } else {
      if (isAway) stderr.write('legion: the daemon is back\n');
      isAway = false;
    }
  }
}
