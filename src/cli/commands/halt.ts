/** `legion halt`: the kill switch. */
import { Command } from '@commander-js/extra-typings';
import { adminEndpoints } from '../../protocol/endpoints/admin.ts';
import { healthOf } from '../health-of.ts';
import { safeText } from '../present/safe.ts';
import { type CommandResult, type CommandSession, daemonCommand } from '../program/daemon-command.ts';
import { examples } from '../program/options.ts';
import { stopWithoutDaemon } from './stop/without-daemon.ts';

export const halt = daemonCommand(
  () =>
    new Command()
      .description(
        'Stop every worker now and start none until `legion resume`, even after a restart. A merge that has begun completes first. No crash is counted, and sessions continue after the resume. It also works while no daemon runs, and is the same as `legion stop --all`.',
      )
      .option('--why <TEXT>', 'The reason, for the journal')
      .addHelpText('after', examples('legion halt --why "The model is down"')),
  async ({ options: { why } }, session) => haltLegion(session, why, 'legion halt'),
);

/** Workers outlive a killed daemon, so the kill switch must not need one. */
export async function haltLegion(
  session: CommandSession,
  why: string | undefined,
  typed: 'legion halt' | 'legion stop --all',
): Promise<CommandResult> {
  const { daemon, by, place, context } = session;
  if ((await healthOf(place.state, context.signal)) === undefined)
    return stopWithoutDaemon(session, why ?? typed);
  const said = await daemon.call(adminEndpoints.halt, { body: { by, why } });
  return { data: said, text: safeText(said.says) };
}
