/** `legion teams`: lists every legion of this user, running or not, or the Linear teams. */

import { Command } from '@commander-js/extra-typings';
import type { LegionConfig } from '../../../config/legion/schema.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { LinearViewer } from '../../../integrations/linear/client/client.ts';
import { systemClock } from '../../../lib/async/system-clock.ts';
import { addSurvivingWorkers, type FoundLegion, listLegions, toStateCell } from '../../known-legions.ts';
import { findOptionalLocation } from '../../legion-location.ts';
import { printJson, printPage, renderHeading, renderParagraph } from '../../present/page.ts';
import { renderTable } from '../../present/table.ts';
import { getTerminalColumns, withProgress } from '../../present/terminal.ts';
import {
  addJsonOption,
  type CommandContext,
  defineCommand,
  renderExamples,
} from '../../program/define-command.ts';
import { buildConfigFromOptions } from '../setup/init/answers.ts';

export const teams = defineCommand(
  () =>
    addJsonOption(
      new Command()
        .description(
          'List your legions, running or not. With --linear, list the Linear teams that the key in legion.yaml or LINEAR_API_KEY can see, each with the legion on this machine that works on it.',
        )
        .option('--linear', 'List the Linear teams instead')
        .option('--linear-url <URL>', 'URL of Linear’s API (default: from legion.yaml)')
        .addHelpText('after', renderExamples('legion teams', 'legion teams --linear')),
    ),
  async ({ options: { json = false, linear, linearUrl } }, context) => {
    if (linear === true) await printLinearTeams(linearUrl, json, context);
    else if (linearUrl !== undefined) throw new LegionError('usage.invalid', '--linear-url needs --linear.');
    else await printLegions(json, context);
    return undefined;
  },
);

async function printLegions(json: boolean, context: CommandContext): Promise<void> {
  const all = await addSurvivingWorkers(await listLegions(context), context);
  if (json) printJson(context, all);
  else printPage(context, renderLegionsPage(all, Date.now(), getTerminalColumns(context.stdout)));
}

async function printLinearTeams(
  url: string | undefined,
  json: boolean,
  context: CommandContext,
): Promise<void> {
  const { config } = findOptionalLocation(context, {}).resolved;
  const { linear } = url === undefined ? config : buildConfigFromOptions({ linearUrl: url });
  const linearTeams = await readLinearTeams({ ...config, linear }, context);
  if (json) printJson(context, linearTeams);
  else printPage(context, renderLinearTeams(linearTeams, Date.now(), getTerminalColumns(context.stdout)));
}

function renderLegionsPage(all: readonly FoundLegion[], now: number, columns: number): string {
  if (all.length === 0) return 'No legions found. Run `legion init` in a git repository to set one up.\n';
  const rows = all.map((each) => [
    each.legion,
    toStateCell(each, now),
    toWorkersCell(each),
    each.pid === undefined ? '' : String(each.pid),
    each.url ?? each.why ?? '',
  ]);
  return renderTable(['LEGION', 'STATE', 'WORKERS', 'PID', 'ADDRESS'], rows, columns);
}

function toWorkersCell({ workers, left = [] }: FoundLegion): string {
  if (workers !== undefined) return `${workers.live} of ${workers.limit}`;
  return left.length === 0 ? '' : `${left.length} still running`;
}

interface LinearTeam {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly isPrivate: boolean;
  /** Absent if no legion on this machine works on the team. */
  readonly legion?: FoundLegion;
}

interface LinearTeams {
  readonly workspace: LinearViewer['workspace'];
  readonly account: string;
  readonly teams: readonly LinearTeam[];
}

/** Lists the teams of a Linear workspace, each with the legion on this machine that works on it. */
async function readLinearTeams(config: LegionConfig, context: CommandContext): Promise<LinearTeams> {
  // Imported only here, because listing legions does not need the code for Linear.
  const { openLinearClient } = await import('../../../daemon/composition/open-tracker.ts');
  const { readTeams } = await import('../../../integrations/linear/client/teams.ts');
  const client = await openLinearClient(config, context.env, systemClock);
  try {
    return await withProgress(context, `connecting to ${config.linear.url}`, async () => {
      const { workspace, name: account } = await client.viewer();
      const all = await readTeams(client, context.signal);
      const legions = new Map((await listLegions(context)).map((each) => [each.legion.toLowerCase(), each]));
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

function renderLinearTeams({ workspace, account, teams }: LinearTeams, now: number, columns: number): string {
  const rows = teams.map(({ id, key, name, isPrivate, legion }) => [
    key,
    isPrivate ? `${name} (private)` : name,
    id,
    legion === undefined ? { text: 'no legion here', style: 'dim' as const } : toStateCell(legion, now),
  ]);
  return [
    renderHeading(`Teams of ${workspace.name} that ${account} can see`),
    teams.length === 0
      ? renderParagraph('No teams found. Add the account to a team, or give the key access to one.')
      : renderTable(['KEY', 'NAME', 'UUID', 'LEGION'], rows, columns),
    teams.length === 0
      ? ''
      : renderParagraph('\nRun `legion init --team KEY` in a git repository to set up a legion.'),
  ].join('');
}
