/**
 * Provides the schemas for typing documents: GitHub's published schema, and Linear's as read from
 * its SDK.
 */
import type { GraphQLSchema } from 'graphql';
import { SCHEMA } from '../../simulators/github/graphql/schema.ts';
import { loadLinearSchema } from '../../simulators/linear/schema/schema.ts';
import type { DocumentSet } from './document-sets.ts';

export function loadSchema(service: DocumentSet['service']): GraphQLSchema {
  return service === 'github' ? SCHEMA : loadLinearSchema();
}
