/** Validates documents against GitHub's schema. */
import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { SCHEMA } from '../../../../simulators/github/graphql/schema.ts';

/** Creates one test per document. */
export function testDocuments(documents: readonly (readonly [name: string, document: string])[]): void {
  test.each(documents)('%s is valid against GitHub’s schema', (_, document) => {
    expect(validate(SCHEMA, parse(document)).map(({ message }) => message)).toEqual([]);
  });
}
