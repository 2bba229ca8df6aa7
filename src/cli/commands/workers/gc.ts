/** `legion gc`: removes what finished issues have left behind. */
import { Command } from '@commander-js/extra-typings';
import { adminEndpoints } from '../../../protocol/endpoints/admin.ts';
import { bullets, heading, section } from '../../present/page.ts';
import { daemonCommand } from '../../program/daemon-command.ts';

export const gc = daemonCommand(
  () =>
    new Command().description(
      'Remove the workspaces of finished issues. A workspace with work that exists nowhere else is kept.',
    ),
  async (_, { daemon }) => {
    const answer = await daemon.call(adminEndpoints.gc);
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
