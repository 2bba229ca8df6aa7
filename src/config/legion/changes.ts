/** What a reload changes, and which of that a running daemon cannot take over. */
import { isDeepStrictEqual } from 'node:util';
import { valuesIn } from '../schema/settle.ts';
import { type LegionConfig, legionSchema } from './schema.ts';

/** Keys, with everything below them, that name things a daemon opens when it starts. */
const NEEDS_RESTART: readonly string[] = [
  'legion',
  'short_id',
  'backend',
  'forge',
  'github',
  'linear',
  'repos',
  'extra_projects',
  'port',
  'workspaces',
  'credentials',
];

export interface Changes {
  /** Keys such as `limits.workers`, in alphabetical order. */
  readonly keys: readonly string[];
  /** Those among them that count only from the next start. */
  readonly needRestart: readonly string[];
}

export function changesBetween(before: LegionConfig, after: LegionConfig): Changes {
  const old = valuesIn(legionSchema, before);
  const young = valuesIn(legionSchema, after);
  const keys = [...new Set([...old.keys(), ...young.keys()])]
    .filter((key) => !isDeepStrictEqual(old.get(key)?.value, young.get(key)?.value))
    .sort();
  return { keys, needRestart: keys.filter(needsRestart) };
}

export function needsRestart(key: string): boolean {
  return NEEDS_RESTART.some(
    (each) => key === each || key.startsWith(`${each}.`) || key.startsWith(`${each}[`),
  );
}
