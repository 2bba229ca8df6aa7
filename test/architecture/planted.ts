/** Violations planted on purpose, at least one for each rule: what the checker must say about each, word for word. */
import type { Rule } from './violation.ts';

interface Planted {
  readonly path: string;
  /** What stands below the opening sentence, so its first line is line 2. */
  readonly code: string;
  /** Only to plant a wrong opening. */
  readonly opening?: string;
  readonly complaint: string;
}

const MAP = 'test/architecture/rules.ts';
const MOVE = `move the code to the room it belongs to, or let the caller pass it in (map: ${MAP})`;
const PASS_IN = 'take the value as an argument';
const OWNER = 'keep it in what the composition root creates and closes';

const arrow = (path: string, target: string, may: string, code: string): Planted => ({
  path,
  code,
  complaint: `${path}:2 [arrow] ${path.split('/')[1]} imports ${target}, but ${path.split('/')[1]} may import ${may}; ${MOVE}`,
});

const pureGlobal = (name: string, code: string): Planted => ({
  path: 'src/health/x.ts',
  code,
  complaint: `src/health/x.ts:2 [pure global] health is pure but uses ${name}; ${PASS_IN}`,
});

const pureImport = (what: string, code: string): Planted => ({
  path: 'src/swarm/x.ts',
  code,
  complaint: `src/swarm/x.ts:2 [pure import] swarm is pure but imports ${what}; ${PASS_IN}`,
});

const exit = (code: string): Planted => ({
  path: 'src/http/x.ts',
  code,
  complaint:
    'src/http/x.ts:2 [process exit] uses process.exit; return an exit code or throw; only src/cli/main.ts ends the process',
});

const environment = (code: string): Planted => ({
  path: 'src/daemon/x.ts',
  code,
  complaint:
    'src/daemon/x.ts:2 [process environment] uses process.env; take the value as an argument; only src/config*/ and src/cli/main.ts read the environment',
});

const opening = (text: string): Planted => ({
  path: 'src/domain/x.ts',
  opening: text,
  code: '',
  complaint:
    'src/domain/x.ts:1 [opening sentence] does not open with a /** … */ comment; say in one sentence what the module is for',
});

const state = (what: string, code: string): Planted => ({
  path: 'src/daemon/x.ts',
  code,
  complaint: `src/daemon/x.ts:2 [module state] has ${what} at module level; ${OWNER}`,
});

const markup = (name: string, code: string): Planted => ({
  path: 'web/src/x.tsx',
  code,
  complaint: `web/src/x.tsx:2 [web markup] uses ${name}, by which text becomes markup or code; let React show it as text`,
});

const emptyName = (path: string, word: string): Planted => ({
  path,
  code: '',
  complaint: `${path}:1 [empty name] is named "${word}", which says nothing; name it after what it does`,
});

