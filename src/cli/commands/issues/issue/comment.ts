/**
 * `legion issue comment` and `legion issue label`: add a comment to an issue, and change its
 * labels.
 */
import { Command } from '@commander-js/extra-typings';
import { LegionError, quoteText } from '../../../../core/model/fault.ts';
import { issueEndpoints } from '../../../../protocol/endpoints/issues.ts';
import { parseIssueId } from '../../../parse-names.ts';
import { sanitizeLine, sanitizeText } from '../../../present/terminal.ts';
import { daemonCommand } from '../../../program/daemon-command.ts';
import { ISSUE_HELP, renderExamples } from '../../../program/define-command.ts';

export const comment = daemonCommand(
  () =>
    new Command()
      .description('Comment on an issue. Its workers read the comments.')
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('<TEXT...>', 'The comment')
      .addHelpText('after', renderExamples('legion issue comment SHOP-1 "Use the new API"')),
  async ({ positionals: [issue, text] }, { daemon, by }) => {
    const body = { text: text.join(' '), author: by };
    const result = await daemon.call(issueEndpoints.comment, { params: { id: parseIssueId(issue) }, body });
    return { data: result, text: sanitizeText(result.says) };
  },
);

/** Adds and removes labels in one write: `legion issue label ISSUE +a -b`. */
export const label = daemonCommand(
  () =>
    new Command()
      .description('Add the labels that start with + and remove those that start with -, in one write.')
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('<LABELS...>', '+LABEL to add it, -LABEL to remove it')
      .addHelpText('after', renderExamples('legion issue label SHOP-1 +bug -question')),
  async ({ positionals: [issue, labels] }, { daemon }) => {
    const body = {
      add: labels.filter((label) => parseLabelSign(label) === '+').map((label) => label.slice(1)),
      remove: labels.filter((label) => parseLabelSign(label) === '-').map((label) => label.slice(1)),
    };
    const changed = await daemon.call(issueEndpoints.label, { params: { id: parseIssueId(issue) }, body });
    const left = changed.labels.length === 0 ? 'no labels' : changed.labels.join(' ');
    return { data: changed, text: `${changed.id} has ${sanitizeLine(left)}` };
  },
  // Moves labels such as `-b` after `--`, because they are not options here.
  (args) => {
    const signed = args.filter((arg) => /^[+-][^-]/.test(arg) && arg !== '-h');
    const others = args.filter((arg) => !signed.includes(arg) && arg !== '--');
    return [...others, '--', ...signed];
  },
);

function parseLabelSign(label: string): '+' | '-' {
  const sign = label[0];
  if (label.length > 1 && (sign === '+' || sign === '-')) return sign;
  throw new LegionError('usage.invalid', `A label must be +LABEL or -LABEL, got ${quoteText(label)}.`);
}
