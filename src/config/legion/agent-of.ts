/** Which agent works in a mode: its own entry, completed by that of `default`. */
import type { Mode } from '../../domain/mode.ts';
import type { LegionConfig } from './schema.ts';

export interface AgentChoice {
  readonly agent: LegionConfig['agents']['default']['agent'];
  readonly model?: string | undefined;
  readonly fallback?: string | undefined;
}

/** A model belongs to its agent: a mode with another agent does not inherit it. */
export function agentOf({ agents }: LegionConfig, mode: Mode): AgentChoice {
  const { default: base } = agents;
  const own = agents[mode] ?? {};
  const agent = own.agent ?? base.agent;
  return agent === base.agent ? { ...base, ...own, agent } : { ...own, agent };
}
