/** `legion scripted`: the scripted agent as a process, started by a host and not by people. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type PlayOrder, play } from '../../agents/scripted/player/play.ts';
import { LegionError } from '../../domain/fault.ts';
import { shown } from '../../domain/shown.ts';
import type { Command } from '../command.ts';

const HELP = `Usage: legion scripted --session ID --home FOLDER [--resume] [--scenario FILE] < PROMPT

Plays one turn of a worker in the present folder, as docs/scenarios.md describes. It needs a worker's environment.

  --session ID      begins this session; with --resume continues it
  --home FOLDER     where sessions are kept
  --scenario FILE   YAML or JSON; without it the built-in scenario of the phase is played
`;

/** A session id becomes a file's name. */
const SESSION_FORM = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;

export const scripted: Command = {
  help: HELP,
  perform: async (args, context) => play(readOrder(args, context.cwd), context),
};

function readOrder(args: readonly string[], cwd: string): PlayOrder {
  const { session, home, resume = false, scenario } = parsed(args);
  if (session === undefined || home === undefined)
    throw new LegionError('usage.invalid', 'scripted needs --session and --home');
  if (!SESSION_FORM.test(session))
    throw new LegionError('usage.invalid', `--session ${shown(session)} is not a session id`);
  const file = scenario === undefined ? undefined : resolve(cwd, scenario);
  return { session, home: resolve(cwd, home), resume, scenario: file };
}

function parsed(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        session: { type: 'string' },
        home: { type: 'string' },
        resume: { type: 'boolean' },
        scenario: { type: 'string' },
      },
    });
    return values;
  } catch (error) {
    throw new LegionError('usage.invalid', error instanceof Error ? error.message : String(error));
  }
}
