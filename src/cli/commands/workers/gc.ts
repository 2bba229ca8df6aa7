/** `legion gc`: removes the workspaces of finished issues. */
import { Command } from '@commander-js/extra-typings';
import { adminEndpoints } from '../../../protocol/endpoints/admin.ts';
import { renderBullets, renderHeading, renderSection } from '../../present/page.ts';
import { daemonCommand } from '../../program/daemon-command.ts';

export const gc = daemonCommand(
  () =>
    new Command().description(
      'Remove the workspaces of finished issues. Workspaces with work that exists nowhere else are kept.',
    ),
  async (_, { daemon }) => {
    const answer = await daemon.call(adminEndpoints.gc);
    const kept = answer.kept.map(({ issue, why }) => `${issue}: ${why}`);
    const text = [
      renderHeading(`${answer.removed.length} removed, ${kept.length} kept, ${answer.pruned.length} pruned`),
      renderSection('Removed', renderBullets(answer.removed)),
      renderSection('Kept', renderBullets(kept)),
      renderSection('Pruned', renderBullets(answer.pruned)),
    ].join('');
    return { data: answer, text };
  },
);
