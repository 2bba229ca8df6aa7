/** `legion drive`: holds a real agent's session through its turns, started by a host and not by people. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { LegionError } from '../../domain/fault.ts';
import { shown } from '../../domain/shown.ts';
import type { Dialect } from '../../driving/dialect.ts';
import { type DriveOrder, drive as driven } from '../../driving/drive.ts';
import { equipmentOf } from '../../driving/equipment.ts';
import type { Command } from '../command.ts';
import { launcher } from '../launcher.ts';
import { skillsFolder } from '../skills-folder.ts';

const HELP = `Usage: legion drive AGENT --session ID --home FOLDER --program PROGRAM [options] < PROMPT

Takes turns with claude-code, opencode or codex in the present folder, as docs/agents.md describes. It needs a worker's environment.

  --session ID          begins this session; with --resume continues it
  --native ID           the agent's own id of the session
  --home FOLDER         where records of sessions are kept
  --program PROGRAM     the agent's own program
  --model MODEL         the model, as the agent names it
  --url URL             where the model's API is
  --key-variable NAME   the variable that holds the key to it
`;

/** A session id becomes a file's name. */
const SESSION_FORM = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;

/** Loaded when it is called: one agent has no use for the others' code. */
const DIALECTS: Readonly<Record<string, () => Promise<Dialect>>> = {
  opencode: async () => (await import('../../agents/opencode/dialect.ts')).opencode,
  'claude-code': async () => (await import('../../agents/claude-code/dialect.ts')).claudeCode,
  codex: async () => (await import('../../agents/codex/dialect.ts')).codex,
};

export const drive: Command = {
  help: HELP,
  perform: async (args, context) => {
    const [kind = '', ...rest] = args;
    const load = Object.hasOwn(DIALECTS, kind) ? DIALECTS[kind] : undefined;
    if (load === undefined)
      throw new LegionError(
        'usage.invalid',
        `${shown(kind)} is no agent that can be driven; there are ${Object.keys(DIALECTS).join(', ')}`,
      );
    const order = readOrder(rest, context.cwd);
    return driven(order, await load(), { ...context, equipment: equipmentOf(launcher(), skillsFolder()) });
  },
};

function readOrder(args: readonly string[], cwd: string): DriveOrder {
  const { session, home, program, resume = false, native, model, url, 'key-variable': key } = parsed(args);
  if (session === undefined || home === undefined || program === undefined)
    throw new LegionError('usage.invalid', 'drive needs --session, --home and --program');
  if (!SESSION_FORM.test(session))
    throw new LegionError('usage.invalid', `--session ${shown(session)} is not a session id`);
  const endpoint = url === undefined ? undefined : { url, keyVariable: key };
  return { session, home: resolve(cwd, home), program, isResumed: resume, native, model, endpoint };
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...{ session: text, home: text, program: text, native: text, model: text, url: text },
        'key-variable': text,
        resume: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    throw new LegionError('usage.invalid', error instanceof Error ? error.message : String(error));
  }
}
