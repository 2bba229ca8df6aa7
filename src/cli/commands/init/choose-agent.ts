/** Settles which agent a new legion works with: the named one, the only one that is ready, or the one a person picks. */
import { findProgram } from '../../../agents/program.ts';
import type { AgentKind } from '../../../config/legion/work.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { chosen } from '../../ask-person.ts';
import type { CommandContext } from '../../command.ts';
import { withProgress } from '../../present/progress.ts';
import {
  describeInstallation,
  findInstalledAgents,
  type InstalledAgent,
  REAL_AGENTS,
} from './find-agents.ts';

export interface ChosenAgent {
  readonly kind: AgentKind;
  /** One line for a person: its version and login, or what it still lacks. */
  readonly note: string;
}

/** Rejects before anything is written: no guess among several, and no agent that is not there. */
export async function chooseAgent(
  named: AgentKind | undefined,
  asks: boolean,
  context: CommandContext,
): Promise<ChosenAgent> {
  const installed = await withProgress(context, 'looking for agents', () => findInstalledAgents(context));
  if (named !== undefined) return noted(findNamed(named, installed));
  if (installed.length === 0) throw nothingInstalled();
  return noted(asks ? await askAgent(installed, context) : findOnlyReady(installed));
}

/** Rejects before the first question: no answer helps while no agent is installed. */
export async function requireAnyAgent({ env }: CommandContext): Promise<void> {
  const found = await Promise.all(REAL_AGENTS.map(({ program }) => findProgram(program, env)));
  if (found.every((path) => path === undefined)) throw nothingInstalled();
}

function nothingInstalled(): LegionError {
  return new LegionError(
    'agent.not_installed',
    `no agent is installed on this machine; nothing was written. Install one and log in:\n${describeInstallation()}`,
  );
}

function findNamed(named: AgentKind, installed: readonly InstalledAgent[]): InstalledAgent {
  const found = installed.find(({ kind }) => kind === named);
  if (found !== undefined) return found;
  const how = describeInstallation(REAL_AGENTS.filter(({ kind }) => kind === named));
  throw new LegionError(
    'agent.not_installed',
    `--agent: ${named} is not installed on this machine; nothing was written. Install it and log in:\n${how}`,
  );
}

function findOnlyReady(installed: readonly InstalledAgent[]): InstalledAgent {
  const ready = installed.filter(({ preflight }) => preflight.ready);
  const [first, ...others] = ready;
  if (first === undefined) {
    const lacks = installed.map(({ label, preflight }) => `  ${label}: ${lackOf(preflight)}`);
    throw new LegionError('agent.not_ready', `no installed agent can work yet:\n${lacks.join('\n')}`);
  }
  if (others.length === 0) return first;
  const kinds = ready.map(({ kind }) => kind).join(', ');
  throw new LegionError('agent.ambiguous', `several agents are ready (${kinds}); none was named`);
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
  const kind = await chosen(context, 'Who works', choices, first?.kind ?? 'claude-code');
  return installed.find((each) => each.kind === kind) ?? findNamed(kind, installed);
}

function noted({ kind, preflight }: InstalledAgent): ChosenAgent {
  const note = preflight.ready
    ? `${kind} works here: version ${preflight.version}${preflight.login === undefined ? '' : `, logged in by ${preflight.login}`}`
    : `${kind} cannot work yet: ${lackOf(preflight)}`;
  return { kind, note };
}

function lackOf(preflight: InstalledAgent['preflight']): string {
  return preflight.ready ? '' : `${preflight.problem.replace(/\.?$/, '.')} ${preflight.next}`;
}
