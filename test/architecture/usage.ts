/**
 * Finds where source files create and test the values of a union, and where they write and read
 * fields.
 */
import type { Node, ObjectExpression } from 'oxc-parser';
import { everyNode, type SourceModule } from './source-module.ts';

/**
 * Finds the values that objects have under `key`, as in `{ type: 'attempt.spawned' }`. Includes
 * values behind a condition or a constant.
 */
export function findMadeTags(modules: readonly SourceModule[], key: string): ReadonlySet<string> {
  const tags = modules.flatMap((module) => {
    const constants = findConstants(module);
    return objectsIn(module)
      .flatMap((object) => valuesOf(object, key))
      .flatMap((value) => [...literalsIn(value, constants)]);
  });
  return new Set(tags);
}

/** Finds the values that a `case` or a comparison expects under `key`. */
export function findTestedTags(modules: readonly SourceModule[], key: string): ReadonlySet<string> {
  const tags = modules.flatMap(({ program }) =>
    [...everyNode(program)].flatMap((node) => {
      if (node.type === 'SwitchStatement' && isNamed(node.discriminant, key))
        return node.cases.flatMap(({ test }) => (test === null ? [] : [...literalsIn(test)]));
      if (node.type !== 'BinaryExpression' || !/^[!=]==$/.test(node.operator)) return [];
      if (isNamed(node.left, key)) return [...literalsIn(node.right)];
      return isNamed(node.right, key) ? [...literalsIn(node.left)] : [];
    }),
  );
  return new Set(tags);
}

/** Names of the properties in object literals. */
export function findWrittenNames(modules: readonly SourceModule[]): ReadonlySet<string> {
  return new Set(
    modules.flatMap((module) =>
      objectsIn(module).flatMap(({ properties }) =>
        properties.flatMap((property) =>
          property.type === 'Property' ? (nameOf(property.key, property.computed) ?? []) : [],
        ),
      ),
    ),
  );
}

/** String literals outside of types. */
export function findLiterals(modules: readonly SourceModule[]): ReadonlySet<string> {
  return new Set(
    modules.flatMap(({ program }) =>
      [...everyNode(program)].flatMap((node) =>
        node.type === 'Literal' && typeof node.value === 'string' ? [node.value] : [],
      ),
    ),
  );
}

/** Names of the members of an interface. */
export function findMembers(modules: readonly SourceModule[], name: string): readonly string[] {
  return modules
    .flatMap(({ program }) => [...everyNode(program)])
    .flatMap((node) =>
      node.type === 'TSInterfaceDeclaration' && node.id.name === name ? node.body.body : [],
    )
    .flatMap((member) =>
      member.type === 'TSPropertySignature' ? (nameOf(member.key, member.computed) ?? []) : [],
    );
}

/** Long names of the options that commands declare, by `.option(flags)` or `new Option(flags)`. */
export function findOptionNames(modules: readonly SourceModule[]): readonly string[] {
  return modules
    .flatMap(({ program }) => [...everyNode(program)])
    .flatMap((node) => {
      const isDeclaration =
        (node.type === 'CallExpression' && isNamed(node.callee, 'option')) ||
        (node.type === 'NewExpression' && isNamed(node.callee, 'Option'));
      if (!isDeclaration) return [];
      const [flags] = node.arguments;
      const text = flags?.type === 'Literal' && typeof flags.value === 'string' ? flags.value : '';
      return /--(?:no-)?([a-z-]+)/.exec(text)?.[1] ?? [];
    });
}

/** Names that are read from an object: `x.name`, `x['name']`, `const { name } = x`. */
export function findReadNames(modules: readonly SourceModule[]): ReadonlySet<string> {
  return new Set(modules.flatMap(({ program }) => [...everyNode(program)].flatMap(readIn)));
}

function readIn(node: Node): readonly string[] {
  if (node.type === 'MemberExpression') return [nameOf(node.property, node.computed) ?? []].flat();
  if (node.type !== 'ObjectPattern') return [];
  return node.properties.flatMap((property) =>
    property.type === 'Property' ? (nameOf(property.key, property.computed) ?? []) : [],
  );
}

function nameOf(key: Node, computed: boolean): string | undefined {
  if (key.type === 'Literal' && typeof key.value === 'string') return key.value;
  return key.type === 'Identifier' && !computed ? key.name : undefined;
}

function objectsIn({ program }: SourceModule): readonly ObjectExpression[] {
  return [...everyNode(program)].filter((node) => node.type === 'ObjectExpression');
}

function valuesOf({ properties }: ObjectExpression, key: string): readonly Node[] {
  return properties.flatMap((property) =>
    property.type === 'Property' && nameOf(property.key, property.computed) === key ? [property.value] : [],
  );
}

/** Returns constants by name. If several scopes declare the same name, all of them are included. */
function findConstants({ program }: SourceModule): ReadonlyMap<string, readonly Node[]> {
  const named = [...everyNode(program)].flatMap((node): [string, Node][] =>
    node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init !== null
      ? [[node.id.name, node.init]]
      : [],
  );
  const grouped = Map.groupBy(named, ([name]) => name);
  return new Map([...grouped].map(([name, all]) => [name, all.map(([, init]) => init)]));
}

function* literalsIn(
  value: Node,
  constants: ReadonlyMap<string, readonly Node[]> = new Map(),
): Generator<string> {
  switch (value.type) {
    case 'Literal':
      if (typeof value.value === 'string') yield value.value;
      break;
    case 'ConditionalExpression':
      yield* literalsIn(value.consequent, constants);
      yield* literalsIn(value.alternate, constants);
      break;
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      yield* literalsIn(value.expression, constants);
      break;
    case 'Identifier':
      for (const init of constants.get(value.name) ?? []) yield* literalsIn(init);
      break;
    default:
  }
}

function isNamed(node: Node, key: string): boolean {
  if (node.type === 'ChainExpression') return isNamed(node.expression, key);
  if (node.type === 'MemberExpression') return nameOf(node.property, node.computed) === key;
  return node.type === 'Identifier' && node.name === key;
}
