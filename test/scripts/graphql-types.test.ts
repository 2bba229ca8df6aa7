/** Checks that the generated result types match the current documents and schemas. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { DOCUMENT_SETS } from '../../scripts/graphql/document-sets.ts';
import { writeResultTypes } from '../../scripts/graphql/result-types.ts';
import { loadSchema } from '../../scripts/graphql/schemas.ts';

const ROOT = join(import.meta.dirname, '../..');

test.each(DOCUMENT_SETS)('$file matches its documents (if not, run npm run graphql:types)', async (set) => {
  const types = await writeResultTypes(loadSchema(set.service), set.documents);
  expect(readFileSync(join(ROOT, set.file), 'utf8')).toBe(types);
});

const schema = buildSchema(`
  scalar DateTime
  scalar Colour
  enum State { OPEN CLOSED }
  type Issue { id: ID! title: String state: State! createdAt: DateTime! colour: Colour! blockers(first: Int): [Issue] }
  type Query { issue(id: ID!): Issue! }
`);

test('generates nullable types for nullable fields, and allows enum values that a service may add', async () => {
  const document =
    'query Read($id: ID!) { issue(id: $id) { id title state createdAt colour blockers(first: 2) { id } } }';
  const types = await writeResultTypes(schema, [document]);
  expect(types).toContain('readonly blockers: ReadonlyArray<{ readonly id: string } | null> | null');
  expect(types).toContain(
    'readonly title: string | null, readonly state: State, readonly createdAt: string, readonly colour: unknown',
  );
  expect(types).toContain("export type State =\n  | 'OPEN'\n  | 'CLOSED'\n  | '%future added value';");
  expect(types).not.toMatch(/Variables|Exact|Incremental/);
});

test('generates one type for a fragment shared by several documents, even if its arguments differ', async () => {
  const fragment = (count: number) => `fragment Parts on Issue { blockers(first: ${count}) { id } }`;
  const types = await writeResultTypes(schema, [
    `query One($id: ID!) { issue(id: $id) { ...Parts } } ${fragment(1)}`,
    `query Two($id: ID!) { issue(id: $id) { ...Parts } } ${fragment(2)}`,
  ]);
  expect(types.match(/export type \w+/g)).toEqual([
    'export type OneQuery',
    'export type PartsFragment',
    'export type TwoQuery',
  ]);
});

test.each([
  ['a field that does not exist', ['query Read { issue(id: 1) { owner } }'], 'Cannot query field "owner"'],
  ['a document without a name', ['{ issue(id: 1) { id } }'], 'A document has no name'],
  [
    'two documents with one name',
    ['query Read { issue(id: 1) { id } }', 'query Read { issue(id: 1) { title } }'],
    'Two different documents have the name Read',
  ],
])('rejects %s', async (_, documents, message) => {
  await expect(writeResultTypes(schema, documents)).rejects.toThrow(message);
});
