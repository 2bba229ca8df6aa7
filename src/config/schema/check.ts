/** Holds a YAML file to a schema, and says of everything wrong where it is, what was found and what is allowed. */
import type { z } from 'zod';
import { type FaultCode, shown } from '../../core/model/fault.ts';
import { readMode } from '../../domain/mode.ts';
import { found, keyPath } from '../found.ts';
import { nearest } from '../nearest.ts';
import type { Checked, Problem } from '../problem.ts';
import type { UnsupportedKeys } from '../unsupported-keys.ts';
import { at, type Place } from '../yaml/place.ts';
import type { YamlFile } from '../yaml/read-yaml.ts';
import { type Branch, branchAt, branchOf } from './section.ts';

export function check<T>(schema: z.ZodType<T>, file: YamlFile, unsupported: UnsupportedKeys): Checked<T> {
  const parsed = schema.safeParse(file.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const complaints = parsed.error.issues.flatMap((issue) => complaintsOf(issue, schema, file, unsupported));
  const inOrder = complaints.toSorted(
    (a, b) => a.place.line - b.place.line || a.place.column - b.place.column,
  );
  // A value that breaks two rules of its leaf is still one mistake.
  const problems = new Map<string, Problem>();
  for (const { place, says, code = 'config.invalid' } of inOrder) {
    const where = at(file.path, place);
    problems.set(`${where} ${says}`, { code, where, says });
  }
  return { ok: false, problems: [...problems.values()] };
}

function complaintsOf(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  file: YamlFile,
  unsupported: UnsupportedKeys,
): { readonly place: Place; readonly says: string; readonly code?: FaultCode | undefined }[] {
  const path = withinData(issue.path, file.value);
  const branch = branchAt(schema, path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const place = file.keyPlace([...path, key]);
      const name = keyPath([...path, key]);
      const instead = unsupported.get(name);
      if (instead === undefined) return { place, says: titled(path, unknownKey(key, branch)) };
      const says = `${name}: not supported yet; remove this key (${instead})`;
      return { place, says, code: 'config.unsupported' };
    });
  }
  const value = valueAt(file.value, path);
  const got = value === undefined ? 'but it is missing' : `got ${found(value, holdsSecret(branch))}`;
  return [{ place: file.valuePlace(path), says: titled(path, `expected ${allowedIn(branch)}, ${got}`) }];
}

function unknownKey(key: string, branch: Branch): string {
  const known = branch.kind === 'section' ? Object.keys(branch.shape) : [];
  const meant = nearest(key, known) ?? known.find((name) => name === readMode(key));
  const hint = meant === undefined ? '' : ` (did you mean ${shown(meant)}?)`;
  return `unknown key ${shown(key)}${hint}; allowed here: ${known.join(', ')}`;
}

export function allowedIn(branch: Branch): string {
  switch (branch.kind) {
    case 'leaf':
      return branch.leaf.allowed;
    case 'list':
      return 'a list';
    case 'section':
      return `a mapping with ${Object.keys(branch.shape).join(', ')}`;
  }
}

/** A token written where a section belongs is a secret as well. */
export function holdsSecret(branch: Branch): boolean {
  switch (branch.kind) {
    case 'leaf':
      return branch.leaf.secret === true;
    case 'list':
      return holdsSecret(branchOf(branch.each));
    case 'section':
      return Object.values(branch.shape).some((each) => holdsSecret(branchOf(each)));
  }
}

function titled(path: readonly PropertyKey[], says: string): string {
  return path.length === 0 ? says : `${keyPath(path)}: ${says}`;
}

/** `npm test` stands for a list; a message about its first item is one about the text. */
function withinData(path: readonly PropertyKey[], data: unknown): readonly PropertyKey[] {
  const parent = path.slice(0, -1);
  return typeof path.at(-1) === 'number' && !Array.isArray(valueAt(data, parent)) ? parent : path;
}

/** In the place of a whole section a short form may stand, which is then what was found. */
function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return value;
    if (!Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}
