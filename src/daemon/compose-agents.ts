/** Opens the agents a configuration names, and says who may work in which mode. */
import { join } from 'node:path';
import { claudeCodeAgent } from '../agents/claude-code/claude-code-agent.ts';
import { codexAgent } from '../agents/codex/codex-agent.ts';
import { opencodeAgent } from '../agents/opencode/opencode-agent.ts';
import { scriptedAgent } from '../agents/scripted/scripted-agent.ts';
import { type AgentUse, usesOf, usesOfMode } from '../config/legion/mode-agents.ts';
import type { LegionConfig } from '../config/legion/schema.ts';
import { AGENT_KINDS, type AgentKind } from '../config/legion/work.ts';
import { LegionError } from '../core/model/fault.ts';
import type { Environment } from '../domain/environment.ts';
import type { Agent, ModelUse } from '../ports/agent.ts';
import type { AgentChoice, AgentsAtHand } from '../swarm/choose-agent.ts';
import { AgentReadiness, type ReadinessOptions } from './supervisor/agent-readiness.ts';
import type { WhoWorks, World } from './world.ts';

export interface AgentsOptions {
  /** The command that starts legion: workers are given it. */
  readonly launcher: readonly [string, ...string[]];
  /** Where the legion's state is; each agent has a folder for its sessions there. */
  readonly state: string;
  /** What relative paths of scenarios start from. */
  readonly folder: string;
  readonly environment: Environment;
}

/** Each is made when it is first asked for. */
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
      return scriptedAgent({ launcher, home: join(state, kind), base: folder });
    case 'claude-code':
      return claudeCodeAgent({ launcher, home, program: 'claude', environment });
    case 'codex':
      return codexAgent({ launcher, home, program: 'codex', environment });
    case 'opencode':
      return opencodeAgent({ launcher, home, program: 'opencode', environment });
  }
}

interface Watching extends Omit<ReadinessOptions, 'preflight'> {
  /** Whether the operator has agreed to real workers. */
  readonly isConsentGiven: () => boolean;
}

/** `config` is read anew at each use: a reload takes effect with the next look. */
export function agentsAtHand(
  config: () => LegionConfig,
  agents: (kind: AgentKind) => Agent,
  watching: Watching,
): Pick<World, 'agents' | 'agentOf' | 'noteRefusedLogin'> & { close(): Promise<void> } {
  const readiness = new AgentReadiness({
    ...watching,
    preflight: (choice, signal) => {
      const use = useOf(config(), choice);
      return agents(use.agent).preflight(signal, modelUse(use));
    },
  });
  const atHand: AgentsAtHand = {
    choicesFor: (mode) => usesOfMode(config(), mode).map(choiceOf),
    readinessOf: (choice) =>
      choice.agent !== 'scripted' && !watching.isConsentGiven() ? 'needs_consent' : readiness.of(choice),
  };
  return {
    agents: atHand,
    agentOf(worker) {
      const use = useOf(config(), named(config(), worker));
      return { agent: agents(use.agent), use: modelUse(use) };
    },
    noteRefusedLogin(choice, says) {
      const use = useOf(config(), choice);
      const { loginHelp = 'Look at `legion doctor`.' } = agents(use.agent);
      const help =
        use.key_variable === undefined
          ? loginHelp
          : `Start the daemon with a valid key in ${use.key_variable}.`;
      readiness.refuse(choice, says, help);
    },
    close: () => readiness.close(),
  };
}

function choiceOf({ agent, model }: AgentUse): AgentChoice {
  return model === undefined ? { agent } : { agent, model };
}

function named(config: LegionConfig, { mode, agent, model }: WhoWorks): AgentChoice {
  if (agent !== undefined) return { agent, model };
  const [first] = usesOfMode(config, mode);
  if (first === undefined) throw new LegionError('agent.not_chosen', `No agent is chosen for ${mode}.`);
  return choiceOf(first);
}

/** As it is configured now; one that is no longer named anywhere is still the agent its worker began with. */
function useOf(config: LegionConfig, { agent, model }: AgentChoice): AgentUse {
  const uses = usesOf(config);
  const same = uses.find((use) => use.agent === agent && use.model === model);
  return same ?? { agent: kindOf(agent), ...(model === undefined ? {} : { model }) };
}

export function modelUse({ model, url, key_variable }: AgentUse): ModelUse {
  return {
    ...(model === undefined ? {} : { model }),
    ...(url === undefined ? {} : { endpoint: { url, keyVariable: key_variable } }),
  };
}

/** A journal may name one that only a newer version knows. */
function kindOf(agent: string): AgentKind {
  const kind = AGENT_KINDS.find((each) => each === agent);
  if (kind === undefined) throw new LegionError('config.unsupported', `this version has no agent ${agent}`);
  return kind;
}
