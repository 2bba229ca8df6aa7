/** GitHub's own schema, which every document of ours is held against. */
import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { beforeAll, expect, test } from 'vitest';

const SCHEMA = new URL('../../node_modules/@octokit/graphql-schema/schema.graphql', import.meta.url);

/** One test a document, by what it is called. */
export function testDocuments(documents: readonly (readonly [name: string, document: string])[]): void {
  let schema: ReturnType<typeof buildSchema>;
  beforeAll(() => {
    schema = buildSchema(readFileSync(SCHEMA, 'utf8'), { assumeValid: true });
  });

  test.each(documents)('%s is valid by GitHub’s schema', (_, document) => {
    expect(validate(schema, parse(document)).map(({ message }) => message)).toEqual([]);
  });
}
