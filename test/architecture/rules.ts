/** The map of the house as tables: the rooms, the arrows between them, and what each room may not do. */

/** Runs under a virtual clock in the simulator exactly as in production, so it may touch nothing that differs there. */
export const PURE_ROOMS: readonly string[] = ['domain', 'pipeline', 'health', 'swarm', 'protocol'];

/** Rooms that talk to one kind of thing outside; their sub-folders are implementations of one port. */
export const ADAPTER_ROOMS: readonly string[] = [
  'journal',
  'trackers',
  'forges',
  'agents',
  'workspaces',
  'hosts',
  'envoy',
  'views',
];

/** The contract files: what the daemon and the simulator may know of a room without knowing who fulfils it. */
export const PORT_FILES: readonly string[] = [
  'src/journal/journal.ts',
  'src/ports/tracker.ts',
  'src/ports/board-editor.ts',
  'src/ports/forge.ts',
  'src/ports/agent.ts',
  'src/workspaces/workspace.ts',
  'src/hosts/host.ts',
  'src/envoy/envoy.ts',
  'src/envoy/receiver.ts',
  'src/views/view.ts',
];

/** The part of the domain that `lib` may know: it has no product terms. */
export const FAULT_FILES: readonly string[] = ['src/core/model/fault.ts', 'src/domain/clock.ts'];

/** The composition root: the only part of the daemon that names implementations, so only the command line may start it. */
export const COMPOSITION_ROOT = /^src\/daemon\/compose[^/]*\.ts$/;

/**
 * Which rooms a room may import besides itself. `ports` and `faults` stand for the files above, `compose` for the composition root.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  pipeline: ['domain'],
  health: ['domain'],
  swarm: ['domain', 'pipeline', 'health'],
  ports: ['domain'],
  protocol: ['domain'],
  /** A worker's own side of the conversation: it runs in the worker's process, never in the daemon's. */
  speech: ['lib', 'domain', 'protocol'],
  config: ['lib', 'domain'],
  /** Primitives without product terms: async, files, processes, text. They fail with our faults and wait on our clock. */
  lib: ['faults'],
  /** What several rooms do in the same way, each with faults of its own. */
  sqlite: ['lib', 'domain'],
  git: ['lib', 'domain'],
  /** GitHub's APIs, which a tracker and a forge both speak to. */
  github: ['lib', 'domain'],
  linear: ['lib', 'domain'],
  journal: ['lib', 'domain', 'sqlite'],
  trackers: ['lib', 'domain', 'sqlite', 'github', 'linear'],
  forges: ['lib', 'domain', 'git', 'github'],
  /** The worker's process that holds a real agent's session; it runs beside the agent, never in the daemon. */
  driving: ['lib', 'domain', 'protocol', 'speech'],
  agents: ['lib', 'domain', 'protocol', 'speech', 'driving'],
  workspaces: ['lib', 'domain', 'git'],
  hosts: ['lib', 'domain'],
  /** Remembers which deliveries came, in a file that is replaced when it is cleaned. */
  envoy: ['lib', 'domain'],
  views: ['lib', 'domain'],
  daemon: [...PURE_ROOMS, 'ports', 'lib'],
  compose: [
    ...PURE_ROOMS,
    ...ADAPTER_ROOMS,
    'ports',
    'lib',
    'config',
    'git',
    'github',
    'linear',
    'daemon',
    'http',
  ],
  /** Keeps who is logged in, in a file that survives a restart. */
  http: ['lib', 'domain', 'protocol', 'daemon'],
  mcp: ['lib', 'domain', 'protocol', 'speech'],
  cli: [
    ...[
      'lib',
      'domain',
      'swarm',
      'daemon',
      'compose',
      'ports',
      'config',
      'git',
      'github',
      'linear',
      'http',
      'mcp',
      'protocol',
      'speech',
      'driving',
      'demo',
    ],
    ...ADAPTER_ROOMS,
  ],
  demo: ['lib', 'domain', 'protocol'],
  /** The dashboard runs in a browser: it knows the words and the wire, and nothing that needs Node. */
  web: ['lib', 'domain', 'protocol'],
  sim: [...PURE_ROOMS, 'daemon', 'ports', 'lib'],
};

/** Packages the pure rooms may use. Of `uuid` only what computes: v1, v4, v6 and v7 read the clock or draw randomness. */
export const PURE_PACKAGES: Readonly<Record<string, 'everything' | readonly string[]>> = {
  zod: 'everything',
  uuid: ['validate', 'version', 'v3', 'v5', 'parse', 'stringify', 'NIL'],
};

/** The dashboard itself; beside it lies only how it is built. */
export const WEB_SOURCES = 'web/src/';

/** All but the last, which comes with the first text, are loaded by every browser that opens the dashboard. */
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

/** Every way in which text of strangers could become markup or code. */
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

/** Globals that read a clock, set a timer, draw randomness or reach outside. `Math` is fine but for `Math.random`. */
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

/** Where the process itself may be touched: one file ends it, one room reads its environment. */
export const MAY_EXIT = /^src\/cli\/main\.ts$/;
export const MAY_READ_ENVIRONMENT = /^src\/(?:config[^/]*\/.+|cli\/main\.ts)$/;

/** About 90 lines is the aim, 250 rare; above this a file holds two behaviours. */
export const MOST_LINES = 300;

/** Names that say nothing, as a whole name or as a part of one (`session-manager.ts`). */
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
