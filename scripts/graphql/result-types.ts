/** Writes the types of what a service answers to GraphQL documents, from the service's own schema. */
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

/** How GraphQL's own scalars of both services come in JSON; every other one is `unknown`. */
const SCALARS = {
  BigInt: 'string',
  DateTime: 'string',
  GitObjectID: 'string',
  ID: 'string',
  URI: 'string',
};

const OPENING = `/** Written by \`npm run graphql:types\` from the documents beside it and the schema of the service. */

`;

/** Rejects with all complaints where a document does not fit the schema. */
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
      // A service may add a value one day.
      futureProofEnums: true,
      immutableTypes: true,
      inlineFragmentTypes: 'combine',
      scalars: SCALARS,
    },
    { outputFile: '' },
  );
  return `${OPENING}${withoutVariables([...prepend, content].join('\n'))}`;
}

/** One document with every definition once, so that fragments of several have one type. */
function joinDocuments(documents: readonly DocumentNode[]): DocumentNode {
  const definitions = new Map<string, DefinitionNode>();
  for (const definition of documents.flatMap((document) => withoutArguments(document).definitions)) {
    const name = 'name' in definition ? definition.name?.value : undefined;
    if (name === undefined) throw new Error(`a document has no name: ${print(definition)}`);
    const known = definitions.get(name);
    if (known !== undefined && print(known) !== print(definition))
      throw new Error(`two different documents have the name ${name}`);
    definitions.set(name, definition);
  }
  return { kind: Kind.DOCUMENT, definitions: [...definitions.values()] };
}

/** The type of an answer does not depend on arguments; those of \`@include\` and \`@skip\` stay. */
function withoutArguments(document: DocumentNode): DocumentNode {
  return visit(document, {
    OperationDefinition: (node) => ({ ...node, variableDefinitions: [] }),
    Field: (node) => ({ ...node, arguments: [] }),
  });
}

/** Linear's filters would bring thousands of lines; the schemas check variables when documents run. */
function withoutVariables(types: string): string {
  return types
    .replaceAll(/^export type \w+Variables = Exact<\{[^}]*\}>;\n+/gm, '')
    .replaceAll(/^\/\*\* Internal type\. .*\n(?:export )?type (?:Exact|Incremental)<.*\n/gm, '')
    .trim()
    .concat('\n');
}
