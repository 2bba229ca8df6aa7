/** `legion issue add`: a new issue on the board. */
import { Command } from '@commander-js/extra-typings';
import { issueEndpoints } from '../../../../protocol/endpoints/issues.ts';
import { PRIORITY_HELP, parseIssueId, parsePriority, parseStatus } from '../../../parse-names.ts';
import { safeLine } from '../../../present/safe.ts';
import { daemonCommand } from '../../../program/daemon-command.ts';
import { collectValues, examples } from '../../../program/options.ts';
import { addBodyOptions, readBody } from '../../../read-text.ts';

export const add = daemonCommand(
  () =>
    addBodyOptions(
      new Command()
        .description('Add an issue to the board.')
        .argument('<TITLE...>', 'The title of the issue'),
    )
      .option('--label <LABEL>', 'Add a label; repeatable', collectValues, [])
      .option('--priority <PRIORITY>', PRIORITY_HELP)
      .option('--status <STATUS>', 'Status, such as todo or in-progress (default: Triage)')
      .option('--blocked-by <ISSUE>', 'An issue that must be done first; repeatable', collectValues, [])
      .option('--key <KEY>', 'Add the issue only once, however often this key is used')
      .addHelpText(
        'after',
        examples(
          'legion issue add "Greet by name" --priority high',
          'legion issue add "Fix login" --body-file - < notes.md',
        ),
      ),
  async ({ positionals: [title], options }, { daemon, context }) => {
    const { label, priority, status, key, blockedBy } = options;
    const issue = await daemon.call(issueEndpoints.add, {
      body: {
        title: title.join(' '),
        labels: label,
        blockedBy: blockedBy.map(parseIssueId),
        priority: priority === undefined ? undefined : parsePriority(priority),
        status: status === undefined ? undefined : parseStatus(status),
        key,
        body: await readBody(options, context),
      },
    });
    return { data: issue, text: `${issue.id} is in ${issue.status}: ${safeLine(issue.title)}` };
  },
);
