/**
 * Checks a YAML file against a schema and reports each problem with its location, the value and the
 * valid values.
 */
import type { z } from 'zod';
import { type FaultCode, quoteText } from '../../core/model/fault.ts';
import { readMode } from '../../core/model/mode.ts';
import {
  type ConfigCheck,
  type ConfigProblem,
  describeConfigValue,
  findNearest,
  formatKeyPath,
  type UnsupportedKeys,
} from '../problem.ts';
import { formatPosition, type YamlFile, type YamlPosition } from '../read-yaml.ts';
import { findBranch, resolveBranch, type SchemaBranch } from './section.ts';

export function checkYaml<T>(
  schema: z.ZodType<T>,
  file: YamlFile,
  unsupported: UnsupportedKeys,
): ConfigCheck<T> {
  const parsed = schema.safeParse(file.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const located = parsed.error.issues.flatMap((issue) => toLocatedProblems(issue, schema, file, unsupported));
  const inOrder = located.toSorted(
    (a, b) => a.position.line - b.position.line || a.position.column - b.position.column,
  );
  // A value that breaks two rules of its leaf is reported only once.
  const problems = new Map<string, ConfigProblem>();
  for (const { position, message, code = 'config.invalid' } of inOrder) {
    const location = formatPosition(file.path, position);
    problems.set(`${location} ${message}`, { code, where: location, message });
  }
  return { ok: false, problems: [...problems.values()] };
}

function toLocatedProblems(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  file: YamlFile,
  unsupported: UnsupportedKeys,
): { readonly position: YamlPosition; readonly message: string; readonly code?: FaultCode | undefined }[] {
  const path = resolveDataPath(issue.path, file.value);
  const branch = findBranch(schema, path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const position = file.getKeyPosition([...path, key]);
      const name = formatKeyPath([...path, key]);
      const replacement = unsupported.get(name);
      if (replacement === undefined)
        return { position, message: withKeyPath(path, describeUnknownKey(key, branch)) };
      const message = `${name}: not supported yet; remove this key (${replacement})`;
      return { position, message, code: 'config.unsupported' };
    });
  }
  const value = findValue(file.value, path);
  const actual =
    value === undefined ? 'but it is missing' : `got ${describeConfigValue(value, hasSecret(branch))}`;
  return [
    {
      position: file.getValuePosition(path),
      message: withKeyPath(path, `expected ${describeAllowed(branch)}, ${actual}`),
    },
  ];
}

function describeUnknownKey(key: string, branch: SchemaBranch): string {
  const known = branch.kind === 'section' ? Object.keys(branch.shape) : [];
  const intended = findNearest(key, known) ?? known.find((name) => name === readMode(key));
  const hint = intended === undefined ? '' : ` (did you mean ${quoteText(intended)}?)`;
  return `unknown key ${quoteText(key)}${hint}; allowed here: ${known.join(', ')}`;
}

export function describeAllowed(branch: SchemaBranch): string {
  switch (branch.kind) {
    case 'leaf':
      return branch.leaf.allowed;
    case 'list':
      return 'a list';
    case 'section':
      return `a mapping with ${Object.keys(branch.shape).join(', ')}`;
  }
}

/**
 * Returns whether a value of this branch may be a secret. This includes a section that contains a
 * secret, because a token may be pasted in place of the section.
 */
export function hasSecret(branch: SchemaBranch): boolean {
  switch (branch.kind) {
    case 'leaf':
      return branch.leaf.secret === true;
    case 'list':
      return hasSecret(resolveBranch(branch.each));
    case 'section':
      return Object.values(branch.shape).some((each) => hasSecret(resolveBranch(each)));
  }
}

function withKeyPath(path: readonly PropertyKey[], message: string): string {
  return path.length === 0 ? message : `${formatKeyPath(path)}: ${message}`;
}

/**
 * `npm test` is short for a list, so a problem with an item of that list is reported for the whole
 * text.
 */
function resolveDataPath(path: readonly PropertyKey[], data: unknown): readonly PropertyKey[] {
  const parent = path.slice(0, -1);
  return typeof path.at(-1) === 'number' && !Array.isArray(findValue(data, parent)) ? parent : path;
}

/** Finds the value at a path. If a short form replaces a whole section, returns the short form. */
function findValue(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return value;
    if (!Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}
