/** The agents the configuration names: whether their programs are there and answer. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { agentOf } from '../../../config/legion/agent-of.ts';
import { MODES } from '../../../domain/mode.ts';
import type { CommandContext } from '../../command.ts';
import type { Place } from '../../place.ts';
import { bad, type Finding, ok } from './finding.ts';

/** Starting a large program on a cold disk; the answer itself takes no time. */
const ANSWER_MS = 10_000;
const ANSWER_MOST_BYTES = 64 * 1_024;
const VERSION_LENGTH = 60;

/** What each is called on the search path; `scripted` is part of Legion. */
const PROGRAMS = {
  'claude-code': 'claude',
  opencode: 'opencode',
  codex: 'codex',
  scripted: undefined,
} as const;

export async function examineAgents(
  { resolved }: Place,
  context: CommandContext,
): Promise<readonly Finding[]> {
  const named = new Map<keyof typeof PROGRAMS, string[]>();
  for (const mode of MODES) {
    const { agent } = agentOf(resolved.config, mode);
    named.set(agent, [...(named.get(agent) ?? []), mode]);
  }
  return Promise.all([...named].map(([agent, modes]) => examine(agent, modes, context)));
}

async function examine(
  agent: keyof typeof PROGRAMS,
  modes: readonly string[],
  { env, signal }: CommandContext,
): Promise<Finding> {
  const what = `agent ${agent}`;
  const where = modes.length === MODES.length ? 'every mode' : modes.join(', ');
  const program = PROGRAMS[agent];
  if (program === undefined) return ok(what, `${where}; comes with Legion`);
  try {
    const bounds = { env: { ...env }, signal, timeout: ANSWER_MS, maxBuffer: ANSWER_MOST_BYTES };
    const { stdout } = await promisify(execFile)(program, ['--version'], bounds);
    return ok(what, `${where}; ${(stdout.trim().split('\n')[0] ?? '').slice(0, VERSION_LENGTH)}`);
  } catch (error) {
    if (signal.aborted) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const says = code === 'ENOENT' ? `${program} is not on the PATH` : `${program} --version: ${message}`;
    const next = `Install it and log in, or name another agent for ${where} in legion.yaml.`;
    return bad(what, says, next);
  }
}
