/** `legion scripted`: the scripted agent as a process that the daemon starts. */
import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { play } from '../../../agents/scripted/player/play.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { parseSessionId } from '../../parse-names.ts';
import { defineCommand } from '../../program/define-command.ts';

export const scripted = defineCommand(
  () =>
    new Command()
      .description(
        'Play one turn of a worker in this folder, as docs/scenarios.md describes. The daemon starts it in the environment of a worker; the prompt is read from standard input.',
      )
      .option('--session <ID>', 'Begin this session, or continue it with --resume')
      .option('--resume', 'Continue the session')
      .option('--home <FOLDER>', 'Where sessions are kept')
      .option('--scenario <FILE>', 'YAML or JSON (default: the built-in scenario of the phase)'),
  async ({ options: { session, home, resume = false, scenario } }, context) => {
    if (session === undefined || home === undefined)
      throw new LegionError('usage.invalid', 'legion scripted needs --session and --home');
    const order = {
      session: parseSessionId(session),
      home: resolve(context.cwd, home),
      resume,
      scenario: scenario === undefined ? undefined : resolve(context.cwd, scenario),
    };
    return play(order, context);
  },
);
