/**
 * Tests that writing any configuration to a file and resolving the file returns the same
 * configuration.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { legionSchema } from '../../src/config/legion/schema.ts';
import { writeConfig } from '../../src/config/legion/write.ts';
import {
  formatConfigDuration,
  formatConfigSize,
  readDuration,
  readSize,
} from '../../src/config/schema/leaf.ts';
import { resolveBranch } from '../../src/config/schema/section.ts';
import { compareConfigs } from '../../src/config/watch.ts';
import { assertProperty } from '../support/property.ts';
import { accepted, resolving } from './resolving.ts';

/** Generates values in enough forms that each leaf of the schema accepts at least one of them. */
const FORMS = fc.oneof(
  fc.integer({ min: 0, max: 1_000 }),
  fc.double({ min: 0.01, max: 1, noNaN: true }),
  fc.boolean(),
  fc.constantFrom('local', 'claude-code', 'codex', 'required', 'auto', 'git-worktree', 'in-process'),
  fc.constantFrom('90s', '5m', '1.25h', '0.001s', '12d', '500MB', '1.5GB', '7'),
  fc.constantFrom('acme/3', 'acme/app', 'a name: with # marks', '~', 'null', 'no', '- x', '"', '🚀 Doing'),
  fc.constantFrom(
    '/srv/x y',
    '~/x',
    'env:TOKEN',
    'file:/run/key',
    'https://big:1',
    'nats://a:1',
    'C024BE91L',
  ),
  fc.array(fc.constantFrom('question', 'merged', 'acme/9', 'Ready', 'NPM_TOKEN', '007'), { maxLength: 3 }),
);

/**
 * Fixed choices, because random names could assign one column to two statuses, which is invalid.
 */
const STATUSES = fc.constantFrom({}, { Todo: ['Ready', 'no'], Done: '🚀 Doing' }, { 'In Progress': ['# 1'] });

/**
 * Keys that are left out, because some combinations of them are invalid: an App id and its key must
 * be set together, and the two Linear credentials are mutually exclusive.
 */
const PAIRED: ReadonlySet<string> = new Set(['app_id', 'private_key', 'access_token']);

const config = fc
  .tuple(filling(legionSchema), STATUSES)
  .map(([value, statuses]) => ({ ...(value as object), statuses, legion: 'x', backend: 'local' }))
  .map((value) => JSON.parse(JSON.stringify(value, (key, each) => (PAIRED.has(key) ? undefined : each))))
  .map((value) => accepted(resolving(JSON.stringify(value))).config);

test('resolves a written configuration to the same configuration', () => {
  assertProperty(
    fc.property(config, (made) => {
      const again = accepted(resolving(writeConfig(made))).config;
      expect(again).toEqual(made);
      expect(compareConfigs(made, again)).toEqual({ keys: [], needRestart: [] });
    }),
    { numRuns: 300 },
  );
});

test('parses written durations and sizes to the same values', () => {
  assertProperty(
    fc.property(fc.integer({ min: 0, max: 366 * 86_400_000 }), (amount) => {
      expect(readDuration(formatConfigDuration(amount))).toBe(amount);
      expect(readSize(formatConfigSize(amount))).toBe(amount);
    }),
  );
});

/**
 * Generates random values that match the schema. Each leaf gets the first random value that it
 * accepts, or no value.
 */
function filling(schema: z.ZodType): fc.Arbitrary<unknown> {
  const branch = resolveBranch(schema);
  switch (branch.kind) {
    case 'leaf':
      return fc
        .array(FORMS, { minLength: 8, maxLength: 8 })
        .map((candidates) => candidates.find((value) => branch.schema.safeParse(value).success));
    case 'list':
      return fc.constantFrom(
        [],
        ['acme/app'],
        [{ repo: 'acme/app', labels: ['a'], path: '/x' }, 'h.example/a/b'],
      );
    case 'section':
      return fc.record(
        Object.fromEntries(Object.entries(branch.shape).map(([name, each]) => [name, filling(each)])),
        {
          requiredKeys: [],
        },
      );
  }
}
