/** Notes on stderr about the legion of a command: its `legion.yaml` is wrong, or its agent is the scripted one. */
import { styleText } from 'node:util';
import { LegionError } from '../core/model/fault.ts';
import { isRunning } from '../lib/process/proc-table.ts';
import type { CommandContext } from './command.ts';
import { readDaemonFile } from './daemon-address.ts';
import type { Place } from './legion-location.ts';
import { safeText } from './present/safe.ts';
import { showScriptedBanner } from './scripted-banner.ts';

/** To stderr, so that programs read the same stdout with and without notes. */
export function showPlaceNotes(place: Place, context: Pick<CommandContext, 'stderr'>): void {
  showScriptedBanner(place, context);
  if (place.invalid === undefined) return;
  const lines = [
    safeText(place.invalid.message),
    ...(place.isLastStarted === true
      ? [`This command is for ${place.resolved.config.legion}, which was last started from this file.`]
      : []),
    isDaemonRunning(place.state)
      ? 'The running daemon keeps the last valid configuration.'
      : 'Correct the file before the next `legion up`.',
  ];
  context.stderr.write(`${styleText('yellow', lines.join('\n'))}\n`);
}

/** A damaged `daemon.json` is reported by the command itself. */
function isDaemonRunning(state: string): boolean {
  try {
    const daemon = readDaemonFile(state);
    return daemon !== undefined && isRunning(daemon.pid);
  } catch (error) {
    if (error instanceof LegionError) return false;
    throw error;
  }
}
