/** `legion issue label ISSUE +a -b`: adds and takes away labels, in one write. */
import { Command } from '@commander-js/extra-typings';
import { LegionError, shown } from '../../../core/model/fault.ts';
import { issueEndpoints } from '../../../protocol/endpoints/issues.ts';
import { parseIssueId } from '../../parse-names.ts';
import { safeLine } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { examples, ISSUE_HELP } from '../../program/options.ts';

export const label = daemonCommand(
  () =>
    new Command()
      .description('Add the labels that begin with + and remove those that begin with -, in one write.')
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('<LABELS...>', '+LABEL to add it, -LABEL to remove it')
      .addHelpText('after', examples('legion issue label SHOP-1 +bug -question')),
  async ({ positionals: [issue, labels] }, { daemon }) => {
    const body = {
      add: labels.filter((label) => signOf(label) === '+').map((label) => label.slice(1)),
      remove: labels.filter((label) => signOf(label) === '-').map((label) => label.slice(1)),
    };
    const changed = await daemon.call(issueEndpoints.label, { params: { id: parseIssueId(issue) }, body });
    const left = changed.labels.length === 0 ? 'no label' : changed.labels.join(' ');
    return { data: changed, text: `${changed.id} has ${safeLine(left)}` };
  },
  // `-b` is a label here, not an option: it goes behind the options.
  (args) => {
    const signed = args.filter((arg) => /^[+-][^-]/.test(arg) && arg !== '-h');
    const others = args.filter((arg) => !signed.includes(arg) && arg !== '--');
    return [...others, '--', ...signed];
  },
);

function signOf(label: string): '+' | '-' {
  const sign = label[0];
  if (label.length > 1 && (sign === '+' || sign === '-')) return sign;
  throw new LegionError('usage.invalid', `a label is given as +LABEL or -LABEL, got ${shown(label)}`);
}
