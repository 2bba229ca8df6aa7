/** Checks every import between our files against the table of modules in rules.ts. */
import { posix } from 'node:path';
import { listImports } from './imports.ts';
import { COMMON_MODULES, DEFAULT_ERRORS, MAY_IMPORT } from './rules.ts';
import type { SourceModule } from './source-module.ts';
import type { Rule, Violation } from './violation.ts';

const TABLE = 'test/architecture/rules.ts';

export function checkImportDirections(module: SourceModule): readonly Violation[] {
  const from = module.path;
  const violation = (rule: Rule, line: number, wrong: string, next: string): Violation[] => [
    { rule, file: from, line, wrong, next },
  ];
  const ours = findModule(from);
  if (ours === undefined) {
    return violation('unknown module', 1, 'belongs to no known module', `add its directory to ${TABLE}`);
  }

  return listImports(module).flatMap(({ specifier, line }) => {
    if (specifier === undefined) {
      return violation('hidden import', line, 'imports a computed path', 'write the path as a plain string');
    }
    const to = resolveOwnFile(from, specifier);
    if (to === undefined) return [];
    const theirs = findModule(to);
    if (theirs === ours) return [];
    if (!to.startsWith('src/')) {
      return violation('outside src', line, `imports ${to}`, 'move what is needed into src/');
    }
    const allowed = listAllowedModules(ours);
    if (theirs !== undefined && allowed.includes(theirs)) return [];
    if (ours === 'lib' && DEFAULT_ERRORS.includes(to)) return [];
    return violation(
      'import direction',
      line,
      `${ours} imports ${to}, but ${ours} may import ${allowed.join(', ') || 'nothing of ours'}`,
      `move the code to the module it belongs to, or let the caller pass it in (table: ${TABLE})`,
    );
  });
}

/** Returns the module with the longest path that contains the file. */
export function findModule(path: string): string | undefined {
  if (path.startsWith('web/')) return 'web';
  const candidates = Object.keys(MAY_IMPORT).filter(
    (name) => path === `src/${name}.ts` || path.startsWith(`src/${name}/`),
  );
  return candidates.sort((a, b) => b.length - a.length)[0];
}

function listAllowedModules(module: string): readonly string[] {
  const allowed = MAY_IMPORT[module] ?? [];
  return allowed.flatMap((name) => (name === 'common' ? COMMON_MODULES : [name]));
}

/** Returns the path from the root, or undefined for a package or a Node module. */
function resolveOwnFile(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('/') || specifier.startsWith('file:')) return specifier;
  if (!specifier.startsWith('.')) return undefined;
  return posix.join(posix.dirname(from), specifier);
}
