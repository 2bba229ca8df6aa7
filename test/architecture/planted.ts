/** Deliberate violations of every rule, each with the exact text that the check must report. */
import { COMMON_MODULES } from './rules.ts';
import type { Rule } from './violation.ts';

interface PlantedViolation {
  readonly path: string;
  /** Placed after the opening comment, so its first line is line 2. */
  readonly code: string;
  /** Number of other, valid files in the directory. */
  readonly siblings?: number;
  /** Set only to plant an invalid opening comment. */
  readonly opening?: string;
  readonly complaint: string;
}

const TABLE = 'test/architecture/rules.ts';
const MOVE = `move the code to the module it belongs to, or let the caller pass it in (table: ${TABLE})`;
const COMMON = COMMON_MODULES.join(', ');
const PASS_IN = 'take the value as an argument';
const OWNER = 'keep it in an object that the composition root creates and closes';

const direction = (
  path: string,
  module: string,
  target: string,
  allowed: string,
  code: string,
): PlantedViolation => ({
  path,
  code,
  complaint: `${path}:2 [import direction] ${module} imports ${target}, but ${module} may import ${allowed}; ${MOVE}`,
});

const pureGlobal = (name: string, code: string): PlantedViolation => ({
  path: 'src/core/health/x.ts',
  code,
  complaint: `src/core/health/x.ts:2 [pure global] core/health is pure but uses ${name}; ${PASS_IN}`,
});

const pureImport = (what: string, code: string): PlantedViolation => ({
  path: 'src/core/state/x.ts',
  code,
  complaint: `src/core/state/x.ts:2 [pure import] core/state is pure but imports ${what}; ${PASS_IN}`,
});

const exit = (code: string): PlantedViolation => ({
  path: 'src/http/x.ts',
  code,
  complaint:
    'src/http/x.ts:2 [process exit] uses process.exit; return an exit code or throw; only src/cli/main.ts ends the process',
});

const environment = (code: string): PlantedViolation => ({
  path: 'src/daemon/loop/x.ts',
  code,
  complaint:
    'src/daemon/loop/x.ts:2 [process environment] uses process.env; take the value as an argument; only src/config/ and src/cli/main.ts read the environment',
});

const opening = (text: string): PlantedViolation => ({
  path: 'src/core/model/x.ts',
  opening: text,
  code: '',
  complaint:
    'src/core/model/x.ts:1 [opening sentence] does not open with a /** … */ comment; say in one sentence what the module does',
});

const state = (what: string, code: string): PlantedViolation => ({
  path: 'src/daemon/loop/x.ts',
  code,
  complaint: `src/daemon/loop/x.ts:2 [module state] has ${what} at module level; ${OWNER}`,
});

const markup = (name: string, code: string): PlantedViolation => ({
  path: 'web/src/x.tsx',
  code,
  complaint: `web/src/x.tsx:2 [web markup] uses ${name}, which can turn text into markup or code; let React render it as text`,
});

const emptyName = (path: string, word: string): PlantedViolation => ({
  path,
  code: '',
  complaint: `${path}:1 [empty name] is named "${word}", which has no meaning; name it after its behaviour`,
});

