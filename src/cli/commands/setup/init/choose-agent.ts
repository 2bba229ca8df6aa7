/**
 * Chooses the agent of a new legion: the one that the person specified, the only one that is ready,
 * or the person's answer.
 */

import { tmpdir } from 'node:os';
import { findProgram } from '../../../../agents/driven-agent.ts';
import type { AgentKind } from '../../../../config/legion/work.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import { openAgents } from '../../../../daemon/composition/open-agents.ts';
import type { PreflightResult } from '../../../../ports/agent.ts';
import { askChoice } from '../../../ask-person.ts';
import { getLauncher } from '../../../installation.ts';
import { withProgress } from '../../../present/terminal.ts';
import type { CommandContext } from '../../../program/define-command.ts';

export interface ChosenAgent {
  readonly kind: AgentKind;
  /** One line that shows the agent's version and login, or the steps that are still needed. */
  readonly note: string;
}

/**
 * Chooses the agent. If the agent is missing or the choice is ambiguous, rejects before anything is
 * written.
 */
export async function chooseAgent(
  named: AgentKind | undefined,
  asks: boolean,
  context: CommandContext,
): Promise<ChosenAgent> {
  const installed = await withProgress(context, 'searching for agents', () => findInstalledAgents(context));
  if (named !== undefined) return toChosenAgent(requireNamedAgent(named, installed));
  if (installed.length === 0) throw createNotInstalledError();
  return toChosenAgent(asks ? await askAgent(installed, context) : requireOnlyReadyAgent(installed));
}

/**
 * Rejects if no agent is installed. Called before the first question, because without an agent the
 * answers would be useless.
 */
export async function requireAnyAgent({ env }: CommandContext): Promise<void> {
  const programs = await Promise.all(REAL_AGENTS.map(({ program }) => findProgram(program, env)));
  if (programs.every((path) => path === undefined)) throw createNotInstalledError();
}

function createNotInstalledError(): LegionError {
  return new LegionError(
    'agent.not_installed',
    `No agent is installed on this machine, so nothing was written. Install one and log in:\n${describeInstallation()}`,
  );
}

function requireNamedAgent(named: AgentKind, installed: readonly InstalledAgent[]): InstalledAgent {
  const agent = installed.find(({ kind }) => kind === named);
  if (agent !== undefined) return agent;
  const instructions = describeInstallation(REAL_AGENTS.filter(({ kind }) => kind === named));
  throw new LegionError(
    'agent.not_installed',
    `--agent: ${named} is not installed on this machine, so nothing was written. Install it and log in:\n${instructions}`,
  );
}

function requireOnlyReadyAgent(installed: readonly InstalledAgent[]): InstalledAgent {
  const ready = installed.filter(({ preflight }) => preflight.ready);
  const [first, ...others] = ready;
  if (first === undefined) {
    const problems = installed.map(({ label, preflight }) => `  ${label}: ${describeUnreadiness(preflight)}`);
    throw new LegionError('agent.not_ready', `No installed agent is ready to work:\n${problems.join('\n')}`);
  }
  if (others.length === 0) return first;
  const kinds = ready.map(({ kind }) => kind).join(', ');
  throw new LegionError('agent.ambiguous', `Several agents are ready (${kinds}), and none was chosen.`);
}

async function askAgent(
  installed: readonly InstalledAgent[],
  context: CommandContext,
): Promise<InstalledAgent> {
  const choices = installed.map(({ kind, label, preflight }) => ({
    value: kind,
    label,
    hint: preflight.ready ? `${preflight.version}, logged in` : preflight.problem,
  }));
  const first = installed.find(({ preflight }) => preflight.ready) ?? installed[0];
  const kind = await askChoice(
    context,
    'Which agent should Legion use?',
    choices,
    first?.kind ?? 'claude-code',
  );
  return installed.find((each) => each.kind === kind) ?? requireNamedAgent(kind, installed);
}

function toChosenAgent({ kind, preflight }: InstalledAgent): ChosenAgent {
  const note = preflight.ready
    ? `${kind} is ready: version ${preflight.version}${preflight.login === undefined ? '' : `, logged in with ${preflight.login}`}`
    : `${kind} is not ready: ${describeUnreadiness(preflight)}`;
  return { kind, note };
}

function describeUnreadiness(preflight: InstalledAgent['preflight']): string {
  return preflight.ready ? '' : `${preflight.problem.replace(/\.?$/, '.')} ${preflight.next}`;
}

const REAL_AGENTS = [
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

interface InstalledAgent {
  readonly kind: RealAgentKind;
  readonly label: string;
  readonly preflight: PreflightResult;
}

/**
 * Finds the real agents that are installed on this machine, and whether they are logged in. Runs
 * the same preflight as `legion doctor`.
 */
async function findInstalledAgents({ env, signal }: CommandContext): Promise<readonly InstalledAgent[]> {
  // A preflight writes nothing to the state directory that it receives.
  const agents = openAgents({ launcher: getLauncher(), state: tmpdir(), folder: tmpdir(), environment: env });
  const installed = await Promise.all(
    REAL_AGENTS.map(async ({ kind, label, program }) => {
      if ((await findProgram(program, env)) === undefined) return [];
      return [{ kind, label, preflight: await agents(kind).preflight(signal, {}) }];
    }),
  );
  return installed.flat();
}

/** Describes how to install the agents, one line each. */
function describeInstallation(agents: readonly RealAgent[] = REAL_AGENTS): string {
  return agents.map(({ label, install, login }) => `  ${label}: ${install}, then ${login}`).join('\n');
}
