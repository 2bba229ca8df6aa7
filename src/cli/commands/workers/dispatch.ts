/** `legion dispatch`: starts one worker by hand. */
import { Command } from '@commander-js/extra-typings';
import { LegionError, shown } from '../../../core/model/fault.ts';
import { MODES } from '../../../domain/mode.ts';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import { parseIssueId, parseMode } from '../../parse-names.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { collectValues, examples, ISSUE_HELP, parseWholeNumber } from '../../program/options.ts';

export const dispatch = daemonCommand(
  () =>
    new Command()
      .description(
        'Start a worker by hand. If the worker is not due, it is refused, and the output names the step that is due.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('<MODE>', `What the worker does: ${MODES.join(', ')}`)
      .option('--repo <REPO>', 'Repository to work on (default: the one of the issue)')
      .option('--prompt <TEXT>', 'Text that the worker gets besides its task')
      .option(
        '--version <N>',
        'Number of the session; a new number starts a new session if the present one cannot be recovered',
        parseWholeNumber('--version'),
      )
      .option('--env <NAME=VALUE>', 'Set a variable of its environment; repeatable', collectValues, [])
      .option('--force', 'Start it although it is not due; the journal records who did')
      .addHelpText(
        'after',
        examples('legion dispatch SHOP-1 plan', 'legion dispatch SHOP-1 implement --prompt "Keep the API"'),
      ),
  async ({ positionals: [issue, mode], options }, { daemon, by }) => {
    const { repo, prompt, version, env, force = false } = options;
    const worker = await daemon.call(workerEndpoints.dispatch, {
      body: {
        issue: parseIssueId(issue),
        mode: parseMode(mode),
        force,
        by,
        repo,
        prompt,
        version,
        env: env.length > 0 ? Object.fromEntries(env.map(parseVariable)) : undefined,
      },
    });
    const text = `${worker.id} is ${worker.status}, attempt ${worker.attempt}, session ${worker.sessionId}`;
    return { data: worker, text };
  },
);

function parseVariable(text: string): [name: string, value: string] {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  // Only the part before `=`: the value of a mistyped name may be a secret.
  throw new LegionError('usage.invalid', `--env takes NAME=VALUE, got ${shown(text.split('=')[0] ?? '')}`);
}
