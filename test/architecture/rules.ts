/**
 * The rules of the source tree as tables: its modules, the modules that each of them may import,
 * and other limits.
 */

const CORE: readonly string[] = ['core/model', 'core/pipeline', 'core/health', 'core/state'];

/**
 * Modules that run unchanged under the simulator's virtual clock, so they must not use anything
 * that differs there.
 */
export const PURE_MODULES: readonly string[] = [...CORE, 'protocol'];

/** The parts of the model that `lib` may use, because they contain no terms specific to Legion. */
export const DEFAULT_ERRORS: readonly string[] = ['src/core/model/fault.ts', 'src/core/model/clock.ts'];

/** Modules that every module outside `core`, `protocol`, `ports` and `lib` may import. */
export const COMMON_MODULES: readonly string[] = [...PURE_MODULES, 'ports', 'lib'];

/** Adapters of one external service or program. They never import each other. */
const ADAPTERS: readonly string[] = [
  'agents/claude-code',
  'agents/codex',
  'agents/opencode',
  'agents/scripted',
  'hosts',
  'integrations/github',
  'integrations/linear',
  'integrations/local',
  'journal',
  'messaging',
  'terminals',
  'workspaces',
];

/** The daemon's directories from the lowest layer to the highest. A layer may import those below it. */
const DAEMON_LAYERS: readonly string[] = [
  'daemon/daemon',
  'daemon/context',
  'daemon/present',
  'daemon/prompts',
  'daemon/repositories',
  'daemon/reports',
  'daemon/merging',
  'daemon/supervisor',
  'daemon/commands',
  'daemon/loop',
];

const listLayersUpTo = (layer: string) => DAEMON_LAYERS.slice(0, DAEMON_LAYERS.indexOf(layer) + 1);

/**
 * For each module, the modules that it may import besides itself; `common` stands for
 * COMMON_MODULES. A file belongs to the module with the longest name that its path starts with.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'core/model': [],
  'core/pipeline': ['core/model'],
  'core/health': ['core/model'],
  'core/state': ['core/model', 'core/pipeline', 'core/health'],
  protocol: ['core/model'],
  ports: ['core/model'],
  lib: [],
  git: [...CORE, 'lib'],
  config: [...CORE, 'lib'],
  journal: ['common'],
  workspaces: ['common', 'git'],
  hosts: ['common'],
  terminals: ['common'],
  messaging: ['common'],
  'integrations/forge-support': ['common', 'git'],
  'integrations/tracker-support': ['common'],
  'integrations/webhook-support': ['common'],
  'integrations/github': [
    'common',
    'git',
    'integrations/forge-support',
    'integrations/tracker-support',
    'integrations/webhook-support',
  ],
  'integrations/linear': ['common', 'integrations/tracker-support', 'integrations/webhook-support'],
  'integrations/local': ['common', 'git', 'integrations/forge-support', 'integrations/tracker-support'],
  /** This module runs inside a worker's process, never in the daemon's. */
  'worker-client': ['core/model', 'protocol', 'lib'],
  /** Code shared by the agent adapters. */
  agents: ['common', 'worker-client', 'agents/runner'],
  /**
   * The process that holds a real agent's session. It runs next to the agent, never in the daemon.
   */
  'agents/runner': ['common', 'worker-client', 'agents'],
  'agents/claude-code': ['common', 'worker-client', 'agents', 'agents/runner'],
  'agents/codex': ['common', 'worker-client', 'agents', 'agents/runner'],
  'agents/opencode': ['common', 'worker-client', 'agents', 'agents/runner'],
  'agents/scripted': ['common', 'worker-client', 'agents', 'agents/runner'],
  ...Object.fromEntries(
    DAEMON_LAYERS.map((layer, index) => [layer, ['common', ...DAEMON_LAYERS.slice(0, index)]]),
  ),
  /** Reads `legion.yaml` and the repository's own configuration. */
  'daemon/repositories': ['common', ...listLayersUpTo('daemon/prompts'), 'config', 'git'],
  'daemon/preflight': ['common', 'config', 'daemon/context', 'daemon/repositories', 'git'],
  'daemon/worker-api': ['common', ...listLayersUpTo('daemon/merging')],
  'daemon/services': ['common', ...DAEMON_LAYERS, 'daemon/preflight'],
  /**
   * Opens adapters and assembles the daemon. Only main.ts and the CLI's setup commands use this
   * module.
   */
  'daemon/composition': [
    'common',
    ...DAEMON_LAYERS,
    ...ADAPTERS,
    'agents',
    'config',
    'daemon/preflight',
    'daemon/services',
    'daemon/worker-api',
    'git',
    'integrations/forge-support',
    'integrations/tracker-support',
  ],
  'daemon/main': [
    'common',
    ...DAEMON_LAYERS,
    'config',
    'daemon/composition',
    'daemon/services',
    'daemon/worker-api',
    'http',
  ],
  http: ['common', 'daemon/daemon'],
  /** Starts the daemon, and opens adapters to check or set up what the daemon will use. */
  cli: [
    'common',
    ...ADAPTERS,
    'agents',
    'agents/runner',
    'config',
    'daemon/composition',
    'daemon/context',
    'daemon/daemon',
    'daemon/main',
    'daemon/present',
    'daemon/repositories',
    'demo',
    'git',
    'http',
    'integrations/tracker-support',
    'worker-client',
  ],
  demo: ['common'],
  /**
   * Runs in a browser, so it uses only the model and the wire format, and nothing that needs Node.
   */
  web: ['core/model', 'protocol', 'lib'],
  /** Runs the production loop, worker API and services over simulated ports. */
  sim: [
    'common',
    ...DAEMON_LAYERS,
    'daemon/composition',
    'daemon/preflight',
    'daemon/services',
    'daemon/worker-api',
  ],
};

