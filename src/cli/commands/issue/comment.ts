/** `legion issue comment`: says something on an issue. */
import { saidAnswer } from '../../../protocol/operator.ts';
import { route } from '../../daemon-client.ts';
import { parseIssueId } from '../../parse-names.ts';
import { safeText } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';

export const comment = daemonCommand(
  {
    name: 'issue comment',
    says: 'Comments on an issue; its workers read it there.',
    takes: { issue: 'one', text: 'many' },
  },
  async ({ issue, text }, { daemon, by }) => {
    const body = { text: text.join(' '), author: by };
    const said = await daemon.request('POST', route`/issues/${parseIssueId(issue)}/comments`, saidAnswer, {
      body,
    });
    return { data: said, text: safeText(said.says) };
  },
);
