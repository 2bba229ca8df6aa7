/** Which agent works in a mode: its own entry, completed by that of `default`, and what takes its place. */
import { MODES, type Mode } from '../../domain/mode.ts';
import type { LegionConfig } from './schema.ts';

/** One agent with one model, and where the model is. */
export interface AgentUse {
  readonly agent: LegionConfig['agents']['default']['agent'];
  readonly model?: string | undefined;
  readonly url?: string | undefined;
  readonly key_variable?: string | undefined;
}

export interface ModeAgent extends AgentUse {
  readonly fallback?: AgentUse | undefined;
}

/** A model and its address belong to their agent: a mode with another agent does not inherit them. */
export function agentOf({ agents }: LegionConfig, mode: Mode): ModeAgent {
  const { default: base } = agents;
  const own = agents[mode] ?? {};
  const agent = own.agent ?? base.agent;
  const {
    fallback,
    view: _shown,
    ...use
  } = agent === base.agent ? { ...base, ...own, agent } : { ...own, agent };
  return isEmpty(fallback) ? use : { ...use, fallback: { ...fallback, agent: fallback?.agent ?? agent } };
}

/** Every agent and model that is named for any mode. */
export function usesOf(config: LegionConfig): readonly AgentUse[] {
  return MODES.flatMap((mode) => {
    const { fallback, ...first } = agentOf(config, mode);
    return fallback === undefined ? [first] : [first, fallback];
  });
}

/** A section of which nothing is written names nobody. */
function isEmpty(fallback: object | undefined): boolean {
  return fallback === undefined || Object.values(fallback).every((value) => value === undefined);
}