/**
 * Packages that pure modules may use. `uuid` is allowed without v1, v4, v6 and v7, which read the
 * clock or use randomness.
 */
export const PURE_PACKAGES: Readonly<Record<string, 'everything' | readonly string[]>> = {
  zod: 'everything',
  uuid: ['validate', 'version', 'v3', 'v5', 'parse', 'stringify', 'NIL'],
};

/** The dashboard's own sources, without its build configuration. */
export const WEB_SOURCES = 'web/src/';

/**
 * Packages that every browser loads when it opens the dashboard, except the last one, which is
 * loaded later with the first Markdown text.
 */
export const WEB_PACKAGES: readonly string[] = [
  'react',
  'react-dom',
  'react-dom/client',
  '@tanstack/react-query',
  '@tanstack/react-virtual',
  'wouter',
  'wouter/use-browser-location',
  'markdown-to-jsx/react',
];

/** APIs that could turn untrusted text into markup or code. */
export const MARKUP_NAMES: Readonly<Record<'members' | 'globals', readonly string[]>> = {
  members: [
    'dangerouslySetInnerHTML',
    'innerHTML',
    'outerHTML',
    'insertAdjacentHTML',
    'setHTMLUnsafe',
    'createContextualFragment',
    'srcdoc',
    'srcDoc',
  ],
  globals: ['eval', 'Function', 'DOMParser'],
};

/** Globals that read a clock, set a timer, use randomness or do I/O. `Math.random` is checked separately. */
export const IMPURE_GLOBALS: readonly string[] = [
  'Date',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'process',
  'console',
  'fetch',
  'performance',
  'crypto',
  'globalThis',
  'Buffer',
];

/** Only one file may end the process, and only the configuration reads its environment. */
export const MAY_EXIT = /^src\/cli\/main\.ts$/;
export const MAY_READ_ENVIRONMENT = /^src\/(?:config\/.+|cli\/main\.ts)$/;

/**
 * Files usually have about 100 lines and rarely more than 250. A file longer than this limit has
 * more than one purpose.
 */
export const MAX_LINES = 400;

/**
 * Maximum number of files per directory, because a larger directory is hard to navigate. Group
 * related files into subdirectories.
 */
export const MAX_FILES_PER_DIRECTORY = 25;

/** Names that carry no meaning, whether alone or as part of a longer name (`session-manager.ts`). */
export const EMPTY_NAMES: readonly string[] = [
  'helper',
  'helpers',
  'misc',
  'common',
  'manager',
  'managers',
  'util',
  'utils',
];
