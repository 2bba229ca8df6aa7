/** Keeps clocks, timers, randomness, I/O and exceptions out of the pure rooms. */
import type { Node } from 'oxc-parser';
import { freeReferences, type Reference } from './free-references.ts';
import { importsOf } from './imports.ts';
import { IMPURE_GLOBALS, PURE_PACKAGES, PURE_ROOMS } from './rules.ts';
import { everyNode, lineOf, type SourceModule } from './source-module.ts';
import type { Rule, Violation } from './violation.ts';

export function checkPurity(module: SourceModule): readonly Violation[] {
  const room = module.path.split('/')[1] ?? '';
  if (!PURE_ROOMS.includes(room)) return [];
  const violation = (rule: Rule, line: number, wrong: string, next: string): Violation => ({
    rule,
    file: module.path,
    line,
    wrong,
    next,
  });

  const imports = importsOf(module).flatMap(({ specifier, names, line }) =>
    impureImports(specifier, names).map((wrong) =>
      violation('pure import', line, `${room} is pure but imports ${wrong}`, 'take the value as an argument'),
    ),
  );
  const globals = freeReferences(module.program).flatMap((reference) =>
    impureGlobal(reference).map((name) =>
      violation(
        'pure global',
        lineOf(module, reference.node),
        `${room} is pure but uses ${name}`,
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
        `${room} is pure but throws`,
        'return a Result with a fault',
      ),
    );
  return [...imports, ...globals, ...throws];
}

function impureImports(
  specifier: string | undefined,
  names: readonly string[] | undefined,
): readonly string[] {
  if (specifier === undefined || specifier.startsWith('.') || specifier.startsWith('/')) return [];
  const allowed = Object.hasOwn(PURE_PACKAGES, packageOf(specifier))
    ? PURE_PACKAGES[packageOf(specifier)]
    : [];
  if (allowed === 'everything') return [];
  if (allowed === undefined || allowed.length === 0) return [specifier];
  if (names === undefined) return [`all of ${specifier}`];
  return names.filter((name) => !allowed.includes(name)).map((name) => `${name} of ${specifier}`);
}

/** `zod/v4` is part of `zod`, `@scope/name/part` of `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function impureGlobal({ name, node, parent }: Reference): readonly string[] {
  if (IMPURE_GLOBALS.includes(name)) return [name];
  return name === 'Math' && mayDrawRandomness(node, parent) ? ['Math.random'] : [];
}

/** Handing `Math` on, taking it apart or computing a name of it could reach `random` too. */
function mayDrawRandomness(node: Node, parent: Node): boolean {
  if (parent.type !== 'MemberExpression' || parent.object !== node || parent.computed) return true;
  return parent.property.name === 'random';
}
