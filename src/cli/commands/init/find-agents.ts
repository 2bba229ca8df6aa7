/** The real agents on this machine: which are installed, and which of them are logged in. */
import { tmpdir } from 'node:os';
import { findProgram } from '../../../agents/program.ts';
import { openAgents } from '../../../daemon/compose-agents.ts';
import type { Preflight } from '../../../ports/agent.ts';
import type { CommandContext } from '../../command.ts';
import { launcher } from '../../launcher.ts';

export const REAL_AGENTS = [
  {
    kind: 'claude-code',
    label: 'Claude Code',
    program: 'claude',
    install: 'npm install --global @anthropic-ai/claude-code',
    login: 'claude auth login',
  },
  {
    kind: 'opencode',
    label: 'OpenCode',
    program: 'opencode',
    install: 'npm install --global opencode-ai',
    login: 'opencode auth login',
  },
  {
    kind: 'codex',
    label: 'Codex',
    program: 'codex',
    install: 'npm install --global @openai/codex',
    login: 'codex login',
  },
] as const;

type RealAgent = (typeof REAL_AGENTS)[number];
type RealAgentKind = RealAgent['kind'];

export interface InstalledAgent {
  readonly kind: RealAgentKind;
  readonly label: string;
  readonly preflight: Preflight;
}

/** Asked by the same preflight as `legion doctor`. */
export async function findInstalledAgents({
  env,
  signal,
}: CommandContext): Promise<readonly InstalledAgent[]> {
  // A preflight leaves nothing where it is told that sessions are kept.
  const agents = openAgents({ launcher: launcher(), state: tmpdir(), folder: tmpdir(), environment: env });
  const found = await Promise.all(
    REAL_AGENTS.map(async ({ kind, label, program }) => {
      if ((await findProgram(program, env)) === undefined) return [];
      return [{ kind, label, preflight: await agents(kind).preflight(signal, {}) }];
    }),
  );
  return found.flat();
}

/** How to get one of them, as lines for a terminal. */
export function describeInstallation(agents: readonly RealAgent[] = REAL_AGENTS): string {
  return agents.map(({ label, install, login }) => `  ${label}: ${install}, then ${login}`).join('\n');
}
