/** The teams of the workspace that a key of Linear belongs to, and which legion of this machine works on each. */
import type { LegionConfig } from '../../../config/legion/schema.ts';
import { openLinearOf } from '../../../daemon/compose-linear.ts';
import { readTeams } from '../../../integrations/linear/client/teams.ts';
import { systemClock } from '../../../lib/async/system-clock.ts';
import type { Viewer } from '../../../linear/client.ts';
import type { CommandContext } from '../../command.ts';
import { heading, paragraph } from '../../present/page.ts';
import { withProgress } from '../../present/progress.ts';
import { table } from '../../present/table.ts';
import { type FoundLegion, legionsHere, stateCell } from './legions.ts';

interface LinearTeam {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly isPrivate: boolean;
  /** Absent where none of this machine works on it. */
  readonly legion?: FoundLegion;
}

export interface LinearTeams {
  readonly workspace: Viewer['workspace'];
  readonly account: string;
  readonly teams: readonly LinearTeam[];
}

export async function teamsInLinear(config: LegionConfig, context: CommandContext): Promise<LinearTeams> {
  const client = await openLinearOf(config, context.env, systemClock);
  try {
    return await withProgress(context, `asking ${config.linear.url}`, async () => {
      const { workspace, name: account } = await client.viewer();
      const all = await readTeams(client, context.signal);
      const legions = new Map((await legionsHere(context)).map((each) => [each.legion.toLowerCase(), each]));
      const teams = all.map(({ id, key, name, isPrivate }) => {
        const legion = legions.get(id.toLowerCase());
        return { id, key, name, isPrivate, ...(legion && { legion }) };
      });
      return { workspace, account, teams };
    });
  } finally {
    await client.close();
  }
}

export function linearPage({ workspace, account, teams }: LinearTeams, now: number, columns: number): string {
  const rows = teams.map(({ id, key, name, isPrivate, legion }) => [
    key,
    isPrivate ? `${name} (private)` : name,
    id,
    legion === undefined ? { text: 'no legion here', style: 'dim' as const } : stateCell(legion, now),
  ]);
  return [
    heading(`Teams of ${workspace.name} that ${account} sees`),
    teams.length === 0
      ? paragraph('None. Make the account a member of one, or give the key access to it.')
      : table(['KEY', 'NAME', 'UUID', 'LEGION'], rows, columns),
    teams.length === 0 ? '' : paragraph('\nRun `legion init --team KEY` in a git repository to set one up.'),
  ].join('');
}
