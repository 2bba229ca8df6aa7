/** `legion issue close`: takes an issue off the pipeline. */
import { Command } from '@commander-js/extra-typings';
import { describeMoveEffects } from '../../../protocol/describe-move-effects.ts';
import { issueEndpoints } from '../../../protocol/endpoints/issues.ts';
import { parseIssueId } from '../../parse-names.ts';
import { safeLine } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { ISSUE_HELP } from '../../program/options.ts';

export const close = daemonCommand(
  () =>
    new Command()
      .description('Close an issue, done or not, and stop its workers.')
      .argument('<ISSUE>', ISSUE_HELP),
  async ({ positionals: [issue] }, { daemon }) => {
    const closed = await daemon.call(issueEndpoints.close, { params: { id: parseIssueId(issue) } });
    const lines = [
      `${closed.id} is closed (column ${safeLine(closed.column)})`,
      ...describeMoveEffects(closed, Date.now()).map(safeLine),
    ];
    return { data: closed, text: lines.join('\n') };
  },
);
