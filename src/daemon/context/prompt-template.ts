/** What may stand in a template: plain variables, blocks on lines of their own, and the blocks that must be there. */

import type { Purpose } from '../../core/model/command.ts';
import { PHASES } from '../../domain/mode.ts';

/** The duties of a phase, and those of reasons that ask for something else than the phase usually does. */
export const DUTIES = [...PHASES, 'plan_review', 'rework'] as const;
export type Duty = (typeof DUTIES)[number];

export type TemplateName = 'frame' | `phase.${Duty}` | `reason.${Purpose}`;

/** Ids, numbers and the operator's own names. Nothing that people write on a board or an agent says is among them. */
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

/** What else a worker is told, by where it comes from; each entry is labelled as one of three kinds of text. */
export const TOLD_GROUPS = [
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
export type ToldGroup = (typeof TOLD_GROUPS)[number];
export type BlockName =
  | 'who'
  | 'where'
  | 'operator'
  | 'reason'
  | 'round'
  | 'duties'
  | 'commands'
  | 'speak'
  | `fenced.${'issue' | 'told' | 'instructions' | ToldGroup}`;

export interface Form {
  readonly name: TemplateName;
  readonly variables: readonly VariableName[];
  readonly required: readonly BlockName[];
  readonly optional: readonly BlockName[];
  /** The block the first line must be. */
  readonly first?: BlockName;
}
