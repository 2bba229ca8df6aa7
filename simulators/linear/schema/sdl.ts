/** Writes Linear's schema in GraphQL's own language, from the types of its SDK. */
import { readDeclarations, type Syntax } from './declarations.ts';

/** GraphQL knows these by itself. */
const BUILT_IN = ['ID', 'String', 'Boolean', 'Int', 'Float'];

type Kind = 'type' | 'interface' | 'input';

interface Declared {
  /** As the SDK calls it; the schema's own name may be written with other capitals. */
  readonly name: string;
  readonly interfaces: readonly string[];
  readonly members: readonly Syntax[];
}

export function deriveSdl(): string {
  const statements = readDeclarations();
  const declared = statements.flatMap(declaredBy);
  const interfaces = new Set(declared.flatMap((each) => each.interfaces));
  const args = new Map(declared.filter(isArguments).map((each) => [each.name.toLowerCase(), each]));
  const named = new Map(declared.map((each) => [each.name, schemaName(each)]));
  const kinds = declared.filter((each) => each.name !== 'Scalars' && !isArguments(each));
  const writing: Writing = { args, named };
  return [
    ...scalarsOf(declared),
    ...statements.flatMap(writeEnum),
    ...statements.flatMap((each) => writeUnion(each, named)),
    ...kinds.map((each) => writeType(each, kindOf(each, interfaces), writing)),
  ].join('\n');
}

interface Writing {
  readonly args: ReadonlyMap<string, Declared>;
  readonly named: ReadonlyMap<string, string>;
}

/** Some types of fields end in the same word. */
function isArguments({ name, members }: Declared): boolean {
  return name.endsWith('Args') && !members.some(({ key }) => key?.name === '__typename');
}

/** Only types of fields have a `__typename`, and interfaces are what others are made with. */
function kindOf({ name, members }: Declared, interfaces: ReadonlySet<string>): Kind {
  if (interfaces.has(name)) return 'interface';
  return members.some(({ key }) => key?.name === '__typename') ? 'type' : 'input';
}

function declaredBy(statement: Syntax): Declared[] {
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

function schemaName({ name, members }: Declared): string {
  const typename = members.find(({ key }) => key?.name === '__typename')?.typeAnnotation?.typeAnnotation;
  const value = typename?.literal?.value;
  return typeof value === 'string' ? value : name;
}

function scalarsOf(declared: readonly Declared[]): string[] {
  const scalars = declared.find(({ name }) => name === 'Scalars')?.members ?? [];
  return scalars.flatMap(({ key }) =>
    key?.name === undefined || BUILT_IN.includes(key.name) ? [] : [`scalar ${key.name}`],
  );
}

function writeEnum({ type, id, body }: Syntax): string[] {
  if (type !== 'TSEnumDeclaration') return [];
  const values = (body?.members ?? []).map(({ initializer }) => String(initializer?.value));
  return [`enum ${id?.name} { ${values.join(' ')} }`];
}

function writeUnion({ type, id, typeAnnotation }: Syntax, named: ReadonlyMap<string, string>): string[] {
  if (type !== 'TSTypeAliasDeclaration' || typeAnnotation?.type !== 'TSUnionType') return [];
  const members = (typeAnnotation.types ?? []).map(({ typeName }) => typeName?.name ?? '');
  // `Maybe` itself is a union, too, but of no types.
  return members.every((each) => named.has(each))
    ? [`union ${id?.name} = ${members.map((each) => named.get(each)).join(' | ')}`]
    : [];
}

function writeType(declared: Declared, kind: Kind, writing: Writing): string {
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
  return `${kind} ${schemaName(declared)}${heritage} { ${fields.join('\n')} }`;
}

function writeField({ key, optional, typeAnnotation }: Syntax, { named }: Writing, args = ''): string {
  const { text, nullable } = readType(typeAnnotation?.typeAnnotation, named);
  return `${key?.name}${args}: ${text}${nullable || optional === true ? '' : '!'}`;
}

function readType(
  type: Syntax | undefined,
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
