/** `legion teams`: every legion of this user, running or not; or the teams of Linear that one could be on. */
import { LegionError } from '../../domain/fault.ts';
import type { CommandContext } from '../command.ts';
import { formed } from '../formed.ts';
import { findOptionalPlace } from '../place.ts';
import { table } from '../present/table.ts';
import { JSON_OPTION } from '../program/daemon-command.ts';
import { configFrom } from './init/answers.ts';
import { type FoundLegion, legionsHere, stateCell } from './teams/legions.ts';

export const teams = formed(
  {
    name: 'teams',
    says: [
      'Lists every legion of this user, running or not. With --linear: the teams of Linear that the key of this',
      'folder’s legion.yaml, or LINEAR_API_KEY, sees, each with the legion of this machine that works on it.',
    ].join('\n'),
    options: {
      linear: { says: 'the teams of Linear instead' },
      'linear-url': { value: 'URL', says: 'where Linear’s API is, if not as legion.yaml says' },
      ...JSON_OPTION,
    },
  },
  async ({ options }, context) => {
    const { json, linear, 'linear-url': url } = options;
    if (!linear && url !== undefined) throw new LegionError('usage.invalid', '--linear-url is for --linear');
    context.stdout.write(linear ? await ofLinear(url, json, context) : await ofThisUser(json, context));
    return undefined;
  },
);

async function ofThisUser(json: boolean, context: CommandContext): Promise<string> {
  const all = await legionsHere(context);
  return json ? `${JSON.stringify(all)}\n` : page(all, Date.now());
}

/** Loaded only where it is asked for. */
async function ofLinear(url: string | undefined, json: boolean, context: CommandContext): Promise<string> {
  const { teamsInLinear, linearPage } = await import('./teams/linear.ts');
  const { config } = findOptionalPlace(context, {}).resolved;
  const { linear } = url === undefined ? config : configFrom({ 'linear-url': url });
  const found = await teamsInLinear({ ...config, linear }, context);
  return json ? `${JSON.stringify(found)}\n` : linearPage(found, Date.now());
}

function page(all: readonly FoundLegion[], now: number): string {
  if (all.length === 0) return 'There is no legion yet. `legion init` in a git repository begins one.\n';
  const rows = all.map((each) => [
    each.legion,
    stateCell(each, now),
    each.workers === undefined ? '' : `${each.workers.live} of ${each.workers.limit}`,
    each.pid === undefined ? '' : String(each.pid),
    each.url ?? each.why ?? '',
  ]);
  return table(['LEGION', 'STATE', 'WORKERS', 'PID', 'ADDRESS'], rows);
}
