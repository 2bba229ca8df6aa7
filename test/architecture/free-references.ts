/** Finds the names a module uses without declaring them: its references to globals. */
import { type Node, type Program, visitorKeys } from 'oxc-parser';
import { childrenAt } from './source-module.ts';

export interface Reference {
  readonly name: string;
  readonly node: Node;
  readonly parent: Node;
}

/**
 * Returns the references to globals. Ignores globals that are used only as a type, because types
 * are erased before anything runs.
 */
export function findFreeReferences(program: Program): readonly Reference[] {
  const found: Reference[] = [];
  const visit = (node: Node, parent: Node, declared: readonly ReadonlySet<string>[]): void => {
    if (node.type === 'Identifier' && !declared.some((names) => names.has(node.name))) {
      found.push({ name: node.name, node, parent });
    }
    const inner = SCOPES.has(node.type) ? [...declared, namesDeclaredIn(node)] : declared;
    for (const child of valueChildren(node)) visit(child, node, inner);
  };
  visit(program, program, []);
  return found;
}

const SCOPES: ReadonlySet<string> = new Set([
  'Program',
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassDeclaration',
  'ClassExpression',
  'StaticBlock',
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
  'CatchClause',
]);

/**
 * Returns the names that a scope declares. Treats a `var` as declared only in its block. Its real
 * scope is wider, so this can report too much but never too little.
 */
function namesDeclaredIn(scope: Node): ReadonlySet<string> {
  const patterns: Node[] = [...boundWithin(scope)];
  const collect = (node: Node): void => {
    patterns.push(...boundAround(node));
    if (!SCOPES.has(node.type)) runningChildren(node).forEach(collect);
  };
  runningChildren(scope).forEach(collect);
  return new Set(patterns.flatMap(namesIn));
}

/** Returns the names that a function, a class or a `catch` declares inside itself. */
function boundWithin(scope: Node): readonly Node[] {
  if (scope.type === 'CatchClause') return childrenAt(scope, 'param');
  return [...childrenAt(scope, 'id'), ...childrenAt(scope, 'params')];
}

/** Returns the names that a node declares in its surrounding scope. */
function boundAround(node: Node): readonly Node[] {
  switch (node.type) {
    case 'VariableDeclarator':
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return childrenAt(node, 'id');
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
      return [node.local];
    default:
      return [];
  }
}

function namesIn(pattern: Node): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        namesIn(property.type === 'RestElement' ? property : property.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : namesIn(element)));
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
    default:
      return [];
  }
}

/**
 * Returns the children that are evaluated, which excludes types and the plain names of properties,
 * labels, imports and exports.
 */
function valueChildren(node: Node): readonly Node[] {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return [];
  if (node.type === 'ExportNamedDeclaration' && (node.source !== null || node.exportKind === 'type'))
    return [];
  if (node.type === 'MetaProperty') return [];
  const plainName = 'computed' in node && node.computed ? undefined : PLAIN_NAMES[node.type];
  return runningChildren(node, plainName);
}

function runningChildren(node: Node, except?: string): readonly Node[] {
  return (visitorKeys[node.type] ?? [])
    .filter((key) => key !== except)
    .flatMap((key) => childrenAt(node, key))
    .filter((child) => !isErased(child));
}

/**
 * Key under which each type of node stores a name that is not a reference, unless the name is
 * computed.
 */
const PLAIN_NAMES: Readonly<Record<string, string>> = {
  MemberExpression: 'property',
  Property: 'key',
  MethodDefinition: 'key',
  PropertyDefinition: 'key',
  AccessorProperty: 'key',
  LabeledStatement: 'label',
  BreakStatement: 'label',
  ContinueStatement: 'label',
  ExportSpecifier: 'exported',
};

/** TypeScript wrappers around an expression that runs. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
]);

function isErased(node: Node): boolean {
  if (node.type.startsWith('TS')) return !WRAPPERS.has(node.type);
  if (node.type === 'ExportSpecifier') return node.exportKind === 'type';
  return 'declare' in node && node.declare === true;
}
