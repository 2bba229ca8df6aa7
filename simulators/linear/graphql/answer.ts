/** Answers one GraphQL request: reads it, validates it against Linear's schema, weighs it, executes it. */
import {
  type DocumentNode,
  execute,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { RewrittenPlaces } from '../../rewrites.ts';
import { ValidDocuments } from '../../valid-documents.ts';
import { type Extensions, invalid, LinearRefusal, NotSimulated } from '../model/refusal.ts';
import { linearSchema } from '../schema/schema.ts';
import { complexityOf } from './complexity.ts';
import type { Context } from './context.ts';
import { resolveField, resolveType } from './resolve.ts';

export interface WrittenError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly unknown[];
  readonly extensions: Extensions;
}

export interface GraphqlAnswer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly WrittenError[];
}

export interface Prepared {
  readonly name: string;
  readonly write: boolean;
  readonly complexity: number;
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

const DOCUMENTS = new ValidDocuments(linearSchema);

/** Returns an answer with errors for a request that is invalid. */
export function prepareDocument(body: unknown): Prepared | GraphqlAnswer {
  const { query, variables, operationName } = (body ?? {}) as Record<string, unknown>;
  if (typeof query !== 'string') return { errors: [writeError(invalid('query must be a string'))] };
  const given = (variables ?? {}) as Readonly<Record<string, unknown>>;
  try {
    const document = DOCUMENTS.read(query);
    if (!('kind' in document)) return { errors: document.map(writeError) };
    const operation = chosen(document, operationName);
    const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
    const named = new Map(fragments.map((each): [string, FragmentDefinitionNode] => [each.name.value, each]));
    return {
      name: operation.name?.value ?? rootFields(operation),
      write: operation.operation === 'mutation',
      complexity: complexityOf(operation, named, given),
      document: { ...document, definitions: [operation, ...fragments] },
      variables: given,
    };
  } catch (error) {
    return { errors: [writeError(error)] };
  }
}

export async function executePrepared(prepared: Prepared, context: Context): Promise<GraphqlAnswer> {
  const places = new RewrittenPlaces(context.world.rewrites);
  const { data, errors } = await execute({
    schema: linearSchema(),
    document: prepared.document,
    variableValues: prepared.variables,
    contextValue: { ...context, places },
    fieldResolver: resolveField,
    typeResolver: resolveType,
  });
  places.apply(data);
  return {
    ...(data === undefined ? {} : { data: data as Record<string, unknown> | null }),
    ...(errors === undefined ? {} : { errors: errors.map(writeError) }),
  };
}

/** One operation of those in the document, by its name where there are several. */
function chosen(document: DocumentNode, name: unknown): OperationDefinitionNode {
  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const found =
    typeof name === 'string' ? operations.find((each) => each.name?.value === name) : operations[0];
  if (found === undefined) throw new GraphQLError(`Unknown operation named "${String(name)}".`);
  if (operations.length > 1 && typeof name !== 'string') {
    throw new GraphQLError('Must provide operation name if query contains multiple operations.');
  }
  return found;
}

function rootFields({ selectionSet }: OperationDefinitionNode): string {
  return selectionSet.selections
    .flatMap((each) => (each.kind === Kind.FIELD ? [each.name.value] : []))
    .join(' ');
}

export function writeError(error: unknown): WrittenError {
  const cause = error instanceof GraphQLError ? error.originalError : error;
  const known = cause instanceof LinearRefusal || cause instanceof NotSimulated ? cause : undefined;
  const message = error instanceof Error ? error.message : String(error);
  // Whatever else GraphQL throws is a document or a value that does not fit the schema, unless it is a mistake of ours.
  const mistake = cause != null && known === undefined && !(cause instanceof GraphQLError);
  const extensions =
    known?.extensions ?? new LinearRefusal(mistake ? 'internal error' : 'graphql error', message).extensions;
  return {
    message,
    ...(error instanceof GraphQLError && error.path !== undefined ? { path: error.path } : {}),
    ...(error instanceof GraphQLError && error.locations !== undefined ? { locations: error.locations } : {}),
    extensions,
  };
}
