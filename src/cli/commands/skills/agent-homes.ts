/** Where each agent looks for the skills of its user. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expandHome } from '../../../config/paths.ts';
import { LegionError, shown } from '../../../core/model/fault.ts';
import { unwrap } from '../../../lib/result.ts';
import type { CommandContext } from '../../command.ts';

interface Habit {
  /** The variable its user moves its folder with. */
  readonly variable: string;
  /** Where it is otherwise. */
  readonly usual: string;
  /** Its own folder below either. */
  readonly own: string;
}

const HABITS = {
  'claude-code': { variable: 'CLAUDE_CONFIG_DIR', usual: '~/.claude', own: '.' },
  opencode: { variable: 'XDG_CONFIG_HOME', usual: '~/.config', own: 'opencode' },
  codex: { variable: 'CODEX_HOME', usual: '~/.codex', own: '.' },
} as const satisfies Readonly<Record<string, Habit>>;

type AgentName = keyof typeof HABITS;
export const AGENT_NAMES = Object.keys(HABITS) as readonly AgentName[];

export interface AgentHome {
  readonly agent: AgentName;
  /** What shows that the agent is used here. */
  readonly home: string;
  readonly isThere: boolean;
  readonly skills: string;
}

export function agentHome(agent: AgentName, { env, cwd }: Pick<CommandContext, 'env' | 'cwd'>): AgentHome {
  const { variable, usual, own } = HABITS[agent];
  const named = env[variable];
  // An empty variable counts as none, as shells have no better way to take one back.
  const base = named === undefined || named === '' ? unwrap(expandHome(usual, env)) : resolve(cwd, named);
  const home = join(base, own);
  return { agent, home, isThere: existsSync(home), skills: join(home, 'skills') };
}

export function agentNamed(text: string): AgentName {
  const found = AGENT_NAMES.find((name) => name === text.trim().toLowerCase());
  if (found !== undefined) return found;
  throw new LegionError('usage.invalid', `--agent ${shown(text)}: there are ${AGENT_NAMES.join(', ')}`);
}
