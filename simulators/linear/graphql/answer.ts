/**
 * Answers one GraphQL request: parses it, validates it against Linear's schema, computes its
 * complexity, executes it.
 */
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
import { LinearRefusal, NotSimulated, type RefusalExtensions, toInvalidInput } from '../model/refusal.ts';
import { loadLinearSchema } from '../schema/schema.ts';
import { computeComplexity } from './complexity.ts';
import type { LinearResolverContext } from './context.ts';
import { resolveField, resolveType } from './resolve.ts';

export interface WrittenError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly unknown[];
  readonly extensions: RefusalExtensions;
}

export interface GraphqlAnswer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly WrittenError[];
}

export interface PreparedOperation {
  readonly name: string;
  readonly write: boolean;
  readonly complexity: number;
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

const DOCUMENTS = new ValidDocuments(loadLinearSchema);

/** Returns a response with errors if the request is invalid. */
export function prepareDocument(body: unknown): PreparedOperation | GraphqlAnswer {
  const { query, variables, operationName } = (body ?? {}) as Record<string, unknown>;
  if (typeof query !== 'string') return { errors: [writeError(toInvalidInput('query must be a string'))] };
  const given = (variables ?? {}) as Readonly<Record<string, unknown>>;
  try {
    const document = DOCUMENTS.read(query);
    if (!('kind' in document)) return { errors: document.map(writeError) };
    const operation = selectOperation(document, operationName);
    const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
    const named = new Map(fragments.map((each): [string, FragmentDefinitionNode] => [each.name.value, each]));
    return {
      name: operation.name?.value ?? joinRootFields(operation),
      write: operation.operation === 'mutation',
      complexity: computeComplexity(operation, named, given),
      document: { ...document, definitions: [operation, ...fragments] },
      variables: given,
    };
  } catch (error) {
    return { errors: [writeError(error)] };
  }
}

export async function executePrepared(
  prepared: PreparedOperation,
  context: LinearResolverContext,
): Promise<GraphqlAnswer> {
  const places = new RewrittenPlaces(context.world.rewrites);
  const { data, errors } = await execute({
    schema: loadLinearSchema(),
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

/** Returns the document's operation. If there are several, selects one by name. */
function selectOperation(document: DocumentNode, name: unknown): OperationDefinitionNode {
  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const found =
    typeof name === 'string' ? operations.find((each) => each.name?.value === name) : operations[0];
  if (found === undefined) throw new GraphQLError(`Unknown operation named "${String(name)}".`);
  if (operations.length > 1 && typeof name !== 'string') {
    throw new GraphQLError('Must provide operation name if query contains multiple operations.');
  }
  return found;
}

function joinRootFields({ selectionSet }: OperationDefinitionNode): string {
  return selectionSet.selections
    .flatMap((each) => (each.kind === Kind.FIELD ? [each.name.value] : []))
    .join(' ');
}

export function writeError(error: unknown): WrittenError {
  const cause = error instanceof GraphQLError ? error.originalError : error;
  const known = cause instanceof LinearRefusal || cause instanceof NotSimulated ? cause : undefined;
  const message = error instanceof Error ? error.message : String(error);
  // Every other error thrown by GraphQL means that a document or a value violates the schema. An
  // error from elsewhere is a bug in the simulator.
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
