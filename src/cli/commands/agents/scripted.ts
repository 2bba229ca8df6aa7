/** `legion scripted`: runs the scripted agent as a process started by the daemon. */
import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { runScenario } from '../../../agents/scripted/player/play.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { parseSessionId } from '../../parse-names.ts';
import { defineCommand } from '../../program/define-command.ts';

export const scripted = defineCommand(
  () =>
    new Command()
      .description(
        'Play one turn of a worker in this folder, as described in docs/scenarios.md. The daemon starts this command in the environment of a worker and passes the prompt on standard input.',
      )
      .option('--session <ID>', 'Start this session, or continue it with --resume')
      .option('--resume', 'Continue the session')
      .option('--home <FOLDER>', 'Folder for session records')
      .option('--scenario <FILE>', 'Scenario as YAML or JSON (default: the built-in scenario of the phase)'),
  async ({ options: { session, home, resume = false, scenario } }, context) => {
    if (session === undefined || home === undefined)
      throw new LegionError('usage.invalid', 'legion scripted needs --session and --home.');
    const order = {
      session: parseSessionId(session),
      home: resolve(context.cwd, home),
      resume,
      scenario: scenario === undefined ? undefined : resolve(context.cwd, scenario),
    };
    return runScenario(order, context);
  },
);
