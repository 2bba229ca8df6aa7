/** `legion halt`: the kill switch. */
import { haltAnswer } from '../../protocol/stopping.ts';
import { type Answer, asking, type Desk } from '../asking.ts';
import { safeText } from '../present/safe.ts';

export const halt = asking(
  {
    name: 'halt',
    says: [
      'Stops every worker at once and starts none until `legion resume`, also after a restart.',
      'A merge that has begun completes first. No crash is counted, and sessions continue after the resume.',
      'Without a daemon, `legion stop --all` does the same.',
    ].join('\n'),
    options: { why: { value: 'TEXT', says: 'the reason, for whoever asks later' } },
  },
  async ({ options: { why } }, desk) => haltThroughDaemon(desk, why),
);

export async function haltThroughDaemon({ daemon, by }: Desk, why: string | undefined): Promise<Answer> {
  const said = await daemon.request('POST', '/halt', haltAnswer, { body: { by, why } });
  return { data: said, text: safeText(said.says) };
}
