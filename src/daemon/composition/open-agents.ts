/** Opens the configured agents and lists which agents may work in which mode. */

import { unwatchFile, watchFile } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createClaudeCodeAgent } from '../../agents/claude-code/claude-code-agent.ts';
import { createCodexAgent } from '../../agents/codex/codex-agent.ts';
import { createOpencodeAgent } from '../../agents/opencode/opencode-agent.ts';
import { createScriptedAgent } from '../../agents/scripted/scripted-agent.ts';
import { findWidening, readConsent, resolveConsentFile, toRequestedTrust } from '../../config/consent.ts';
import { type AgentUse, listAgentUses, listModeAgentUses } from '../../config/legion/mode-agents.ts';
import type { LegionFile } from '../../config/legion/resolve.ts';
import type { LegionConfig } from '../../config/legion/schema.ts';
import { AGENT_KINDS, type AgentKind } from '../../config/legion/work.ts';
import type { AgentChoice, AvailableAgents } from '../../core/model/agent-choice.ts';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { LegionError, toError } from '../../core/model/fault.ts';
import type { Mode } from '../../core/model/mode.ts';
import type { Agent, ModelUse } from '../../ports/agent.ts';
import { createTmuxTerminals, type TmuxTerminalsOptions } from '../../terminals/tmux-terminals.ts';
import type { ActiveProblems } from '../context/active-problems.ts';
import type { AgentAssignment, DaemonContext } from '../context/daemon-context.ts';
import { AgentReadiness, type ReadinessOptions } from '../supervisor/agent-readiness.ts';
import type { WorkerTerminals } from '../supervisor/watch-terminals.ts';

export interface AgentsOptions {
  /** Command that starts Legion. Passed to workers. */
  readonly launcher: readonly [string, ...string[]];
  /** The legion's state directory. Each agent keeps its sessions in a subdirectory. */
  readonly state: string;
  /** Base directory for relative scenario paths. */
  readonly folder: string;
  readonly environment: EnvironmentVariables;
}

/** Creates each agent on first use. */
export function openAgents(options: AgentsOptions): (kind: AgentKind) => Agent {
  const made = new Map<AgentKind, Agent>();
  return (kind) => {
    const agent = made.get(kind) ?? makeAgent(kind, options);
    made.set(kind, agent);
    return agent;
  };
}

function makeAgent(kind: AgentKind, { launcher, state, folder, environment }: AgentsOptions): Agent {
  const home = join(state, 'agents', kind);
  switch (kind) {
    case 'scripted':
      return createScriptedAgent({ launcher, home: join(state, kind), base: folder });
    case 'claude-code':
      return createClaudeCodeAgent({ launcher, home, program: 'claude', environment });
    case 'codex':
      return createCodexAgent({ launcher, home, program: 'codex', environment });
    case 'opencode':
      return createOpencodeAgent({ launcher, home, program: 'opencode', environment });
  }
}

interface AvailableAgentsOptions extends Omit<ReadinessOptions, 'preflight'> {
  /** Whether the operator has consented to real workers. */
  readonly isConsentGiven: () => boolean;
}

/** Reads `config` on every use, so that a reload takes effect in the next reconcile pass. */
export function openAvailableAgents(
  config: () => LegionConfig,
  agents: (kind: AgentKind) => Agent,
  watching: AvailableAgentsOptions,
): Pick<DaemonContext, 'agents' | 'agentOf' | 'recordRefusedLogin'> & { close(): Promise<void> } {
  const readiness = new AgentReadiness({
    ...watching,
    preflight: (choice, signal) => {
      const use = findAgentUse(config(), choice);
      return agents(use.agent).preflight(signal, toModelUse(use));
    },
  });
  const atHand: AvailableAgents = {
    choicesFor: (mode) => listModeAgentUses(config(), mode).map(toAgentChoice),
    readinessOf: (choice) =>
      choice.agent !== 'scripted' && !watching.isConsentGiven() ? 'needs_consent' : readiness.get(choice),
  };
  return {
    agents: atHand,
    agentOf(worker) {
      const use = findAgentUse(config(), resolveAgentChoice(config(), worker));
      return { agent: agents(use.agent), use: toModelUse(use) };
    },
    recordRefusedLogin(choice, message) {
      const use = findAgentUse(config(), choice);
      const { loginHelp = 'Run `legion doctor`.' } = agents(use.agent);
      const help =
        use.key_variable === undefined
          ? loginHelp
          : `Start the daemon with a valid key in ${use.key_variable}.`;
      readiness.refuse(choice, message, help);
    },
    close: () => readiness.close(),
  };
}

function toAgentChoice({ agent, model }: AgentUse): AgentChoice {
  return model === undefined ? { agent } : { agent, model };
}

function resolveAgentChoice(config: LegionConfig, { mode, agent, model }: AgentAssignment): AgentChoice {
  if (agent !== undefined) return { agent, model };
  const [first] = listModeAgentUses(config, mode);
  if (first === undefined) throw new LegionError('agent.not_chosen', `No agent is chosen for ${mode}.`);
  return toAgentChoice(first);
}

