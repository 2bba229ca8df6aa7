/**
 * Lists the names of all fields that an OpenAPI document declares, except those of path parameters.
 */

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
}
interface Body {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body>>;
}
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export function listFields(document: OpenApiDocument): {
  readonly requests: readonly string[];
  readonly responses: readonly string[];
} {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return {
    requests: operations.flatMap(({ parameters = [], requestBody = {} }) => [
      ...parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      ...fieldsOfBody(document, requestBody),
    ]),
    responses: operations.flatMap(({ responses = {} }) =>
      Object.values(responses).flatMap((body) => fieldsOfBody(document, body)),
    ),
  };
}

function fieldsOfBody(document: OpenApiDocument, { content = {} }: Body): readonly string[] {
  return Object.values(content).flatMap(({ schema }) => fieldsOf(document, schema));
}

function fieldsOf(document: OpenApiDocument, schema: Schema | boolean | undefined): readonly string[] {
  if (typeof schema !== 'object') return [];
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [], $ref } = schema;
  const inner = [
    ...Object.values(properties),
    items,
    additionalProperties,
    ...anyOf,
    ...oneOf,
    ...allOf,
    $ref === undefined ? undefined : resolveReference(document, $ref),
  ];
  return [...Object.keys(properties), ...inner.flatMap((each) => fieldsOf(document, each))];
}

function resolveReference(document: OpenApiDocument, reference: string): Schema {
  const [, ...path] = reference.split('/');
  return path.reduce((value: object, key) => Reflect.get(value, key), document);
}
