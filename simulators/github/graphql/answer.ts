/**
 * Answers one GraphQL request: parses it, validates it against GitHub's schema and rules, charges
 * its cost, executes it.
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
import { GithubRefusal } from '../model/fault.ts';
import type { GithubResolverContext } from './context.ts';
import { computeQueryCost, type QueryCost } from './cost.ts';
import { resolveField, resolveType } from './resolve.ts';
import { SCHEMA } from './schema.ts';

interface GraphqlError {
  readonly type?: string;
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly unknown[];
  readonly extensions?: unknown;
}

export interface GraphqlAnswer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly GraphqlError[];
}

export interface PreparedOperation {
  readonly name: string;
  readonly write: boolean;
  readonly cost: QueryCost;
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

const DOCUMENTS = new ValidDocuments(() => SCHEMA);

/** Returns a response with errors if the request is invalid. */
export function prepareDocument(body: unknown): PreparedOperation | GraphqlAnswer {
  const { query, variables, operationName } = body as Record<string, unknown>;
  if (typeof query !== 'string') {
    return { errors: [{ message: 'A query attribute must be specified and must be a string.' }] };
  }
  const given = (variables ?? {}) as Readonly<Record<string, unknown>>;
  try {
    const document = DOCUMENTS.read(query);
    if (!('kind' in document)) return { errors: document.map(toGraphqlError) };
    const operation = selectOperation(document, operationName);
    const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
    const named = new Map(fragments.map((each): [string, FragmentDefinitionNode] => [each.name.value, each]));
    const name = operation.name?.value ?? joinRootFields(operation);
    return {
      name,
      write: operation.operation === 'mutation',
      cost: computeQueryCost(operation, named, given),
      document: pickOperation(document, operation),
      variables: given,
    };
  } catch (error) {
    return { errors: [toGraphqlError(error)] };
  }
}

export async function executePrepared(
  prepared: PreparedOperation,
  context: GithubResolverContext,
): Promise<GraphqlAnswer> {
  const places = new RewrittenPlaces(context.world.rewrites);
  const { data, errors } = await execute({
    schema: SCHEMA,
    document: prepared.document,
    variableValues: prepared.variables,
    contextValue: { ...context, places },
    fieldResolver: resolveField,
    typeResolver: resolveType,
  });
  places.apply(data);
  return {
    ...(data === undefined ? {} : { data: data as Record<string, unknown> | null }),
    ...(errors === undefined ? {} : { errors: errors.map(toGraphqlError) }),
  };
}

function selectOperation(document: DocumentNode, name: unknown): OperationDefinitionNode {
  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const found =
    typeof name === 'string' ? operations.find((each) => each.name?.value === name) : operations[0];
  if (found === undefined) throw new GraphQLError(`No operation named "${String(name)}"`);
  if (operations.length > 1 && typeof name !== 'string')
    throw new GraphQLError('An operation name is required');
  return found;
}

function pickOperation(document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  return {
    ...document,
    definitions: document.definitions.filter(
      (each) => each === operation || each.kind === Kind.FRAGMENT_DEFINITION,
    ),
  };
}

function joinRootFields({ selectionSet }: OperationDefinitionNode): string {
  return selectionSet.selections
    .flatMap((each) => (each.kind === Kind.FIELD ? [each.name.value] : []))
    .join(' ');
}

function toGraphqlError(error: unknown): GraphqlError {
  if (error instanceof GithubRefusal) return { type: error.type, message: error.message };
  if (!(error instanceof GraphQLError)) return { message: String(error) };
  const { originalError, message, path, locations } = error;
  const coerced = INVALID_VARIABLE.exec(message);
  if (coerced !== null) return toVariableError(coerced, locations);
  return {
    ...(originalError instanceof GithubRefusal ? { type: originalError.type } : {}),
    ...(path === undefined ? {} : { path }),
    ...(locations === undefined ? {} : { locations }),
    message,
  };
}

/**
 * Matches graphql-js's error for a variable whose value does not fit its type, such as a number
 * beyond 32 bits.
 */
const INVALID_VARIABLE = /^Variable "(\$\w+)" got invalid value .*?; (\w+) cannot represent .*: (.+)$/;

/** Returns the error in GitHub's wording. Because of this error, GitHub rejects the whole request. */
function toVariableError(
  [, name, type, value]: RegExpExecArray,
  locations: readonly unknown[] | undefined,
): GraphqlError {
  const explanation = `Could not coerce value ${value} to ${type}`;
  return {
    message: `Variable ${name} of type ${type}! was provided invalid value`,
    extensions: { value, problems: [{ path: [], explanation }] },
    ...(locations === undefined ? {} : { locations }),
  };
}
