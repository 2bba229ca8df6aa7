/** Writes Linear's schema as GraphQL SDL, from the types of its SDK. */
import { readDeclarations, type SyntaxNode } from './declarations.ts';

/** Built-in scalars of GraphQL. */
const BUILT_IN = ['ID', 'String', 'Boolean', 'Int', 'Float'];

type DeclarationKind = 'type' | 'interface' | 'input';

interface DeclaredType {
  /** Name in the SDK. The name in the schema may differ in case. */
  readonly name: string;
  readonly interfaces: readonly string[];
  readonly members: readonly SyntaxNode[];
}

export function buildSdl(): string {
  const statements = readDeclarations();
  const declared = statements.flatMap(extractDeclared);
  const interfaces = new Set(declared.flatMap((each) => each.interfaces));
  const args = new Map(declared.filter(isArguments).map((each) => [each.name.toLowerCase(), each]));
  const named = new Map(declared.map((each) => [each.name, getSchemaName(each)]));
  const kinds = declared.filter((each) => each.name !== 'Scalars' && !isArguments(each));
  const writing: SdlWriteContext = { args, named };
  return [
    ...listScalars(declared),
    ...statements.flatMap(writeEnum),
    ...statements.flatMap((each) => writeUnion(each, named)),
    ...kinds.map((each) => writeType(each, detectKind(each, interfaces), writing)),
  ].join('\n');
}

interface SdlWriteContext {
  readonly args: ReadonlyMap<string, DeclaredType>;
  readonly named: ReadonlyMap<string, string>;
}

/** Checks more than the name, because the names of some object types also end in `Args`. */
function isArguments({ name, members }: DeclaredType): boolean {
  return name.endsWith('Args') && !members.some(({ key }) => key?.name === '__typename');
}

/** Only object types have a `__typename`, and interfaces are the types that others extend. */
function detectKind({ name, members }: DeclaredType, interfaces: ReadonlySet<string>): DeclarationKind {
  if (interfaces.has(name)) return 'interface';
  return members.some(({ key }) => key?.name === '__typename') ? 'type' : 'input';
}

function extractDeclared(statement: SyntaxNode): DeclaredType[] {
  const name = statement.id?.name;
  const annotation = statement.typeAnnotation;
  if (statement.type !== 'TSTypeAliasDeclaration' || name === undefined || annotation === undefined)
    return [];
  if (annotation.type === 'TSTypeLiteral')
    return [{ name, interfaces: [], members: annotation.members ?? [] }];
  if (annotation.type !== 'TSIntersectionType') return [];
  const parts = annotation.types ?? [];
  return [
    {
      name,
      interfaces: parts.flatMap(({ typeName }) => (typeName?.name === undefined ? [] : [typeName.name])),
      members: parts.flatMap(({ members }) => members ?? []),
    },
  ];
}

function getSchemaName({ name, members }: DeclaredType): string {
  const typename = members.find(({ key }) => key?.name === '__typename')?.typeAnnotation?.typeAnnotation;
  const value = typename?.literal?.value;
  return typeof value === 'string' ? value : name;
}

function listScalars(declared: readonly DeclaredType[]): string[] {
  const scalars = declared.find(({ name }) => name === 'Scalars')?.members ?? [];
  return scalars.flatMap(({ key }) =>
    key?.name === undefined || BUILT_IN.includes(key.name) ? [] : [`scalar ${key.name}`],
  );
}

function writeEnum({ type, id, body }: SyntaxNode): string[] {
  if (type !== 'TSEnumDeclaration') return [];
  const values = (body?.members ?? []).map(({ initializer }) => String(initializer?.value));
  return [`enum ${id?.name} { ${values.join(' ')} }`];
}

function writeUnion({ type, id, typeAnnotation }: SyntaxNode, named: ReadonlyMap<string, string>): string[] {
  if (type !== 'TSTypeAliasDeclaration' || typeAnnotation?.type !== 'TSUnionType') return [];
  const members = (typeAnnotation.types ?? []).map(({ typeName }) => typeName?.name ?? '');
  // `Maybe` itself is a union too, but not of object types.
  return members.every((each) => named.has(each))
    ? [`union ${id?.name} = ${members.map((each) => named.get(each)).join(' | ')}`]
    : [];
}

function writeType(declared: DeclaredType, kind: DeclarationKind, writing: SdlWriteContext): string {
  const { name, interfaces, members } = declared;
  const heritage = interfaces.length === 0 ? '' : ` implements ${interfaces.join(' & ')}`;
  const fields = members.flatMap((member) => {
    const field = member.key?.name;
    if (field === undefined || field === '__typename') return [];
    const takes = kind === 'input' ? undefined : writing.args.get(`${name}${field}Args`.toLowerCase());
    const list =
      takes === undefined ? '' : `(${takes.members.map((each) => writeField(each, writing)).join(', ')})`;
    return [writeField(member, writing, list)];
  });
  return `${kind} ${getSchemaName(declared)}${heritage} { ${fields.join('\n')} }`;
}

function writeField(
  { key, optional, typeAnnotation }: SyntaxNode,
  { named }: SdlWriteContext,
  args = '',
): string {
  const { text, nullable } = readType(typeAnnotation?.typeAnnotation, named);
  return `${key?.name}${args}: ${text}${nullable || optional === true ? '' : '!'}`;
}

function readType(
  type: SyntaxNode | undefined,
  named: ReadonlyMap<string, string>,
): { readonly text: string; readonly nullable: boolean } {
  if (type?.type === 'TSIndexedAccessType') {
    return { text: String(type.indexType?.literal?.value), nullable: false }; // Scalars["Float"]
  }
  const name = type?.typeName?.name ?? '';
  const inner = type?.typeArguments?.params[0];
  if (name === 'Maybe' || name === 'InputMaybe') return { ...readType(inner, named), nullable: true };
  if (name !== 'Array') return { text: named.get(name) ?? name, nullable: false };
  const { text, nullable } = readType(inner, named);
  return { text: `[${text}${nullable ? '' : '!'}]`, nullable: false };
}
