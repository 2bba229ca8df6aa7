/**
 * `legion issue add` and `legion issue edit`: add an issue to the board, or edit an existing one.
 */
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../../core/model/fault.ts';
import { issueEndpoints } from '../../../../protocol/endpoints/issues.ts';
import { PRIORITY_HELP, parseIssueId, parsePriority, parseStatus } from '../../../parse-names.ts';
import { sanitizeLine } from '../../../present/terminal.ts';
import { daemonCommand } from '../../../program/daemon-command.ts';
import { collectValues, ISSUE_HELP, renderExamples } from '../../../program/define-command.ts';
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
      .option('--status <STATUS>', 'Initial status, such as todo or in-progress (default: Triage)')
      .option('--blocked-by <ISSUE>', 'An issue that must be done first; repeatable', collectValues, [])
      .option('--key <KEY>', 'Idempotency key: add the issue only once, even if the command is repeated')
      .addHelpText(
        'after',
        renderExamples(
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
    return { data: issue, text: `${issue.id} is in ${issue.status}: ${sanitizeLine(issue.title)}` };
  },
);

export const edit = daemonCommand(
  () =>
    addBodyOptions(
      new Command()
        .description('Change an issue. Only the fields you pass are changed.')
        .argument('<ISSUE>', ISSUE_HELP)
        .option('--title <TITLE>', 'New title'),
    )
      .option('--priority <PRIORITY>', PRIORITY_HELP)
      .option('--blocked-by <ISSUE>', 'Add an issue that must be done first; repeatable', collectValues, [])
      .option(
        '--not-blocked-by <ISSUE>',
        'Remove an issue that must be done first; repeatable',
        collectValues,
        [],
      )
      .addHelpText('after', renderExamples('legion issue edit SHOP-1 --title "Greet by name"')),
  async ({ positionals: [issue], options }, { daemon, context }) => {
    const id = parseIssueId(issue);
    const { title, priority } = options;
    const add = options.blockedBy.map(parseIssueId);
    const remove = options.notBlockedBy.map(parseIssueId);
    const change = {
      title,
      priority: priority === undefined ? undefined : parsePriority(priority),
      blockers: add.length + remove.length > 0 ? { add, remove } : undefined,
      body: await readBody(options, context),
    };
    if (Object.values(change).every((value) => value === undefined))
      throw new LegionError(
        'usage.invalid',
        'legion issue edit needs at least one of --title, --body, --body-file, --priority, --blocked-by or --not-blocked-by.',
      );
    const edited = await daemon.call(issueEndpoints.edit, { params: { id }, body: change });
    return { data: edited, text: `${id} was changed: ${sanitizeLine(edited.title)}` };
  },
);
