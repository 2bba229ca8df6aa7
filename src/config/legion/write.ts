/**
 * Formats a configuration as the text of a file that would resolve to it, and sets budgets in the
 * text of an existing file.
 */
import { parseDocument, stringify } from 'yaml';
import type { z } from 'zod';
import { formatConfigDuration, formatConfigSize } from '../schema/leaf.ts';
import { resolveBranch } from '../schema/section.ts';
import { type LegionConfig, legionSchema } from './schema.ts';

export function writeConfig(config: LegionConfig): string {
  return stringify(toFileValue(legionSchema, config), { aliasDuplicateObjects: false });
}

/** Writes durations and sizes with their units and omits unset values. */
function toFileValue(schema: z.ZodType, value: unknown): unknown {
  const branch = resolveBranch(schema);
  if (branch.kind === 'leaf') {
    if (typeof value !== 'number') return value;
    if (branch.leaf.kind === 'duration') return formatConfigDuration(value);
    return branch.leaf.kind === 'size' ? formatConfigSize(value) : value;
  }
  if (branch.kind === 'list') return (value as unknown[]).map((item) => toFileValue(branch.each, item));
  const entries = Object.entries(value as object).flatMap(([name, child]) => {
    const childBranch = branch.shape[name];
    return childBranch === undefined || child === undefined ? [] : [[name, toFileValue(childBranch, child)]];
  });
  return Object.fromEntries(entries);
}

export interface BudgetLimits {
  readonly issueUsd: number | 'none';
  readonly dayUsd: number | 'none';
}

/** Sets budgets in the text of a `legion.yaml` and leaves everything else as written. */
export function withBudgets(text: string, { issueUsd, dayUsd }: BudgetLimits): string {
  const document = parseDocument(text);
  document.setIn(['budgets', 'issue', 'usd'], issueUsd);
  document.setIn(['budgets', 'day', 'usd'], dayUsd);
  return document.toString();
}
