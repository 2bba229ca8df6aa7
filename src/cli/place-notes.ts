/** Notes on stderr about the legion of a command: its `legion.yaml` is wrong, or its agent is the scripted one. */
import { styleText } from 'node:util';
import type { CommandContext } from './command.ts';
import type { Place } from './place.ts';
import { safeText } from './present/safe.ts';
import { showScriptedBanner } from './scripted-banner.ts';

/** To stderr, so that programs read the same stdout with and without notes. */
export function showPlaceNotes(place: Place, context: Pick<CommandContext, 'stderr'>): void {
  showScriptedBanner(place, context);
  if (place.invalid === undefined) return;
  const note = `${safeText(place.invalid.message)}\nA running daemon keeps the last valid configuration.`;
  context.stderr.write(`${styleText('yellow', note)}\n`);
}
