/** Answers one GraphQL request: reads it, validates it against GitHub's schema and rules, pays for it, executes it. */
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
import type { Context } from './context.ts';
import { type Cost, costOf } from './cost.ts';
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

export interface Prepared {
  readonly name: string;
  readonly write: boolean;
  readonly cost: Cost;
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

const DOCUMENTS = new ValidDocuments(() => SCHEMA);

/** Returns an answer with errors for a request that is invalid. */
export function prepareDocument(body: unknown): Prepared | GraphqlAnswer {
  const { query, variables, operationName } = body as Record<string, unknown>;
  if (typeof query !== 'string') {
    return { errors: [{ message: 'A query attribute must be specified and must be a string.' }] };
  }
  const given = (variables ?? {}) as Readonly<Record<string, unknown>>;
  try {
    const document = DOCUMENTS.read(query);
    if (!('kind' in document)) return { errors: document.map(asError) };
    const operation = chosen(document, operationName);
    const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
    const named = new Map(fragments.map((each): [string, FragmentDefinitionNode] => [each.name.value, each]));
    const name = operation.name?.value ?? rootFields(operation);
    return {
      name,
      write: operation.operation === 'mutation',
      cost: costOf(operation, named, given),
      document: onlyOperation(document, operation),
      variables: given,
    };
  } catch (error) {
    return { errors: [asError(error)] };
  }
}

export async function executePrepared(prepared: Prepared, context: Context): Promise<GraphqlAnswer> {
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
    ...(errors === undefined ? {} : { errors: errors.map(asError) }),
  };
}

function chosen(document: DocumentNode, name: unknown): OperationDefinitionNode {
  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const found =
    typeof name === 'string' ? operations.find((each) => each.name?.value === name) : operations[0];
  if (found === undefined) throw new GraphQLError(`No operation named "${String(name)}"`);
  if (operations.length > 1 && typeof name !== 'string')
    throw new GraphQLError('An operation name is required');
  return found;
}

function onlyOperation(document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  return {
    ...document,
    definitions: document.definitions.filter(
      (each) => each === operation || each.kind === Kind.FRAGMENT_DEFINITION,
    ),
  };
}

function rootFields({ selectionSet }: OperationDefinitionNode): string {
  return selectionSet.selections
    .flatMap((each) => (each.kind === Kind.FIELD ? [each.name.value] : []))
    .join(' ');
}

function asError(error: unknown): GraphqlError {
  if (error instanceof GithubRefusal) return { type: error.type, message: error.message };
  if (!(error instanceof GraphQLError)) return { message: String(error) };
  const { originalError, message, path, locations } = error;
  const coerced = INVALID_VARIABLE.exec(message);
  if (coerced !== null) return invalidVariable(coerced, locations);
  return {
    ...(originalError instanceof GithubRefusal ? { type: originalError.type } : {}),
    ...(path === undefined ? {} : { path }),
    ...(locations === undefined ? {} : { locations }),
    message,
  };
}

/** What the library says of a variable outside its type, such as a number beyond 32 bits. */
const INVALID_VARIABLE = /^Variable "(\$\w+)" got invalid value .*?; (\w+) cannot represent .*: (.+)$/;

/** In GitHub's words; it refuses the whole request. */
function invalidVariable(
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
