/** `legion dispatch`: starts one worker by hand. */
import { LegionError } from '../../domain/fault.ts';
import { shown } from '../../domain/shown.ts';
import { workerSchema } from '../../protocol/operator.ts';
import { wholeNumber } from '../arguments.ts';
import { parseIssueId, parseMode } from '../parse-names.ts';
import { daemonCommand } from '../program/daemon-command.ts';

export const dispatch = daemonCommand(
  {
    name: 'dispatch',
    says: 'Starts a worker of one mode for an issue. What is not due is refused, with the step that is.',
    takes: { issue: 'one', mode: 'one' },
    options: {
      repo: { value: 'REPO', says: 'the repository it works on; default: the one of the issue' },
      prompt: { value: 'TEXT', says: 'what it is told besides its task' },
      version: { value: 'N', says: 'another session, for one that cannot be recovered' },
      env: { value: 'NAME=VALUE', many: true, says: 'a variable of its environment' },
      force: { says: 'out of order; it is written down who did' },
    },
  },
  async ({ issue, mode, options }, { daemon, by }) => {
    const { repo, prompt, version, env, force } = options;
    const worker = await daemon.request('POST', '/workers', workerSchema, {
      body: {
        issue: parseIssueId(issue),
        mode: parseMode(mode),
        force,
        by,
        ...(repo !== undefined && { repo }),
        ...(prompt !== undefined && { prompt }),
        ...(version !== undefined && { version: wholeNumber('--version', version) }),
        ...(env.length > 0 && { env: Object.fromEntries(env.map(variable)) }),
      },
    });
    const text = `${worker.id} is ${worker.status}, attempt ${worker.attempt}, session ${worker.sessionId}`;
    return { data: worker, text };
  },
);

function variable(text: string): [name: string, value: string] {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  // Not the whole of it: what stands behind a mistyped name may be a secret.
  throw new LegionError('usage.invalid', `--env takes NAME=VALUE, got ${shown(text.split('=')[0] ?? '')}`);
}
