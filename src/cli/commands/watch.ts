/** `legion watch`: what the swarm does, as it happens. */
import { wholeNumber } from '../arguments.ts';
import { isInteractive } from '../ask-person.ts';
import { formed } from '../formed.ts';
import { findRunningPlace } from '../place.ts';
import { showPlaceNotes } from '../place-notes.ts';
import { PLACE_OPTIONS } from '../program/daemon-command.ts';
import { watchLines } from './watch/lines.ts';

export const watch = formed(
  {
    name: 'watch',
    says: [
      'Shows the board, its workers, what waits for you and the last events, live; q ends it.',
      'Without a terminal it prints a line for each event. A restart of the daemon is waited for.',
    ].join('\n'),
    options: {
      after: { value: 'N', says: 'without a terminal: begin after the event of this number; default: now' },
      json: { says: 'each event as a line of JSON, at a terminal as well' },
      ...PLACE_OPTIONS,
    },
  },
  async ({ options }, context) => {
    const { after, json, ...flags } = options;
    const begin = after === undefined ? undefined : wholeNumber('--after', after);
    const place = findRunningPlace(context, flags);
    const { state } = place;
    if (json || !isInteractive(context)) {
      if (!json) showPlaceNotes(place, context);
      await watchLines(state, { after: begin, back: 0 }, json, context);
    } else {
      await (await import('./watch/screen.ts')).watchScreen(state, context);
    }
    return undefined;
  },
);
