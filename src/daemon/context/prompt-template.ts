/** A parsed prompt template and the names it may contain. */
import type { SpawnPurpose } from '../../core/model/command.ts';
import { PHASES } from '../../core/model/mode.ts';

/** Text between blocks, or the position of a block. */
export type TemplatePart =
  | { readonly kind: 'prose'; readonly pieces: readonly ProsePiece[] }
  | { readonly kind: 'block'; readonly block: BlockName };

export type ProsePiece = string | { readonly variable: VariableName };

export interface PromptTemplate {
  readonly name: TemplateName;
  readonly parts: readonly TemplatePart[];
}

/**
 * Names of the sets of duties: one set for each phase, and one for each kind of reason that asks
 * for work other than the phase's usual work.
 */
export const DUTIES = [...PHASES, 'plan_review', 'rework'] as const;
export type PromptDuty = (typeof DUTIES)[number];

export type TemplateName = 'frame' | `phase.${PromptDuty}` | `reason.${SpawnPurpose}`;

/**
 * Ids, numbers and names chosen by the operator. Text that people write on a board or that an agent
 * writes is never a variable.
 */
export type VariableName =
  | 'issue'
  | 'mode'
  | 'phase'
  | 'purpose'
  | 'attempt'
  | 'tracker'
  | 'repository'
  | 'base'
  | 'base_ref'
  | 'workspace'
  | 'branch'
  | 'pull_request'
  | 'head'
  | 'commit'
  | 'quality_gate'
  | 'retro_paths';

/**
 * Groups of additional prompt context, by source. Each text in a group is labelled as one of three
 * kinds, which tell the worker how to treat it.
 */
export const CONTEXT_GROUPS = [
  'check',
  'report',
  'earlier',
  'output',
  'order',
  'remarks',
  'comments',
  'answers',
  'refusal',
  'checkpoint',
  'handoffs',
  'messages',
] as const;
export type ContextGroup = (typeof CONTEXT_GROUPS)[number];
export type BlockName =
  | 'who'
  | 'where'
  | 'operator'
  | 'reason'
  | 'round'
  | 'duties'
  | 'commands'
  | 'speak'
  | `fenced.${'issue' | 'told' | 'instructions' | ContextGroup}`;

/**
 * Contents of a template: which variables and blocks it may use, and which blocks it must contain.
 * Each block is on its own line.
 */
export interface TemplateForm {
  readonly name: TemplateName;
  readonly variables: readonly VariableName[];
  readonly required: readonly BlockName[];
  readonly optional: readonly BlockName[];
  /** Block that must be on the first line. */
  readonly first?: BlockName;
}

/** One template for each name. */
export type PromptTemplates = ReadonlyMap<TemplateName, PromptTemplate>;
