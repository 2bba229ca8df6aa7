/** Keeps the dashboard small and its text harmless: few packages, and no way for text to become markup or code. */
import { freeReferences } from './free-references.ts';
import { importsOf } from './imports.ts';
import { MARKUP_NAMES, WEB_PACKAGES, WEB_SOURCES } from './rules.ts';
import { everyNode, lineOf, type SourceModule } from './source-module.ts';
import type { Violation } from './violation.ts';

export function checkWeb(module: SourceModule): readonly Violation[] {
  if (!module.path.startsWith(WEB_SOURCES)) return [];
  return [...foreignPackages(module), ...ways(module)];
}

function foreignPackages(module: SourceModule): readonly Violation[] {
  return importsOf(module)
    .filter(({ specifier = '.' }) => !specifier.startsWith('.') && !WEB_PACKAGES.includes(specifier))
    .map(({ specifier, line }) => ({
      rule: 'web package',
      file: module.path,
      line,
      wrong: `imports ${specifier}, which every browser would load`,
      next: `use ${WEB_PACKAGES.join(', ')}, or write it`,
    }));
}

/** By name, wherever it stands: nothing else of a page is called so. */
function ways(module: SourceModule): readonly Violation[] {
  const nodes = [...everyNode(module.program)].filter(
    (node) =>
      (node.type === 'Identifier' || node.type === 'JSXIdentifier') &&
      MARKUP_NAMES.members.includes(node.name),
  );
  const globals = freeReferences(module.program)
    .filter(({ name }) => MARKUP_NAMES.globals.includes(name))
    .map(({ node }) => node);
  return [...nodes, ...globals].map((node) => ({
    rule: 'web markup',
    file: module.path,
    line: lineOf(module, node),
    wrong: `uses ${'name' in node ? String(node.name) : '?'}, by which text becomes markup or code`,
    next: 'let React show it as text',
  }));
}
