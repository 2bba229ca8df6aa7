/** What may stand in a template: plain variables, blocks on lines of their own, and the blocks that must be there. */

import type { Purpose } from '../../../domain/command.ts';
import type { Phase } from '../../../domain/mode.ts';

export type TemplateName = 'frame' | `phase.${Phase}` | `reason.${Purpose}`;

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
  | 'workspace'
  | 'branch'
  | 'pull_request'
  | 'head'
  | 'commit'
  | 'retro_paths';

/** What else a worker is told, by where it comes from; each entry is data from outside. */
export const TOLD_GROUPS = [
  'check',
  'report',
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

type FencedBlock = `fenced.${'issue' | 'told' | 'instructions' | ToldGroup}`;
export type BlockName = 'who' | 'where' | 'reason' | 'duties' | 'speak' | FencedBlock;

export interface Form {
  readonly name: TemplateName;
  readonly variables: readonly VariableName[];
  readonly required: readonly BlockName[];
  readonly optional: readonly BlockName[];
  /** The block the first line must be. */
  readonly first?: BlockName;
}
