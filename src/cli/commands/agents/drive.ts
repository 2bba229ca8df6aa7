/** `legion drive`: holds a real agent's session through its turns, started by a host and not by people. */

import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { LegionError, shown } from '../../../core/model/fault.ts';
import type { Dialect } from '../../../driving/dialect.ts';
import { type DriveOrder, drive as driven } from '../../../driving/drive.ts';
import { equipmentOf } from '../../../driving/equipment.ts';
import { launcher } from '../../launcher.ts';
import { parseSessionId } from '../../parse-names.ts';
import { defineCommand } from '../../program/define-command.ts';
import { skillsFolder } from '../../skills-folder.ts';

/** Loaded when it is called: one agent has no use for the others' code. */
const DIALECTS: Readonly<Record<string, () => Promise<Dialect>>> = {
  opencode: async () => (await import('../../../agents/opencode/dialect.ts')).opencode,
  'claude-code': async () => (await import('../../../agents/claude-code/dialect.ts')).claudeCode,
  codex: async () => (await import('../../../agents/codex/dialect.ts')).codex,
};

export const drive = defineCommand(
  () =>
    new Command()
      .description(
        'Run turns of a real agent in this folder, as docs/agents.md describes. The daemon starts it in the environment of a worker; the prompt is read from standard input.',
      )
      .argument('<AGENT>', Object.keys(DIALECTS).join(', '))
      .option('--session <ID>', 'Begin this session, or continue it with --resume')
      .option('--resume', 'Continue the session')
      .option('--native <ID>', 'The agent’s own id of the session')
      .option('--home <FOLDER>', 'Where records of sessions are kept')
      .option('--program <PROGRAM>', 'The program of the agent')
      .option('--model <MODEL>', 'The model, as the agent names it')
      .option('--url <URL>', 'Where the API of the model is')
      .option('--key-variable <NAME>', 'The variable that holds the key of the API'),
  async ({ positionals: [kind], options }, context) => {
    const load = Object.hasOwn(DIALECTS, kind) ? DIALECTS[kind] : undefined;
    if (load === undefined)
      throw new LegionError(
        'usage.invalid',
        `Unknown agent ${shown(kind)}. Valid: ${Object.keys(DIALECTS).join(', ')}.`,
      );
    const order = readOrder(options, context.cwd);
    const equipment = equipmentOf(launcher(), skillsFolder());
    return driven(order, await load(), { ...context, equipment });
  },
);

interface DriveOptions {
  readonly session?: string;
  readonly resume?: true;
  readonly native?: string;
  readonly home?: string;
  readonly program?: string;
  readonly model?: string;
  readonly url?: string;
  readonly keyVariable?: string;
}

function readOrder(options: DriveOptions, cwd: string): DriveOrder {
  const { session, home, program, resume = false, native, model, url, keyVariable } = options;
  if (session === undefined || home === undefined || program === undefined)
    throw new LegionError('usage.invalid', 'legion drive needs --session, --home and --program');
  const endpoint = url === undefined ? undefined : { url, keyVariable };
  return {
    session: parseSessionId(session),
    home: resolve(cwd, home),
    program,
    isResumed: resume,
    native,
    model,
    endpoint,
  };
}
