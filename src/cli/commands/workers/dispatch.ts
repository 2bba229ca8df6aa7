/** `legion dispatch`: starts one worker manually. */
import { Command } from '@commander-js/extra-typings';
import { LegionError, quoteText } from '../../../core/model/fault.ts';
import { MODES } from '../../../core/model/mode.ts';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import { parseIssueId, parseMode } from '../../parse-names.ts';
import { sanitizeText } from '../../present/terminal.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { collectValues, ISSUE_HELP, parseWholeNumber, renderExamples } from '../../program/define-command.ts';

export const dispatch = daemonCommand(
  () =>
    new Command()
      .description(
        'Start a worker manually. If this worker is not due, nothing starts and the output shows the step that is due.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('<MODE>', `Mode of the worker: ${MODES.join(', ')}`)
      .option('--repo <REPO>', 'Repository to work on (default: the issue’s repository)')
      .option(
        '--prompt <TEXT>',
        'Text to add to the worker’s task; an existing session of this worker continues with it',
      )
      .option(
        '--version <N>',
        'Session number; use a new one to start a new session if the current one cannot be recovered',
        parseWholeNumber('--version'),
      )
      .option(
        '--env <NAME=VALUE>',
        'Set an environment variable for the worker; repeatable',
        collectValues,
        [],
      )
      .option('--force', 'Start the worker even if it is not due; the journal records who forced it')
      .addHelpText(
        'after',
        renderExamples(
          'legion dispatch SHOP-1 plan',
          'legion dispatch SHOP-1 implement --prompt "Keep the API"',
        ),
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
    return { data: worker, text: worker.says === undefined ? text : `${text}\n${sanitizeText(worker.says)}` };
  },
);

function parseVariable(text: string): [name: string, value: string] {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  // Shows only the part before `=`, because the value of a mistyped variable may be a secret.
  throw new LegionError(
    'usage.invalid',
    `--env takes NAME=VALUE, got ${quoteText(text.split('=')[0] ?? '')}.`,
  );
}
