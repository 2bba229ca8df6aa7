/**
 * Builds Linear's executable GraphQL schema. This happens once per process, when the first document
 * needs it.
 */
import { buildSchema, GraphQLError, type GraphQLScalarType, type GraphQLSchema, isScalarType } from 'graphql';
import { buildSdl } from './sdl.ts';

let built: GraphQLSchema | undefined;

/**
 * Builds the schema on the first call, which takes about a third of a second. All simulators of the
 * process share it.
 */
export function loadLinearSchema(): GraphQLSchema {
  if (built !== undefined) return built;
  // Skips validation, because the declarations come from a valid schema. The test of all SDK
  // documents would detect mistakes made while building it.
  const schema = buildSchema(buildSdl(), { assumeValidSDL: true, noLocation: true });
  for (const name of ['DateTime', 'DateTimeOrDuration']) {
    const scalar = schema.getType(name);
    if (isScalarType(scalar)) readTimes(scalar);
  }
  built = schema;
  return schema;
}

/**
 * Converts times: milliseconds inside the simulator, ISO 8601 with milliseconds in responses, as
 * Linear formats them.
 */
function readTimes(scalar: GraphQLScalarType): void {
  scalar.parseValue = (value) => {
    const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    // Rejects durations such as -P2W, too: Linear counts them from now, but the simulator does not
    // support them.
    if (Number.isNaN(time)) throw new GraphQLError(`${scalar.name} cannot be read: ${String(value)}`);
    return time;
  };
  scalar.parseLiteral = (literal) => scalar.parseValue('value' in literal ? literal.value : undefined);
  // A string is a malformed time that a test has injected.
  scalar.serialize = (value) => (typeof value === 'string' ? value : new Date(Number(value)).toISOString());
}
