/** `legion issue add`: a new issue on the board. */
import { issueSchema } from '../../../protocol/board.ts';
import { parseIssueId, parsePriority, parseStatus } from '../../parse-names.ts';
import { safeLine } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { BODY_OPTIONS, bodyGiven } from '../../read-text.ts';

export const add = daemonCommand(
  {
    name: 'issue add',
    says: 'Puts a new issue on the board.',
    takes: { title: 'many' },
    options: {
      ...BODY_OPTIONS,
      label: { value: 'LABEL', many: true, says: 'a label' },
      priority: { value: 'PRIORITY', says: 'urgent, high, medium, low or none; also 1 to 4 and 0' },
      status: { value: 'STATUS', says: 'its column; default: Triage' },
      'blocked-by': { value: 'ISSUE', many: true, says: 'an issue that must be done first' },
      key: { value: 'KEY', says: 'the same key again is the same issue, not another one' },
    },
  },
  async ({ title, options }, { daemon, context }) => {
    const { label, priority, status, key } = options;
    const body = await bodyGiven(options, context);
    const issue = await daemon.request('POST', '/issues', issueSchema, {
      body: {
        title: title.join(' '),
        labels: label,
        blockedBy: options['blocked-by'].map(parseIssueId),
        ...(body !== undefined && { body }),
        ...(priority !== undefined && { priority: parsePriority(priority) }),
        ...(status !== undefined && { status: parseStatus(status) }),
        ...(key !== undefined && { key }),
      },
    });
    return { data: issue, text: `${issue.id} is in ${issue.status}: ${safeLine(issue.title)}` };
  },
);
