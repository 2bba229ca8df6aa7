/** `legion teams`: every legion of this user, running or not; or the teams of Linear that one could be on. */
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../core/model/fault.ts';
import type { CommandContext } from '../command.ts';
import { findOptionalPlace } from '../legion-location.ts';
import { printJson, printPage } from '../present/print.ts';
import { table } from '../present/table.ts';
import { terminalColumns } from '../present/terminal-columns.ts';
import { defineCommand } from '../program/define-command.ts';
import { addJsonOption, examples } from '../program/options.ts';
import { configFrom } from './init/answers.ts';
import { addLeftWorkers, type FoundLegion, legionsHere, stateCell } from './teams/legions.ts';

export const teams = defineCommand(
  () =>
    addJsonOption(
      new Command()
        .description(
          'List your legions, running or not. With --linear, list the Linear teams that the key in legion.yaml or LINEAR_API_KEY can see, each with the legion on this machine that works on it.',
        )
        .option('--linear', 'List the Linear teams instead')
        .option('--linear-url <URL>', 'Address of Linear’s API (default: as in legion.yaml)')
        .addHelpText('after', examples('legion teams', 'legion teams --linear')),
    ),
  async ({ options: { json = false, linear, linearUrl } }, context) => {
    if (linear === true) await printLinearTeams(linearUrl, json, context);
    else if (linearUrl !== undefined) throw new LegionError('usage.invalid', '--linear-url needs --linear');
    else await printLegions(json, context);
    return undefined;
  },
);

async function printLegions(json: boolean, context: CommandContext): Promise<void> {
  const all = await addLeftWorkers(await legionsHere(context), context);
  if (json) printJson(context, all);
  else printPage(context, page(all, Date.now(), terminalColumns(context.stdout)));
}

/** Imports Linear only for this. */
async function printLinearTeams(
  url: string | undefined,
  json: boolean,
  context: CommandContext,
): Promise<void> {
  const { teamsInLinear, linearPage } = await import('./teams/linear.ts');
  const { config } = findOptionalPlace(context, {}).resolved;
  const { linear } = url === undefined ? config : configFrom({ linearUrl: url });
  const found = await teamsInLinear({ ...config, linear }, context);
  if (json) printJson(context, found);
  else printPage(context, linearPage(found, Date.now(), terminalColumns(context.stdout)));
}

function page(all: readonly FoundLegion[], now: number, columns: number): string {
  if (all.length === 0)
    return 'There is no legion yet. Run `legion init` in a git repository to set one up.\n';
  const rows = all.map((each) => [
    each.legion,
    stateCell(each, now),
    workersCell(each),
    each.pid === undefined ? '' : String(each.pid),
    each.url ?? each.why ?? '',
  ]);
  return table(['LEGION', 'STATE', 'WORKERS', 'PID', 'ADDRESS'], rows, columns);
}

function workersCell({ workers, left = [] }: FoundLegion): string {
  if (workers !== undefined) return `${workers.live} of ${workers.limit}`;
  return left.length === 0 ? '' : `${left.length} still running`;
}
