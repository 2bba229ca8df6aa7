/** `legion answer`: answers a worker's question. */
import { saidAnswer } from '../../protocol/operator.ts';
import { wholeNumber } from '../arguments.ts';
import { asking } from '../asking.ts';
import { route } from '../daemon-client.ts';
import { issueNamed } from '../named.ts';
import { safeText } from '../present/safe.ts';

export const answer = asking(
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
    const said = await daemon.request('POST', route`/issues/${issueNamed(issue)}/answer`, saidAnswer, {
      body,
    });
    return { data: said, text: safeText(said.says) };
  },
);