export const PLANTED: Readonly<Record<Rule, readonly PlantedViolation[]>> = {
  syntax: [
    {
      path: 'src/core/model/x.ts',
      code: 'const = 1;',
      complaint:
        'src/core/model/x.ts:1 [syntax] cannot be parsed: Unexpected token; correct the syntax first',
    },
  ],
  'unknown module': [
    {
      path: 'src/attic/x.ts',
      code: '',
      complaint: `src/attic/x.ts:1 [unknown module] belongs to no known module; add its directory to ${TABLE}`,
    },
    {
      path: 'src/index.ts',
      code: '',
      complaint: `src/index.ts:1 [unknown module] belongs to no known module; add its directory to ${TABLE}`,
    },
  ],
  'import direction': [
    direction(
      'src/core/model/x.ts',
      'core/model',
      'src/core/pipeline/y.ts',
      'nothing of ours',
      "import { y } from '../pipeline/y.ts';",
    ),
    direction(
      'src/core/pipeline/x.ts',
      'core/pipeline',
      'src/core/health/y.ts',
      'core/model',
      "import type { Y } from '../health/y.ts';",
    ),
    direction(
      'src/core/state/x.ts',
      'core/state',
      'src/ports/journal.ts',
      'core/model, core/pipeline, core/health',
      "type Journal = import('../../ports/journal.ts').Journal;",
    ),
    direction(
      'src/ports/x.ts',
      'ports',
      'src/core/state/y.ts',
      'core/model',
      "export * from '../core/state/y.ts';",
    ),
    direction(
      'src/lib/x.ts',
      'lib',
      'src/core/model/issue.ts',
      'nothing of ours',
      "import type { Issue } from '../core/model/issue.ts';",
    ),
    direction('src/journal/x.ts', 'journal', 'src/git/y.ts', COMMON, "export { y } from '../git/y.ts';"),
    direction(
      'src/integrations/github/tracker/x.ts',
      'integrations/github',
      'src/integrations/linear/client/y.ts',
      `${COMMON}, git, integrations/forge-support, integrations/tracker-support, integrations/webhook-support`,
      "import { y } from '../../linear/client/y.ts';",
    ),
    direction(
      'src/agents/codex/x.ts',
      'agents/codex',
      'src/agents/opencode/y.ts',
      `${COMMON}, worker-client, agents, agents/runner`,
      "import { y } from '../opencode/y.ts';",
    ),
    direction(
      'src/daemon/context/x.ts',
      'daemon/context',
      'src/daemon/loop/y.ts',
      `${COMMON}, daemon/daemon`,
      "import type { Y } from '../loop/y.ts';",
    ),
    direction(
      'src/daemon/present/x.ts',
      'daemon/present',
      'src/journal/sqlite/y.ts',
      `${COMMON}, daemon/daemon, daemon/context`,
      "const late = () => import('../../journal/sqlite/y.ts');",
    ),
    direction(
      'src/daemon/worker-api/x.ts',
      'daemon/worker-api',
      'src/daemon/supervisor/y.ts',
      `${COMMON}, daemon/daemon, daemon/context, daemon/present, daemon/prompts, daemon/repositories, daemon/reports, daemon/merging`,
      "import { y } from '../supervisor/y.ts';",
    ),
    direction(
      'src/http/x.ts',
      'http',
      'src/daemon/main.ts',
      `${COMMON}, daemon/daemon`,
      "import '../daemon/main.ts';",
    ),
    direction(
      'src/worker-client/x.ts',
      'worker-client',
      'src/cli/y.ts',
      'core/model, protocol, lib',
      "import { y } from '../cli/y.ts';",
    ),
    {
      path: 'web/src/deep/x.tsx',
      code: "import { y } from '../../../src/cli/y.ts';",
      complaint: `web/src/deep/x.tsx:2 [import direction] web imports src/cli/y.ts, but web may import core/model, protocol, lib; ${MOVE}`,
    },
  ],
  'web package': ['zod', 'node:fs', 'react-dom/server'].map((name) => ({
    path: 'web/src/x.tsx',
    code: `import { y } from '${name}';`,
    complaint: `web/src/x.tsx:2 [web package] imports ${name}, which every browser would download; use react, react-dom, react-dom/client, @tanstack/react-query, @tanstack/react-virtual, wouter, wouter/use-browser-location, markdown-to-jsx/react, or write it yourself`,
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
      path: 'src/core/model/x.ts',
      code: "export function f() { throw new Error('x'); }",
      complaint:
        'src/core/model/x.ts:2 [pure throw] core/model is pure but throws; return a Result with a fault',
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
      path: 'src/daemon/loop/x.ts',
      code: '// line\n'.repeat(400),
      complaint:
        'src/daemon/loop/x.ts:401 [file size] has 401 lines, more than 400; give each purpose its own file',
    },
  ],
  'directory size': [
    {
      path: 'src/daemon/loop/x.ts',
      siblings: 25,
      code: '',
      complaint:
        'src/daemon/loop:1 [directory size] has 26 files, more than 25; group them into subdirectories',
    },
  ],
  'opening sentence': ['', 'const x = 1;', '// a line', '/* a block */', '/** */', '\n/** late */'].map(
    opening,
  ),
  'empty name': [
    emptyName('src/daemon/loop/helpers/x.ts', 'helpers'),
    emptyName('src/daemon/loop/session-manager.ts', 'manager'),
    emptyName('src/http/utils.ts', 'utils'),
    emptyName('src/http/common.ts', 'common'),
    emptyName('src/http/misc.json', 'misc'),
  ],
};
