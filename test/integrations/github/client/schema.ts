/** GitHub's own schema, which every document of ours is held against. */
import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { SCHEMA } from '../../../../simulators/github/graphql/schema.ts';

/** One test a document, by what it is called. */
export function testDocuments(documents: readonly (readonly [name: string, document: string])[]): void {
  test.each(documents)('%s is valid by GitHub’s schema', (_, document) => {
    expect(validate(SCHEMA, parse(document)).map(({ message }) => message)).toEqual([]);
  });
}
