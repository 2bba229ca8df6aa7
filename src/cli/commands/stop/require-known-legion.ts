/** Refuses a legion that nobody has set up on this machine: its name is probably misspelt. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readLegionFile } from '../../../config/legion/load.ts';
import { readLegionName } from '../../../config/legion/read-name.ts';
import { nearest } from '../../../config/nearest.ts';
import { LegionError, shown } from '../../../core/model/fault.ts';
import { listFolders } from '../../../lib/fs/folder.ts';
import type { CommandContext } from '../../command.ts';
import { readStartedFrom } from '../../last-started.ts';
import type { Place } from '../../legion-location.ts';
import { readKnownLegions } from '../init/known-legions.ts';

/** A legion counts that has run here, that `legion init` wrote, or that the `legion.yaml` of this folder names. */
export function requireKnownLegion(place: Place, { env }: CommandContext): void {
  const { legion } = place.resolved.config;
  if (existsSync(place.state)) return;
  const { states } = place.paths;
  const known = [
    ...listFolders(states).map((folder) => readStartedFrom(join(states, folder))?.legion ?? basename(folder)),
    ...readKnownLegions(env).map((each) => each.legion),
    ...namedHere(place),
  ];
  if (known.includes(legion)) return;
  const meant = nearest(legion, known);
  const hint = meant === undefined ? '' : ` Did you mean ${shown(meant)}?`;
  throw new LegionError('legion.unknown', `There is no legion ${shown(legion)} on this machine.${hint}`);
}

function namedHere({ file }: Place): readonly string[] {
  const text = readLegionFile(file.path);
  const name = text.ok ? readLegionName(text.value) : undefined;
  return name === undefined ? [] : [name];
}
