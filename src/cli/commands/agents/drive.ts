/**
 * `legion drive`: runs the turns of a real agent's session. Legion's hosts start this command;
 * people do not.
 */

import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { AgentDialect } from '../../../agents/runner/dialect.ts';
import { type DriverOptions, runDriver } from '../../../agents/runner/drive.ts';
import { buildEquipment } from '../../../agents/runner/equipment.ts';
import { LegionError, quoteText } from '../../../core/model/fault.ts';
import { getLauncher, requireSkillsFolder } from '../../installation.ts';
import { parseSessionId } from '../../parse-names.ts';
import { defineCommand } from '../../program/define-command.ts';

/** Loaded on demand, because each process needs only one agent's code. */
const DIALECTS: Readonly<Record<string, () => Promise<AgentDialect>>> = {
  opencode: async () => (await import('../../../agents/opencode/dialect.ts')).opencodeDialect,
  'claude-code': async () => (await import('../../../agents/claude-code/dialect.ts')).claudeCodeDialect,
  codex: async () => (await import('../../../agents/codex/dialect.ts')).codexDialect,
};

export const drive = defineCommand(
  () =>
    new Command()
      .description(
        'Run turns of a real agent in this folder, as described in docs/agents.md. The daemon starts this command in the environment of a worker and passes the prompt on standard input.',
      )
      .argument('<AGENT>', Object.keys(DIALECTS).join(', '))
      .option('--session <ID>', 'Start this session, or continue it with --resume')
      .option('--resume', 'Continue the session')
      .option('--native <ID>', 'The agent’s own session id')
      .option('--home <FOLDER>', 'Folder for session records')
      .option('--program <PROGRAM>', 'The agent’s executable')
      .option('--model <MODEL>', 'Name of the model, as the agent expects it')
      .option('--url <URL>', 'URL of the model’s API')
      .option('--key-variable <NAME>', 'Environment variable that contains the API key'),
  async ({ positionals: [kind], options }, context) => {
    const load = Object.hasOwn(DIALECTS, kind) ? DIALECTS[kind] : undefined;
    if (load === undefined)
      throw new LegionError(
        'usage.invalid',
        `Unknown agent ${quoteText(kind)}. Valid: ${Object.keys(DIALECTS).join(', ')}.`,
      );
    const order = readOrder(options, context.cwd);
    const equipment = buildEquipment(getLauncher(), requireSkillsFolder());
    return runDriver(order, await load(), { ...context, equipment });
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

function readOrder(options: DriveOptions, cwd: string): DriverOptions {
  const { session, home, program, resume = false, native, model, url, keyVariable } = options;
  if (session === undefined || home === undefined || program === undefined)
    throw new LegionError('usage.invalid', 'legion drive needs --session, --home and --program.');
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
