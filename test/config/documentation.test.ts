/**
 * Checks docs/config.md against the schemas: it lists every key with its valid values and default,
 * lists no other key, and contains only valid examples.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { LEGION_DEFAULTS, legionSchema } from '../../src/config/legion/schema.ts';
import { readRepositoryConfig } from '../../src/config/repository/load.ts';
import { REPOSITORY_DEFAULTS, repositorySchema } from '../../src/config/repository/schema.ts';
import { formatConfigDuration, type LeafKind } from '../../src/config/schema/leaf.ts';
import { listKeys } from '../../src/config/schema/section.ts';
import { isRestartRequired } from '../../src/config/watch.ts';
import { DEFAULT_HEALTH_LIMITS } from '../../src/core/health/limits.ts';
import { DEFAULT_POLICY } from '../../src/core/pipeline/policy.ts';
import { accepted, resolving } from './resolving.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/config.md'), 'utf8');
const [operator = '', repository = ''] = document.split('\n## In a repository\n');

test('the table of legion.yaml lists each key with its valid values, its default and whether a change needs a restart', () => {
  const expected = rowsOf(legionSchema, LEGION_DEFAULTS).map(([key = '', ...rest]) => [
    ...[key, ...rest],
    isRestartRequired(key.replaceAll('`', '')) ? 'yes' : 'no',
  ]);
  const written = rowsIn(operator, 5).map((cells) => cells.slice(0, 4));
  expect(written.toSorted(byKey)).toEqual(expected.toSorted(byKey));
});

test('the table of .legion/config.yml lists each key with its valid values and its default', () => {
  const written = rowsIn(repository, 4).map((cells) => cells.slice(0, 3));
  expect(written).toEqual(rowsOf(repositorySchema, REPOSITORY_DEFAULTS));
});

test('every key has a description', () => {
  for (const cells of [...rowsIn(operator, 5), ...rowsIn(repository, 4)])
    expect(cells.at(-1)).toMatch(/^\w.*\.$|^See /);
});

test('every environment variable is listed with the key that it sets', () => {
  const variables = rowsIn(operator, 3).map(([name = '', key = '']) =>
    [name, key].map((cell) => cell.replaceAll('`', '')),
  );
  expect(variables).toHaveLength(8);
  const samples: Record<string, string> = {
    port: '1',
    auto_advance: 'no',
    'limits.workers': '3',
    extra_projects: 'a/1',
  };
  for (const [name = '', key = ''] of variables) {
    const linear = name === 'LINEAR_TEAM_ID' ? '7c9e6679-7425-40de-944b-e07fc1f90ae7' : undefined;
    const text = linear ?? samples[key] ?? (key === 'backend' ? 'local' : 'x');
    const { sources } = accepted(resolving('', { environment: { [name]: text } }));
    expect(sources.get(key), name).toEqual({ from: 'environment', name });
  }
});

test('the examples are valid', () => {
  const examples = [...document.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text);
  expect(examples).toHaveLength(2);
  accepted(resolving(examples[0] ?? ''));
  accepted(readRepositoryConfig(examples[1] ?? ''));
});

function rowsOf(schema: z.ZodType, defaults: object): string[][] {
  return [...listKeys(schema)].map(({ key, leaf }) => [
    `\`${key}\``,
    leaf.allowed,
    shownDefault(elsewhere(key) ?? valueAt(defaults, key), leaf.kind),
  ]);
}

/**
 * Returns the default of a key that the configuration schema leaves undefined because another
 * module defines the default.
 */
function elsewhere(key: string): unknown {
  const { rounds, approvals } = DEFAULT_POLICY;
  const policy: Record<string, unknown> = {
    'limits.respawns': DEFAULT_HEALTH_LIMITS.respawns,
    'approvals.architect': approvals.architect,
    'approvals.merge': approvals.merge,
    'limits.rounds.<reason>': `${rounds.ci_failure}\` (\`no_pr\` and \`no_review\`: \`${rounds.no_pr}`,
  };
  const camel = key
    .replace(/^health\./, '')
    .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return key.startsWith('health.')
    ? DEFAULT_HEALTH_LIMITS[camel as keyof typeof DEFAULT_HEALTH_LIMITS]
    : policy[key];
}

function shownDefault(value: unknown, kind: LeafKind): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '–';
  if (Array.isArray(value)) return `\`[${value.join(', ')}]\``;
  if (typeof value === 'number' && kind === 'duration') return `\`${formatConfigDuration(value)}\``;
  const closing = String(value).includes('(') ? ')' : '';
  return `\`${value}\`${closing}`;
}

/**
 * Keys that every configuration must set. Their value in `LEGION_DEFAULTS` is only a placeholder.
 */
const REQUIRED: ReadonlySet<string> = new Set(['legion']);

function valueAt(defaults: object, key: string): unknown {
  if (REQUIRED.has(key)) return undefined;
  let value: unknown = defaults;
  for (const step of key.split('.')) value = (value as Record<string, unknown> | undefined)?.[step];
  return value;
}

/** Returns the table rows that have this many columns and whose first cell is code. */
function rowsIn(markdown: string, columns: number): string[][] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((cells) => cells.length === columns);
}

function byKey([a = '']: readonly string[], [b = '']: readonly string[]): number {
  return a < b ? -1 : 1;
}
