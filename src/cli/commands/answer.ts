/** `legion answer`: answers a worker's question. */
import { saidAnswer } from '../../protocol/operator.ts';
import { wholeNumber } from '../arguments.ts';
import { route } from '../daemon-client.ts';
import { parseIssueId } from '../parse-names.ts';
import { safeText } from '../present/safe.ts';
import { daemonCommand } from '../program/daemon-command.ts';

export const answer = daemonCommand(
  {
    name: 'answer',
    says: 'Answers the question of a worker, and tells whether the worker continues.',
    takes: { issue: 'one', text: 'many' },
    options: { question: { value: 'N', says: 'which question; default: the latest open one' } },
  },
  async ({ issue, text, options }, { daemon, by }) => {
    const { question } = options;
    const body = {
      text: text.join(' '),
      by,
      ...(question !== undefined && { question: wholeNumber('--question', question, 1) }),
    };
    const said = await daemon.request('POST', route`/issues/${parseIssueId(issue)}/answer`, saidAnswer, {
      body,
    });
    return { data: said, text: safeText(said.says) };
  },
);
