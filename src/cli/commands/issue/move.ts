/** `legion issue move`: moves an issue to another status. */
import { Command } from '@commander-js/extra-typings';
import { STATUSES } from '../../../core/model/status.ts';
import { describeMoveEffects } from '../../../protocol/describe-move-effects.ts';
import { issueEndpoints } from '../../../protocol/endpoints/issues.ts';
import { parseIssueId, parseStatus } from '../../parse-names.ts';
import { safeLine } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { examples, ISSUE_HELP } from '../../program/options.ts';

export const move = daemonCommand(
  () =>
    new Command()
      .description(
        'Move an issue to another status. The pipeline continues from there. A move to Done, Icebox or Backlog stops its workers.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('<STATUS...>', `One of ${STATUSES.join(', ')}; in-progress needs no quotes`)
      .addHelpText('after', examples('legion issue move SHOP-1 todo')),
  async ({ positionals: [issue, status] }, { daemon }) => {
    const body = { status: parseStatus(status.join(' ')) };
    const moved = await daemon.call(issueEndpoints.move, { params: { id: parseIssueId(issue) }, body });
    const lines = [
      `${moved.id} is in ${moved.status}`,
      ...describeMoveEffects(moved, Date.now()).map(safeLine),
    ];
    return { data: moved, text: lines.join('\n') };
  },
);
