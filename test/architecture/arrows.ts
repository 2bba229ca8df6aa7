/** Holds every import between our files to the map of rooms. */
import { posix } from 'node:path';
import { importsOf } from './imports.ts';
import { ADAPTER_ROOMS, COMPOSITION_ROOT, FAULT_FILES, MAY_IMPORT, PORT_FILES } from './rules.ts';
import type { SourceModule } from './source-module.ts';
import type { Rule, Violation } from './violation.ts';

const THE_MAP = 'test/architecture/rules.ts';

export function checkArrows(module: SourceModule): readonly Violation[] {
  const from = module.path;
  const room = roomOf(from);
  const violation = (rule: Rule, line: number, wrong: string, next: string): Violation[] => [
    { rule, file: from, line, wrong, next },
  ];
  if (!Object.hasOwn(MAY_IMPORT, room)) {
    return violation('unknown room', 1, `"${room}" is no known room`, `add it to the map in ${THE_MAP}`);
  }

  return importsOf(module).flatMap(({ specifier, line }) => {
    if (specifier === undefined) {
      return violation('hidden import', line, 'imports a computed path', 'write the path as a plain string');
    }
    const to = ourFile(from, specifier);
    if (to === undefined) return [];
    if (roomOf(to) !== room && !to.startsWith('src/')) {
      return violation('outside src', line, `imports ${to}`, 'move what is needed into src/');
    }
    const target = roomOf(to);
    if (target === room) return implementationArrow(from, to, line);
    const allowed = MAY_IMPORT[room] ?? [];
    const isListed =
      (allowed.includes('ports') && PORT_FILES.includes(to)) ||
      (allowed.includes('faults') && FAULT_FILES.includes(to));
    if (allowed.includes(target) || isListed) return [];
    return violation(
      'arrow',
      line,
      `${room} imports ${to}, but ${room} may import ${allowed.join(', ') || 'nothing of ours'}`,
      `move the code to the room it belongs to, or let the caller pass it in (map: ${THE_MAP})`,
    );
  });
}

/** Within an adapter room, implementations stay apart, and a contract does not know who fulfils it. */
function implementationArrow(from: string, to: string, line: number): readonly Violation[] {
  const theirs = implementationOf(to);
  const ours = implementationOf(from);
  if (theirs === undefined || ours === theirs) return [];
  if (ours === undefined && !PORT_FILES.includes(from)) return [];
  return [
    {
      rule: 'implementation',
      file: from,
      line,
      wrong: `${ours ?? 'the port'} imports ${to} of ${theirs}`,
      next: `put what both need directly into src/${roomOf(from)}/`,
    },
  ];
}

/** `src/journal/sqlite/open.ts` is part of `journal/sqlite`; `src/journal/journal.ts` of none. */
function implementationOf(path: string): string | undefined {
  const [, room = '', folder, file] = path.split('/');
  return ADAPTER_ROOMS.includes(room) && file !== undefined ? `${room}/${folder}` : undefined;
}

function roomOf(path: string): string {
  if (COMPOSITION_ROOT.test(path)) return 'compose';
  if (path.startsWith('web/')) return 'web';
  const [, room = '', rest] = path.split('/');
  return rest === undefined ? path : room;
}

/** The path from the root, or undefined for a package or a part of Node. */
function ourFile(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('/') || specifier.startsWith('file:')) return specifier;
  if (!specifier.startsWith('.')) return undefined;
  return posix.join(posix.dirname(from), specifier);
}
