/** `legion halt`: the kill switch. */
import { haltAnswer } from '../../protocol/stopping.ts';
import { safeText } from '../present/safe.ts';
import { type CommandResult, type CommandSession, daemonCommand } from '../program/daemon-command.ts';

export const halt = daemonCommand(
  {
    name: 'halt',
    says: [
      'Stops every worker at once and starts none until `legion resume`, also after a restart.',
      'A merge that has begun completes first. No crash is counted, and sessions continue after the resume.',
      'Without a daemon, `legion stop --all` does the same.',
    ].join('\n'),
    options: { why: { value: 'TEXT', says: 'the reason, for whoever asks later' } },
  },
  async ({ options: { why } }, session) => haltThroughDaemon(session, why),
);

export async function haltThroughDaemon(
  { daemon, by }: CommandSession,
  why: string | undefined,
): Promise<CommandResult> {
  const said = await daemon.request('POST', '/halt', haltAnswer, { body: { by, why } });
  return { data: said, text: safeText(said.says) };
}