export const PLANTED: Readonly<Record<Rule, readonly Planted[]>> = {
  syntax: [
    {
      path: 'src/domain/x.ts',
      code: 'const = 1;',
      complaint: 'src/domain/x.ts:1 [syntax] cannot be parsed: Unexpected token; correct the syntax first',
    },
  ],
  'unknown room': [
    {
      path: 'src/attic/x.ts',
      code: '',
      complaint: `src/attic/x.ts:1 [unknown room] "attic" is no known room; add it to the map in ${MAP}`,
    },
    {
      path: 'src/index.ts',
      code: '',
      complaint: `src/index.ts:1 [unknown room] "src/index.ts" is no known room; add it to the map in ${MAP}`,
    },
  ],
  arrow: [
    arrow('src/domain/x.ts', 'src/pipeline/y.ts', 'nothing of ours', "import { y } from '../pipeline/y.ts';"),
    arrow('src/pipeline/x.ts', 'src/health/y.ts', 'domain', "import type { Y } from '../health/y.ts';"),
    arrow('src/health/x.ts', 'src/swarm/y.ts', 'domain', "export * from '../swarm/y.ts';"),
    arrow(
      'src/swarm/x.ts',
      'src/journal/journal.ts',
      'domain, pipeline, health',
      "type Journal = import('../journal/journal.ts').Journal;",
    ),
    arrow(
      'src/lib/x.ts',
      'src/domain/issue.ts',
      'faults',
      "import type { Issue } from '../domain/issue.ts';",
    ),
    arrow('src/lib/fs/x.ts', 'src/git/y.ts', 'faults', "import { y } from '../../git/y.ts';"),
    arrow(
      'src/journal/x.ts',
      'src/ports/tracker.ts',
      'lib, domain, sqlite',
      "export { y } from '../trackers/tracker.ts';",
    ),
    arrow(
      'src/daemon/perform/x.ts',
      'src/journal/sqlite/open.ts',
      'domain, pipeline, health, swarm, protocol, ports, lib',
      "const late = () => import('../../journal/sqlite/open.ts');",
    ),
    arrow(
      'src/daemon/x.ts',
      'src/daemon/main.ts',
      'domain, pipeline, health, swarm, protocol, ports, lib',
      "import { compose } from './compose.ts';",
    ),
    arrow(
      'src/http/x.ts',
      'src/daemon/main.ts',
      'lib, domain, protocol, daemon',
      "import '../daemon/compose.ts';",
    ),
    arrow(
      'src/mcp/x.ts',
      'src/cli/y.ts',
      'lib, domain, protocol, speech',
      "import { y } from '../cli/y.ts';",
    ),
    arrow(
      'src/sim/x.ts',
      'src/agents/codex/y.ts',
      'domain, pipeline, health, swarm, protocol, daemon, ports, lib',
      "import { y } from '../agents/codex/y.ts';",
    ),
    {
      path: 'web/src/deep/x.tsx',
      code: "import { y } from '../../../src/cli/y.ts';",
      complaint: `web/src/deep/x.tsx:2 [arrow] web imports src/cli/y.ts, but web may import lib, domain, protocol; ${MOVE}`,
    },
  ],
  'web package': ['zod', 'node:fs', 'react-dom/server'].map((name) => ({
    path: 'web/src/x.tsx',
    code: `import { y } from '${name}';`,
    complaint: `web/src/x.tsx:2 [web package] imports ${name}, which every browser would load; use react, react-dom, react-dom/client, @tanstack/react-query, @tanstack/react-virtual, wouter, wouter/use-browser-location, markdown-to-jsx/react, or write it`,
  })),
  'web markup': [
    markup('dangerouslySetInnerHTML', 'export const X = (p: P) => <p dangerouslySetInnerHTML={p.html} />;'),
    markup('dangerouslySetInnerHTML', 'export const props = { dangerouslySetInnerHTML: 1 };'),
    markup('innerHTML', 'export const f = (it: Element, text: string) => { it.innerHTML = text; };'),
    markup('insertAdjacentHTML', "export const f = (it: Element) => it.insertAdjacentHTML('x', 'y');"),
    markup('eval', "export const f = () => eval('1');"),
    markup('Function', "export const f = new Function('return 1');"),
    markup('DOMParser', 'export const f = () => new DOMParser();'),
  ],
  implementation: [
    {
      path: 'src/journal/sqlite/x.ts',
      code: "import { y } from '../postgres/y.ts';",
      complaint:
        'src/journal/sqlite/x.ts:2 [implementation] journal/sqlite imports src/journal/postgres/y.ts of journal/postgres; put what both need directly into src/journal/',
    },
    {
      path: 'src/ports/forge.ts',
      code: "import { y } from './github/y.ts';",
      complaint:
        'src/ports/forge.ts:2 [implementation] the port imports src/forges/github/y.ts of forges/github; put what both need directly into src/forges/',
    },
  ],
  'outside src': ['test', 'bench', 'scripts', 'web'].map((folder) => ({
    path: 'src/cli/x.ts',
    code: `import { y } from '../../${folder}/y.ts';`,
    complaint: `src/cli/x.ts:2 [outside src] imports ${folder}/y.ts; move what is needed into src/`,
  })),
  'hidden import': [
    {
      path: 'src/agents/x.ts',
      code: 'export const load = (name: string) => import(name);',
      complaint:
        'src/agents/x.ts:2 [hidden import] imports a computed path; write the path as a plain string',
    },
  ],
  'pure import': [
    pureImport('node:fs', "import { readFileSync } from 'node:fs';"),
    pureImport('fs', "import type { Stats } from 'fs';"),
    pureImport('@clack/prompts', "import { text } from '@clack/prompts';"),
    pureImport('v7 of uuid', "import { v5, v7 } from 'uuid';"),
    pureImport('all of uuid', "import * as uuid from 'uuid';"),
  ],
  'pure global': [
    pureGlobal('Date', 'export const now = () => Date.now();'),
    pureGlobal('Date', 'export const made = (at: number) => new Date(at) as Date;'),
    pureGlobal('setTimeout', 'setTimeout(() => undefined, 1);'),
    pureGlobal('setInterval', 'export const later = setInterval;'),
    pureGlobal('setImmediate', 'setImmediate(() => undefined);'),
    pureGlobal('queueMicrotask', 'queueMicrotask(() => undefined);'),
    pureGlobal('process', 'export const pid = process.pid;'),
    pureGlobal('console', "console.log('x');"),
    pureGlobal('fetch', "export const get = () => fetch('x');"),
    pureGlobal('performance', 'export const at = performance.now();'),
    pureGlobal('crypto', 'export const id = crypto.randomUUID();'),
    pureGlobal('globalThis', 'export const sneaky = globalThis;'),
    pureGlobal('Buffer', "export const bytes = Buffer.from('x');"),
    pureGlobal('Math.random', 'export const draw = () => Math.random();'),
    pureGlobal('Math.random', "export const draw = () => Math['random']();"),
    pureGlobal('Math.random', 'export const { random } = Math;'),
    pureGlobal('Date', 'export const clock = { Date };'),
    pureGlobal(
      'Date',
      'export function f(at = Date.now()) { const g = (Date: number) => Date; return g(at); }',
    ),
    pureGlobal('Date', 'export class Clock { static [Date.name] = 1; }'),
  ],
  'pure throw': [
    {
      path: 'src/domain/x.ts',
      code: "export function f() { throw new Error('x'); }",
      complaint: 'src/domain/x.ts:2 [pure throw] domain is pure but throws; return a Result with a fault',
    },
  ],
  'module state': [
    state('`let`', 'let count = 0;'),
    state('`let`', 'export let count = 0;'),
    state('`var`', 'var count = 0;'),
    state('an empty Map', 'const cache = new Map<string, number>();'),
  ],
  'process exit': [
    exit('export const stop = () => process.exit(1);'),
    exit("import { exit } from 'node:process';"),
    exit("import self from 'node:process'; self.exit(1);"),
  ],
  'process environment': [
    environment('export const home = process.env.HOME;'),
    environment("export const home = process['env'];"),
    environment('const { env } = process;'),
    environment('export const home = globalThis.process.env.HOME;'),
  ],
  'file size': [
    {
      path: 'src/daemon/x.ts',
      code: '// line\n'.repeat(300),
      complaint:
        'src/daemon/x.ts:301 [file size] has 301 lines, more than 300; give each behaviour a file of its own',
    },
  ],
  'opening sentence': ['', 'const x = 1;', '// a line', '/* a block */', '/** */', '\n/** late */'].map(
    opening,
  ),
  'empty name': [
    emptyName('src/daemon/helpers/x.ts', 'helpers'),
    emptyName('src/daemon/session-manager.ts', 'manager'),
    emptyName('src/http/utils.ts', 'utils'),
    emptyName('src/http/common.ts', 'common'),
    emptyName('src/http/misc.json', 'misc'),
  ],
};
