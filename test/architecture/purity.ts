/** Keeps clocks, timers, randomness, I/O and exceptions out of pure modules. */
import type { Node } from 'oxc-parser';
import { findFreeReferences, type Reference } from './free-references.ts';
import { findModule } from './import-directions.ts';
import { listImports } from './imports.ts';
import { IMPURE_GLOBALS, PURE_MODULES, PURE_PACKAGES } from './rules.ts';
import { everyNode, lineOf, type SourceModule } from './source-module.ts';
import type { Rule, Violation } from './violation.ts';

export function checkPurity(module: SourceModule): readonly Violation[] {
  const pure = findModule(module.path);
  if (pure === undefined || !PURE_MODULES.includes(pure)) return [];
  const violation = (rule: Rule, line: number, wrong: string, next: string): Violation => ({
    rule,
    file: module.path,
    line,
    wrong,
    next,
  });

  const imports = listImports(module).flatMap(({ specifier, names, line }) =>
    findImpureImports(specifier, names).map((wrong) =>
      violation('pure import', line, `${pure} is pure but imports ${wrong}`, 'take the value as an argument'),
    ),
  );
  const globals = findFreeReferences(module.program).flatMap((reference) =>
    findImpureGlobal(reference).map((name) =>
      violation(
        'pure global',
        lineOf(module, reference.node),
        `${pure} is pure but uses ${name}`,
        'take the value as an argument',
      ),
    ),
  );
  const throws = [...everyNode(module.program)]
    .filter((node) => node.type === 'ThrowStatement')
    .map((node) =>
      violation(
        'pure throw',
        lineOf(module, node),
        `${pure} is pure but throws`,
        'return a Result with a fault',
      ),
    );
  return [...imports, ...globals, ...throws];
}

function findImpureImports(
  specifier: string | undefined,
  names: readonly string[] | undefined,
): readonly string[] {
  if (specifier === undefined || specifier.startsWith('.') || specifier.startsWith('/')) return [];
  const allowed = Object.hasOwn(PURE_PACKAGES, toPackageName(specifier))
    ? PURE_PACKAGES[toPackageName(specifier)]
    : [];
  if (allowed === 'everything') return [];
  if (allowed === undefined || allowed.length === 0) return [specifier];
  if (names === undefined) return [`all of ${specifier}`];
  return names.filter((name) => !allowed.includes(name)).map((name) => `${name} of ${specifier}`);
}

/** Returns the package of an import: `zod` for `zod/v4`, `@scope/name` for `@scope/name/part`. */
function toPackageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function findImpureGlobal({ name, node, parent }: Reference): readonly string[] {
  if (IMPURE_GLOBALS.includes(name)) return [name];
  return name === 'Math' && mayUseRandomness(node, parent) ? ['Math.random'] : [];
}

/**
 * Returns whether the node might use `Math.random`. Passing `Math` on, destructuring it or
 * computing a member name could reach `random` too.
 */
function mayUseRandomness(node: Node, parent: Node): boolean {
  if (parent.type !== 'MemberExpression' || parent.object !== node || parent.computed) return true;
  return parent.property.name === 'random';
}
