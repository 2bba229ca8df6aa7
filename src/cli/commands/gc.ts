/** `legion gc`: removes what is left of issues that are over. */
import { gcAnswer } from '../../protocol/upkeep.ts';
import { bullets, heading, section } from '../present/page.ts';
import { daemonCommand } from '../program/daemon-command.ts';

export const gc = daemonCommand(
  {
    name: 'gc',
    says: 'Removes workspaces of issues that are over. One that holds work nobody has elsewhere is kept.',
  },
  async (_, { daemon }) => {
    const answer = await daemon.request('POST', '/gc', gcAnswer);
    const kept = answer.kept.map(({ issue, why }) => `${issue}: ${why}`);
    const text = [
      heading(`${answer.removed.length} removed, ${kept.length} kept, ${answer.pruned.length} forgotten`),
      section('Removed', bullets(answer.removed)),
      section('Kept', bullets(kept)),
      section('Forgotten', bullets(answer.pruned)),
    ].join('');
    return { data: answer, text };
  },
);
