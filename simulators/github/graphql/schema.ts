/** GitHub's published schema, read once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';

const FILE = join(import.meta.dirname, '../../../node_modules/@octokit/graphql-schema/schema.graphql');

// It is GitHub's own, so it is not checked again: that alone would take half a second.
export const SCHEMA = buildSchema(readFileSync(FILE, 'utf8'), { assumeValid: true, noLocation: true });
