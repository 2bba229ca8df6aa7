/** Agents as chosen for a mode, and whether they are ready. */
import type { Mode } from './mode.ts';

/** Agent and model as configured for a mode. A model belongs to its agent. */
export interface AgentChoice {
  readonly agent: string;
  readonly model?: string | undefined;
}

/**
 * - `unknown`: the check is still running.
 * - `needs_consent`: the operator has not consented to this agent yet.
 * - A problem states what is missing and how to fix it.
 */
export type ReadinessState =
  | 'ready'
  | 'unknown'
  | 'needs_consent'
  | { readonly problem: string; readonly next?: string | undefined };

export interface AvailableAgents {
  /** First choice, then fallbacks in order. Empty if the operator has chosen none. */
  readonly choicesFor: (mode: Mode) => readonly AgentChoice[];
  readonly readinessOf: (choice: AgentChoice) => ReadinessState;
}

export function toQuotaKey({ agent, model }: AgentChoice): string {
  return model === undefined ? agent : `${agent} ${model}`;
}

export function formatAgentChoice({ agent, model }: AgentChoice): string {
  return model === undefined ? agent : `${agent} (${model})`;
}

/** Converts a choice to the fields of commands and events. */
export function toAgentFields(choice: AgentChoice | undefined): {
  readonly agent?: string;
  readonly model?: string;
} {
  if (choice === undefined) return {};
  const { agent, model } = choice;
  return { agent, ...(model === undefined ? {} : { model }) };
}
