/** Keeps `process.exit` and `process.env` where they belong: the command line's entry, and the configuration. */
import type { Node } from 'oxc-parser';
import { freeReferences } from './free-references.ts';
import { MAY_EXIT, MAY_READ_ENVIRONMENT } from './rules.ts';
import { everyNode, lineOf, type SourceModule } from './source-module.ts';
import type { Violation } from './violation.ts';

export function checkProcessUse(module: SourceModule): readonly Violation[] {
  return usesOfProcess(module).flatMap(({ member, node }): Violation[] => {
    const place = { file: module.path, line: lineOf(module, node) };
    if (member === 'exit' && !MAY_EXIT.test(module.path)) {
      const next = 'return an exit code or throw; only src/cli/main.ts ends the process';
      return [{ rule: 'process exit', ...place, wrong: 'uses process.exit', next }];
    }
    if (member === 'env' && !MAY_READ_ENVIRONMENT.test(module.path)) {
      const next =
        'take the value as an argument; only src/config*/ and src/cli/main.ts read the environment';
      return [{ rule: 'process environment', ...place, wrong: 'uses process.env', next }];
    }
    return [];
  });
}

interface Use {
  readonly member: string;
  readonly node: Node;
}

function usesOfProcess(module: SourceModule): readonly Use[] {
  const nodes = [...everyNode(module.program)];
  const globals = new Set(freeReferences(module.program).map(({ node }) => node));
  const imported = new Set(nodes.flatMap(namesForTheProcess));

  const isProcess = (node: Node | null): boolean => {
    if (node?.type === 'Identifier') {
      return imported.has(node.name) || (node.name === 'process' && globals.has(node));
    }
    return node?.type === 'MemberExpression' && memberOf(node) === 'process' && globals.has(node.object);
  };

  return nodes.flatMap((node): Use[] => {
    if (node.type === 'MemberExpression' && isProcess(node.object)) return [{ member: memberOf(node), node }];
    if (node.type === 'VariableDeclarator' && isProcess(node.init)) return takenApart(node.id, node);
    return isImportOfProcess(node) ? importedMembers(node) : [];
  });
}

function isImportOfProcess(node: Node): boolean {
  return node.type === 'ImportDeclaration' && /^(?:node:)?process$/.test(node.source.value);
}

/** `import process from 'node:process'` and `import * as process …` give the whole of it a name. */
function namesForTheProcess(node: Node): readonly string[] {
  if (node.type !== 'ImportDeclaration' || !isImportOfProcess(node)) return [];
  return node.specifiers.flatMap(({ type, local }) => (type === 'ImportSpecifier' ? [] : [local.name]));
}

function importedMembers(node: Node): Use[] {
  if (node.type !== 'ImportDeclaration') return [];
  return node.specifiers.flatMap((specifier) =>
    specifier.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier'
      ? [{ member: specifier.imported.name, node }]
      : [],
  );
}

/** `const { env } = process` */
function takenApart(pattern: Node, node: Node): Use[] {
  if (pattern.type !== 'ObjectPattern') return [];
  return pattern.properties.flatMap((property) =>
    property.type === 'Property' && property.key.type === 'Identifier'
      ? [{ member: property.key.name, node }]
      : [],
  );
}

function memberOf(node: Node): string {
  if (node.type !== 'MemberExpression') return '';
  const { property } = node;
  if (property.type === 'Identifier' && !node.computed) return property.name;
  return property.type === 'Literal' ? String(property.value) : '';
}
