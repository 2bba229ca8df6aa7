/** Restricts `process.exit` to the CLI entry point and `process.env` to the configuration. */
import type { Node } from 'oxc-parser';
import { findFreeReferences } from './free-references.ts';
import { MAY_EXIT, MAY_READ_ENVIRONMENT } from './rules.ts';
import { everyNode, lineOf, type SourceModule } from './source-module.ts';
import type { Violation } from './violation.ts';

export function checkProcessUse(module: SourceModule): readonly Violation[] {
  return findProcessUses(module).flatMap(({ member, node }): Violation[] => {
    const location = { file: module.path, line: lineOf(module, node) };
    if (member === 'exit' && !MAY_EXIT.test(module.path)) {
      const next = 'return an exit code or throw; only src/cli/main.ts ends the process';
      return [{ rule: 'process exit', ...location, wrong: 'uses process.exit', next }];
    }
    if (member === 'env' && !MAY_READ_ENVIRONMENT.test(module.path)) {
      const next = 'take the value as an argument; only src/config/ and src/cli/main.ts read the environment';
      return [{ rule: 'process environment', ...location, wrong: 'uses process.env', next }];
    }
    return [];
  });
}

interface ProcessUse {
  readonly member: string;
  readonly node: Node;
}

function findProcessUses(module: SourceModule): readonly ProcessUse[] {
  const nodes = [...everyNode(module.program)];
  const globals = new Set(findFreeReferences(module.program).map(({ node }) => node));
  const imported = new Set(nodes.flatMap(listProcessNames));

  const isProcess = (node: Node | null): boolean => {
    if (node?.type === 'Identifier') {
      return imported.has(node.name) || (node.name === 'process' && globals.has(node));
    }
    return node?.type === 'MemberExpression' && toMemberName(node) === 'process' && globals.has(node.object);
  };

  return nodes.flatMap((node): ProcessUse[] => {
    if (node.type === 'MemberExpression' && isProcess(node.object))
      return [{ member: toMemberName(node), node }];
    if (node.type === 'VariableDeclarator' && isProcess(node.init))
      return listDestructuredMembers(node.id, node);
    return isImportOfProcess(node) ? listImportedMembers(node) : [];
  });
}

function isImportOfProcess(node: Node): boolean {
  return node.type === 'ImportDeclaration' && /^(?:node:)?process$/.test(node.source.value);
}

/** `import process from 'node:process'` and `import * as process …` bind the whole process object. */
function listProcessNames(node: Node): readonly string[] {
  if (node.type !== 'ImportDeclaration' || !isImportOfProcess(node)) return [];
  return node.specifiers.flatMap(({ type, local }) => (type === 'ImportSpecifier' ? [] : [local.name]));
}

function listImportedMembers(node: Node): ProcessUse[] {
  if (node.type !== 'ImportDeclaration') return [];
  return node.specifiers.flatMap((specifier) =>
    specifier.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier'
      ? [{ member: specifier.imported.name, node }]
      : [],
  );
}

/** Finds the members in `const { env } = process`. */
function listDestructuredMembers(pattern: Node, node: Node): ProcessUse[] {
  if (pattern.type !== 'ObjectPattern') return [];
  return pattern.properties.flatMap((property) =>
    property.type === 'Property' && property.key.type === 'Identifier'
      ? [{ member: property.key.name, node }]
      : [],
  );
}

function toMemberName(node: Node): string {
  if (node.type !== 'MemberExpression') return '';
  const { property } = node;
  if (property.type === 'Identifier' && !node.computed) return property.name;
  return property.type === 'Literal' ? String(property.value) : '';
}
