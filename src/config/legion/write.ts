/** Writes a configuration as the file that would resolve to it. */
import { stringify } from 'yaml';
import type { z } from 'zod';
import { durationText, sizeText } from '../schema/quantity.ts';
import { branchOf } from '../schema/section.ts';
import { type LegionConfig, legionSchema } from './schema.ts';

export function writeConfig(config: LegionConfig): string {
  return stringify(written(legionSchema, config), { aliasDuplicateObjects: false });
}

/** As in a file: durations and sizes with their units, nothing that is not set. */
function written(schema: z.ZodType, value: unknown): unknown {
  const branch = branchOf(schema);
  if (branch.kind === 'leaf') {
    if (typeof value !== 'number') return value;
    if (branch.leaf.kind === 'duration') return durationText(value);
    return branch.leaf.kind === 'size' ? sizeText(value) : value;
  }
  if (branch.kind === 'list') return (value as unknown[]).map((item) => written(branch.each, item));
  const entries = Object.entries(value as object).flatMap(([name, below]) => {
    const each = branch.shape[name];
    return each === undefined || below === undefined ? [] : [[name, written(each, below)]];
  });
  return Object.fromEntries(entries);
}
