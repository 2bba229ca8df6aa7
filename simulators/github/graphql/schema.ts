/** GitHub's published schema, read once, with what the published copy still lacks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';

const FILE = join(import.meta.dirname, '../../../node_modules/@octokit/graphql-schema/schema.graphql');

/** GitHub has it since July 2025; the newest published copy does not. */
const DEPENDENCIES = `
extend type Issue {
  blockedBy(after: String, before: String, first: Int, last: Int): IssueConnection!
}`;

// It is GitHub's own, so it is not checked again: that alone would take half a second.
export const SCHEMA = buildSchema(`${readFileSync(FILE, 'utf8')}\n${DEPENDENCIES}`, {
  assumeValid: true,
  noLocation: true,
});
