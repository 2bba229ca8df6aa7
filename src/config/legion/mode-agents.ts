/** Which agent works in a mode: its own entry, completed by that of `default`, and what takes its place. */
import { MODES, type Mode } from '../../domain/mode.ts';
import type { LegionConfig } from './schema.ts';
import type { AgentKind } from './work.ts';

/** One agent with one model, and where the model is. */
export interface AgentUse {
  readonly agent: AgentKind;
  readonly model?: string | undefined;
  readonly url?: string | undefined;
  readonly key_variable?: string | undefined;
}

export interface ModeAgent extends AgentUse {
  readonly fallback?: AgentUse | undefined;
}

/**
 * Undefined where the operator has chosen none. A model and its address belong to their agent: a mode with another agent does
 * not inherit them.
 */
export function agentOf({ agents }: LegionConfig, mode: Mode): ModeAgent | undefined {
  const { default: base } = agents;
  const own = agents[mode] ?? {};
  const agent = own.agent ?? base.agent;
  if (agent === undefined) return undefined;
  const {
    fallback,
    view: _shown,
    ...use
  } = agent === base.agent ? { ...base, ...own, agent } : { ...own, agent };
  return isEmpty(fallback) ? use : { ...use, fallback: { ...fallback, agent: fallback?.agent ?? agent } };
}

/** The first choice of a mode, then what takes its place; none where the operator has chosen no agent. */
export function usesOfMode(config: LegionConfig, mode: Mode): readonly AgentUse[] {
  const found = agentOf(config, mode);
  if (found === undefined) return [];
  const { fallback, ...first } = found;
  return fallback === undefined ? [first] : [first, fallback];
}

/** Every agent and model that is named for any mode. */
export function usesOf(config: LegionConfig): readonly AgentUse[] {
  return MODES.flatMap((mode) => usesOfMode(config, mode));
}

/** Modes for which the operator has chosen no agent; no worker starts in them. */
export function modesWithoutAgent(config: LegionConfig): readonly Mode[] {
  return MODES.filter((mode) => agentOf(config, mode) === undefined);
}

export function usesScriptedAgent(config: LegionConfig): boolean {
  return usesOf(config).some(({ agent }) => agent === 'scripted');
}

/** A section of which nothing is written names nobody. */
function isEmpty(fallback: object | undefined): boolean {
  return fallback === undefined || Object.values(fallback).every((value) => value === undefined);
}
