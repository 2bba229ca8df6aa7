/** The schemas that documents are typed by: GitHub's published one, and Linear's from its SDK. */
import type { GraphQLSchema } from 'graphql';
import { SCHEMA } from '../../simulators/github/graphql/schema.ts';
import { linearSchema } from '../../simulators/linear/schema/schema.ts';
import type { DocumentSet } from './document-sets.ts';

export function loadSchema(service: DocumentSet['service']): GraphQLSchema {
  return service === 'github' ? SCHEMA : linearSchema();
}
