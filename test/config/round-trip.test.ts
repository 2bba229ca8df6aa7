/** Any configuration, written as a file, resolves to itself. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { changesBetween } from '../../src/config/legion/changes.ts';
import { legionSchema } from '../../src/config/legion/schema.ts';
import { writeConfig } from '../../src/config/legion/write.ts';
import { durationText, readDuration, readSize, sizeText } from '../../src/config/schema/quantity.ts';
import { branchOf } from '../../src/config/schema/section.ts';
import { assertProperty } from '../support/property.ts';
import { accepted, resolving } from './resolving.ts';

/** Enough of each form that one of them fits every leaf; the leaf itself chooses. */
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

/** One column belongs to one status, which random names would not heed. */
const STATUSES = fc.constantFrom({}, { Todo: ['Ready', 'no'], Done: '🚀 Doing' }, { 'In Progress': ['# 1'] });

/** Of an App a number without its key, or the other way round, is refused; of Linear's two credentials, both together. */
const PAIRED: ReadonlySet<string> = new Set(['app_id', 'private_key', 'access_token']);

const config = fc
  .tuple(filling(legionSchema), STATUSES)
  .map(([value, statuses]) => ({ ...(value as object), statuses, legion: 'x', backend: 'local' }))
  .map((value) => JSON.parse(JSON.stringify(value, (key, each) => (PAIRED.has(key) ? undefined : each))))
  .map((value) => accepted(resolving(JSON.stringify(value))).config);

test('written and resolved again it is the same, and nothing has changed', () => {
  assertProperty(
    fc.property(config, (made) => {
      const again = accepted(resolving(writeConfig(made))).config;
      expect(again).toEqual(made);
      expect(changesBetween(made, again)).toEqual({ keys: [], needRestart: [] });
    }),
    { numRuns: 300 },
  );
});

test('durations and sizes read back as what was written', () => {
  assertProperty(
    fc.property(fc.integer({ min: 0, max: 366 * 86_400_000 }), (amount) => {
      expect(readDuration(durationText(amount))).toBe(amount);
      expect(readSize(sizeText(amount))).toBe(amount);
    }),
  );
});

/** Random values of the schema's form; a leaf takes the first of some random values that it allows, or nothing. */
function filling(schema: z.ZodType): fc.Arbitrary<unknown> {
  const branch = branchOf(schema);
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
