/** Linear's schema as GraphQL executes it: derived once a process, when the first document comes. */
import { buildSchema, GraphQLError, type GraphQLScalarType, type GraphQLSchema, isScalarType } from 'graphql';
import { deriveSdl } from './sdl.ts';

let built: GraphQLSchema | undefined;

/** About a third of a second for the first who asks; every simulator of the process shares it. */
export function linearSchema(): GraphQLSchema {
  if (built !== undefined) return built;
  // The declarations come from a schema that was valid, and a mistake in deriving it fails in the test of all documents.
  const schema = buildSchema(deriveSdl(), { assumeValidSDL: true, noLocation: true });
  for (const name of ['DateTime', 'DateTimeOrDuration']) {
    const scalar = schema.getType(name);
    if (isScalarType(scalar)) readTimes(scalar);
  }
  built = schema;
  return schema;
}

/** Milliseconds inside, ISO 8601 outside, with milliseconds as Linear writes them. */
function readTimes(scalar: GraphQLScalarType): void {
  scalar.parseValue = (value) => {
    const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    // Durations such as -P2W would be counted from now; nobody has needed them yet.
    if (Number.isNaN(time)) throw new GraphQLError(`${scalar.name} cannot be read: ${String(value)}`);
    return time;
  };
  scalar.parseLiteral = (literal) => scalar.parseValue('value' in literal ? literal.value : undefined);
  // A text is a malformed time that a test has put there.
  scalar.serialize = (value) => (typeof value === 'string' ? value : new Date(Number(value)).toISOString());
}
