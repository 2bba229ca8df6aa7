/** Single values given as text: by a flag of the command line or a variable of the environment. */
import type { FaultCode } from '../../core/model/fault.ts';
import { found } from '../found.ts';
import type { Checked, Problem } from '../problem.ts';
import { allowedIn, holdsSecret } from '../schema/check.ts';
import type { Kind } from '../schema/leaf.ts';
import { branchAt } from '../schema/section.ts';
import type { Values } from '../schema/settle.ts';
import { legionSchema } from './schema.ts';

export interface Given {
  /** As in the file: `limits.workers`. */
  readonly key: string;
  /** As its giver knows it: `--workers`, `LEGION_WIP_LIMIT`. */
  readonly name: string;
  readonly text: string;
}

/** `code` is what a bad value is reported as: the command line and the environment have their own. */
export function readGiven(given: readonly Given[], code: FaultCode): Checked<Values> {
  const values = new Map<string, { path: readonly string[]; value: unknown }>();
  const problems: Problem[] = [];
  for (const { key, name, text } of given) {
    const path = key.split('.');
    const branch = branchAt(legionSchema, path);
    const parsed =
      branch.kind === 'leaf' ? branch.schema.safeParse(fromText(branch.leaf.kind, text)) : undefined;
    if (parsed?.success === true) values.set(key, { path, value: parsed.data });
    else {
      const says = `${key}: expected ${allowedIn(branch)}, got ${found(text, holdsSecret(branch))}`;
      problems.push({ code, where: name, says });
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: values };
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
]);

/** As the value a file would have; what cannot be read is left as it is, for the schema to refuse. */
function fromText(kind: Kind, text: string): unknown {
  const trimmed = text.trim();
  switch (kind) {
    case 'boolean':
      return BOOLEANS.get(trimmed.toLowerCase()) ?? text;
    case 'number':
    case 'duration':
    case 'size':
      return /^-?\d{1,16}(?:\.\d{1,9})?$/.test(trimmed) ? Number(trimmed) : trimmed;
    case 'list':
      return trimmed.split(/[\s,]+/).filter((item) => item !== '');
    case 'text':
      return trimmed;
  }
}
