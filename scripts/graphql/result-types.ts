/** Generates the result types of GraphQL documents from the service's own schema. */
import { plugin } from '@graphql-codegen/typescript-operations';
import {
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  parse,
  print,
  validate,
  visit,
} from 'graphql';

/** JSON types of the GraphQL scalars that both services use. Every other scalar is `unknown`. */
const SCALARS = {
  BigInt: 'string',
  DateTime: 'string',
  GitObjectID: 'string',
  ID: 'string',
  URI: 'string',
};

const OPENING = `/** Written by \`npm run graphql:types\` from the GraphQL documents and the schema of the service. */

`;

/** Rejects with all validation errors if a document does not match the schema. */
export async function writeResultTypes(schema: GraphQLSchema, documents: readonly string[]): Promise<string> {
  const parsed = documents.map((document) => parse(document, { noLocation: true }));
  const complaints = parsed.flatMap((document) => validate(schema, document));
  if (complaints.length > 0) throw new Error(complaints.map(({ message }) => message).join('\n'));
  const { prepend = [], content } = await plugin(
    schema,
    [{ document: joinDocuments(parsed) }],
    {
      defaultScalarType: 'unknown',
      disableDescriptions: true,
      // A service may add enum values later.
      futureProofEnums: true,
      immutableTypes: true,
      inlineFragmentTypes: 'combine',
      scalars: SCALARS,
    },
    { outputFile: '' },
  );
  return `${OPENING}${stripVariables([...prepend, content].join('\n'))}`;
}

/** Joins the documents and keeps each definition only once, so that a shared fragment has one type. */
function joinDocuments(documents: readonly DocumentNode[]): DocumentNode {
  const definitions = new Map<string, DefinitionNode>();
  for (const definition of documents.flatMap((document) => stripArguments(document).definitions)) {
    const name = 'name' in definition ? definition.name?.value : undefined;
    if (name === undefined) throw new Error(`A document has no name: ${print(definition)}`);
    const known = definitions.get(name);
    if (known !== undefined && print(known) !== print(definition))
      throw new Error(`Two different documents have the name ${name}`);
    definitions.set(name, definition);
  }
  return { kind: Kind.DOCUMENT, definitions: [...definitions.values()] };
}

/**
 * Removes arguments, which do not affect the type of a result. Keeps those of \`@include\` and
 * \`@skip\`.
 */
function stripArguments(document: DocumentNode): DocumentNode {
  return visit(document, {
    OperationDefinition: (node) => ({ ...node, variableDefinitions: [] }),
    Field: (node) => ({ ...node, arguments: [] }),
  });
}

/**
 * Removes the types of variables: Linear's filters would add thousands of lines, and the services
 * check variables at run time.
 */
function stripVariables(types: string): string {
  return types
    .replaceAll(/^export type \w+Variables = Exact<\{[^}]*\}>;\n+/gm, '')
    .replaceAll(/^\/\*\* Internal type\. .*\n(?:export )?type (?:Exact|Incremental)<.*\n/gm, '')
    .trim()
    .concat('\n');
}
