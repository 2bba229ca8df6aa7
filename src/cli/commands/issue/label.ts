/** `legion issue label ISSUE +a -b`: adds and takes away labels, in one write. */
import { LegionError } from '../../../domain/fault.ts';
import { shown } from '../../../domain/shown.ts';
import { issueSchema } from '../../../protocol/board.ts';
import { route } from '../../daemon-client.ts';
import { parseIssueId } from '../../parse-names.ts';
import { safeLine } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';

const asked = daemonCommand(
  {
    name: 'issue label',
    says: 'Adds labels that begin with + and takes away those that begin with -, in one write.',
    takes: { issue: 'one', labels: 'many' },
  },
  async ({ issue, labels }, { daemon }) => {
    const body = {
      add: labels.filter((label) => signOf(label) === '+').map((label) => label.slice(1)),
      remove: labels.filter((label) => signOf(label) === '-').map((label) => label.slice(1)),
    };
    const changed = await daemon.request('POST', route`/issues/${parseIssueId(issue)}/labels`, issueSchema, {
      body,
    });
    const left = changed.labels.length === 0 ? 'no label' : changed.labels.join(' ');
    return { data: changed, text: `${changed.id} has ${safeLine(left)}` };
  },
);

/** `-b` is a label here, not an option: everything that looks like one is put behind the options. */
export const label: typeof asked = {
  ...asked,
  perform: (args, context) => {
    const signed = args.filter((arg) => /^[+-][^-]/.test(arg));
    const others = args.filter((arg) => !signed.includes(arg));
    return asked.perform([...others.filter((arg) => arg !== '--'), '--', ...signed], context);
  },
};

function signOf(label: string): '+' | '-' {
  const sign = label[0];
  if (label.length > 1 && (sign === '+' || sign === '-')) return sign;
  throw new LegionError('usage.invalid', `a label is given as +LABEL or -LABEL, got ${shown(label)}`);
}
