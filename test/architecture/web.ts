/** Keeps the dashboard small and safe: few packages, and no API that turns text into markup or code. */
import { findFreeReferences } from './free-references.ts';
import { listImports } from './imports.ts';
import { MARKUP_NAMES, WEB_PACKAGES, WEB_SOURCES } from './rules.ts';
import { everyNode, lineOf, type SourceModule } from './source-module.ts';
import type { Violation } from './violation.ts';

export function checkWeb(module: SourceModule): readonly Violation[] {
  if (!module.path.startsWith(WEB_SOURCES)) return [];
  return [...findForbiddenPackages(module), ...findMarkupUses(module)];
}

function findForbiddenPackages(module: SourceModule): readonly Violation[] {
  return listImports(module)
    .filter(({ specifier = '.' }) => !specifier.startsWith('.') && !WEB_PACKAGES.includes(specifier))
    .map(({ specifier, line }) => ({
      rule: 'web package',
      file: module.path,
      line,
      wrong: `imports ${specifier}, which every browser would download`,
      next: `use ${WEB_PACKAGES.join(', ')}, or write it yourself`,
    }));
}

/** Finds forbidden APIs by name alone, because pages use these names for nothing else. */
function findMarkupUses(module: SourceModule): readonly Violation[] {
  const nodes = [...everyNode(module.program)].filter(
    (node) =>
      (node.type === 'Identifier' || node.type === 'JSXIdentifier') &&
      MARKUP_NAMES.members.includes(node.name),
  );
  const globals = findFreeReferences(module.program)
    .filter(({ name }) => MARKUP_NAMES.globals.includes(name))
    .map(({ node }) => node);
  return [...nodes, ...globals].map((node) => ({
    rule: 'web markup',
    file: module.path,
    line: lineOf(module, node),
    wrong: `uses ${'name' in node ? String(node.name) : '?'}, which can turn text into markup or code`,
    next: 'let React render it as text',
  }));
}