/**
 * Returns the current configuration of the worker's agent. If that agent is no longer configured,
 * returns the kind and model that the worker started with.
 */
function findAgentUse(config: LegionConfig, { agent, model }: AgentChoice): AgentUse {
  const uses = listAgentUses(config);
  const same = uses.find((use) => use.agent === agent && use.model === model);
  return same ?? { agent: requireAgentKind(agent), ...(model === undefined ? {} : { model }) };
}

export function toModelUse({ model, url, key_variable }: AgentUse): ModelUse {
  return {
    ...(model === undefined ? {} : { model }),
    ...(url === undefined ? {} : { endpoint: { url, keyVariable: key_variable } }),
  };
}

/**
 * Throws if the agent is unknown. A journal written by a newer version may contain such an agent.
 */
function requireAgentKind(agent: string): AgentKind {
  const kind = AGENT_KINDS.find((each) => each === agent);
  if (kind === undefined)
    throw new LegionError('config.unsupported', `This version of Legion has no agent "${agent}".`);
  return kind;
}

/** Short, because a person is waiting at the terminal, and a check costs only one `stat` call. */
const CONSENT_POLL_MS = 2_000;
const CONSENT_PROBLEM = 'consent';

export interface ConsentWatch {
  /** Returns whether real workers may start under the current configuration. */
  isGiven(): boolean;
  /** Reports missing consent as one problem. Call it after each configuration change. */
  report(): void;
  close(): void;
}

export interface ConsentOptions {
  readonly state: string;
  readonly config: () => LegionConfig;
  readonly problems: ActiveProblems;
  /** Called when consent is recorded or its record is removed. */
  readonly onChange: () => void;
}

/** Tracks, while the daemon is running, whether the operator has consented to real workers. */
export function watchConsent({ state, config, problems, onChange: changed }: ConsentOptions): ConsentWatch {
  const path = resolveConsentFile(state);
  let record = readConsent(state);

  function findMissing(): LegionError | undefined {
    const asked = toRequestedTrust(config());
    if (asked === undefined) return undefined;
    if (!record.ok) return toError(record.fault);
    const wider = findWidening(asked, record.value);
    if (wider.length === 0) return undefined;
    const message = `Real workers start only after you agree to what they may do and spend: ${wider.join('; ')}.`;
    return new LegionError('consent.required', message);
  }

  function report(): void {
    const missing = findMissing();
    if (missing === undefined) problems.resolve(CONSENT_PROBLEM);
    else problems.report(CONSENT_PROBLEM, missing);
  }

  const onChange = () => {
    record = readConsent(state);
    report();
    changed();
  };
  watchFile(path, { interval: CONSENT_POLL_MS, persistent: false }, onChange);
  report();
  return {
    isGiven: () => findMissing() === undefined,
    report,
    close: () => unwatchFile(path, onChange),
  };
}

export interface WorkerEnvironmentOptions {
  readonly environment: EnvironmentVariables;
  /** Directory of the `legion` executable. */
  readonly bin: string;
  readonly config: LegionConfig;
}

/**
 * Builds a worker's environment. Besides basic variables, it contains only the path to `legion`, a
 * commit identity, the agent's credentials and the variables that the operator allows.
 */
export function buildWorkerEnvironment(
  { environment, bin, config }: WorkerEnvironmentOptions,
  mode: Mode,
  agent: Agent,
  { endpoint }: ModelUse,
): Readonly<Record<string, string>> {
  // An agent with its own endpoint and key does not need its provider's variables.
  const own = endpoint?.keyVariable === undefined ? agent.variables : [endpoint.keyVariable];
  // Commits need an identity even if git has none configured.
  const name = `Legion ${mode}`;
  const email = 'legion@localhost';
  return {
    ...pickVariables(environment, [...own, ...config.credentials.worker_env]),
    ...buildSearchPath(environment, bin),
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}

/**
 * Puts Legion's own directory first in PATH, so that workers call the `legion` that talks to their
 * daemon.
 */
export function buildSearchPath(
  { PATH: inherited }: EnvironmentVariables,
  bin: string,
): { readonly PATH: string } {
  return { PATH: [bin, inherited].filter(Boolean).join(delimiter) };
}

function pickVariables(environment: EnvironmentVariables, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

export interface WorkerTerminalsOptions extends Pick<TmuxTerminalsOptions, 'launcher' | 'environment'> {
  /** Read on every use, so that a reload takes effect with the next worker. */
  readonly config: () => LegionConfig;
  readonly file: LegionFile;
}

/** Decides, from the configuration, which workers get a tmux window and how it is opened. */
export function createWorkerTerminals({ config, ...options }: WorkerTerminalsOptions): WorkerTerminals {
  const { legion, short_id } = config();
  return {
    isWanted(mode) {
      const { agents } = config();
      // The view is configured per mode, whichever agent runs in it.
      return (agents[mode]?.view ?? agents.default.view) === 'tmux';
    },
    terminals: createTmuxTerminals({ ...options, legion, shortId: short_id }),
  };
}
