/** Holds docs/config.md to the schemas: every key with what it allows and its default, none invented, all examples valid. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { needsRestart } from '../../src/config/legion/changes.ts';
import { LEGION_DEFAULTS, legionSchema } from '../../src/config/legion/schema.ts';
import { readRepositoryConfig } from '../../src/config/repository/load.ts';
import { REPOSITORY_DEFAULTS, repositorySchema } from '../../src/config/repository/schema.ts';
import type { Kind } from '../../src/config/schema/leaf.ts';
import { durationText } from '../../src/config/schema/quantity.ts';
import { keysOf } from '../../src/config/schema/section.ts';
import { DEFAULT_POLICY } from '../../src/core/pipeline/policy.ts';
import { HEALTH_LIMITS } from '../../src/health/limits.ts';
import { accepted, resolving } from './resolving.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/config.md'), 'utf8');
const [operator = '', repository = ''] = document.split('\n## In a repository\n');

test('legion.yaml: every key, what it allows, its default and whether it needs a restart', () => {
  const expected = rowsOf(legionSchema, LEGION_DEFAULTS).map(([key = '', ...rest]) => [
    ...[key, ...rest],
    needsRestart(key.replaceAll('`', '')) ? 'yes' : 'no',
  ]);
  const written = rowsIn(operator, 5).map((cells) => cells.slice(0, 4));
  expect(written.toSorted(byKey)).toEqual(expected.toSorted(byKey));
});

test('.legion/config.yml: every key, what it allows and its default', () => {
  const written = rowsIn(repository, 4).map((cells) => cells.slice(0, 3));
  expect(written).toEqual(rowsOf(repositorySchema, REPOSITORY_DEFAULTS));
});

test('every key has a meaning', () => {
  for (const cells of [...rowsIn(operator, 5), ...rowsIn(repository, 4)])
    expect(cells.at(-1)).toMatch(/^\w.*\.$|^See /);
});

test('every variable of the environment, with the key it really sets', () => {
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

test('the examples are accepted', () => {
  const examples = [...document.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text);
  expect(examples).toHaveLength(2);
  accepted(resolving(examples[0] ?? ''));
  accepted(readRepositoryConfig(examples[1] ?? ''));
});

function rowsOf(schema: z.ZodType, defaults: object): string[][] {
  return [...keysOf(schema)].map(({ key, leaf }) => [
    `\`${key}\``,
    leaf.allowed,
    shownDefault(elsewhere(key) ?? valueAt(defaults, key), leaf.kind),
  ]);
}

/** Defaults that live in other rooms; configuration itself leaves them open. */
function elsewhere(key: string): unknown {
  const { rounds, approvals } = DEFAULT_POLICY;
  const policy: Record<string, unknown> = {
    'limits.respawns': HEALTH_LIMITS.respawns,
    'approvals.architect': approvals.architect,
    'approvals.merge': approvals.merge,
    'limits.rounds.<reason>': `${rounds.ci_failure}\` (\`no_pr\` and \`no_review\`: \`${rounds.no_pr}`,
  };
  const camel = key
    .replace(/^health\./, '')
    .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return key.startsWith('health.') ? HEALTH_LIMITS[camel as keyof typeof HEALTH_LIMITS] : policy[key];
}

function shownDefault(value: unknown, kind: Kind): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '–';
  if (Array.isArray(value)) return `\`[${value.join(', ')}]\``;
  if (typeof value === 'number' && kind === 'duration') return `\`${durationText(value)}\``;
  const closing = String(value).includes('(') ? ')' : '';
  return `\`${value}\`${closing}`;
}

/** Commands refuse a configuration without these; the value in `LEGION_DEFAULTS` is only a placeholder. */
const REQUIRED: ReadonlySet<string> = new Set(['legion']);

function valueAt(defaults: object, key: string): unknown {
  if (REQUIRED.has(key)) return undefined;
  let value: unknown = defaults;
  for (const step of key.split('.')) value = (value as Record<string, unknown> | undefined)?.[step];
  return value;
}

/** The rows of all tables of so many columns whose first cell is code. */
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
