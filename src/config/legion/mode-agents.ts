/**
 * Determines the agent of a mode and its fallback. Values that the mode's own entry lacks come from
 * `default`.
 */
import { MODES, type Mode } from '../../core/model/mode.ts';
import type { LegionConfig } from './schema.ts';
import type { AgentKind } from './work.ts';

/** One agent with one model, and the address of the model. */
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
 * Returns undefined if the operator has chosen no agent. A model and its address belong to their
 * agent, so a mode with another agent does not inherit them.
 */
export function resolveModeAgent({ agents }: LegionConfig, mode: Mode): ModeAgent | undefined {
  const { default: base } = agents;
  const own = agents[mode] ?? {};
  const agent = own.agent ?? base.agent;
  if (agent === undefined) return undefined;
  const {
    fallback,
    view: _view,
    ...use
  } = agent === base.agent ? { ...base, ...own, agent } : { ...own, agent };
  return isEmpty(fallback) ? use : { ...use, fallback: { ...fallback, agent: fallback?.agent ?? agent } };
}

/**
 * Returns the first choice of a mode, then its fallback. Empty if the operator has chosen no agent.
 */
export function listModeAgentUses(config: LegionConfig, mode: Mode): readonly AgentUse[] {
  const modeAgent = resolveModeAgent(config, mode);
  if (modeAgent === undefined) return [];
  const { fallback, ...first } = modeAgent;
  return fallback === undefined ? [first] : [first, fallback];
}

/** Returns every agent and model that is configured for any mode. */
export function listAgentUses(config: LegionConfig): readonly AgentUse[] {
  return MODES.flatMap((mode) => listModeAgentUses(config, mode));
}

/** Returns the modes without an agent, for which no workers start. */
export function listModesWithoutAgent(config: LegionConfig): readonly Mode[] {
  return MODES.filter((mode) => resolveModeAgent(config, mode) === undefined);
}

export function hasScriptedAgent(config: LegionConfig): boolean {
  return listAgentUses(config).some(({ agent }) => agent === 'scripted');
}

/** A section without any value specifies no agent. */
function isEmpty(fallback: object | undefined): boolean {
  return fallback === undefined || Object.values(fallback).every((value) => value === undefined);
}
