/** What `legion init` must know, from options and defaults; each value is held to what the file may have. */
import { resolveConfig } from '../../../config/legion/resolve.ts';
import type { LegionConfig } from '../../../config/legion/schema.ts';
import type { AgentKind } from '../../../config/legion/work.ts';
import { LegionError } from '../../../domain/fault.ts';
import { unwrap } from '../../place.ts';
import type { FoundRepository } from './repository.ts';

export const INIT_OPTIONS = {
  legion: { value: 'NAME', says: 'its name; default: that of the folder' },
  agent: {
    value: 'AGENT',
    says: 'who works: claude-code, opencode or codex; default: the only one that is installed and logged in',
  },
  workers: { value: 'N', says: 'how many workers at once; default: 10' },
  'approvals-architect': {
    value: 'required|auto',
    says: 'whether you approve each specification; default: required',
  },
  'approvals-merge': {
    value: 'required|auto',
    says: 'whether you approve each merge, or small safe ones pass; default: required',
  },
  base: { value: 'BRANCH', says: 'where pull requests go; default: main, master or the branch checked out' },
  port: { value: 'PORT', says: 'where the daemon listens on 127.0.0.1; default: a free port' },
  commands: { says: 'write the commands found in the repository to .legion/config.yml as well' },
} as const;

export interface InitOptions {
  readonly legion: string | undefined;
  readonly agent: string | undefined;
  readonly workers: string | undefined;
  readonly 'approvals-architect': string | undefined;
  readonly 'approvals-merge': string | undefined;
  readonly base: string | undefined;
  readonly port: string | undefined;
  readonly commands: boolean;
}

export interface Answers {
  readonly legion: string;
  readonly agent: AgentKind | undefined;
  readonly workers: number;
  readonly approvals: { readonly architect: 'required' | 'auto'; readonly merge: 'required' | 'auto' };
  /** Undefined until a free one is chosen. */
  readonly port: number | undefined;
  /** Only where somebody named it: otherwise the daemon finds it as `init` did. */
  readonly base: string | undefined;
  readonly commands: boolean;
}

const KEYS = {
  legion: 'legion',
  agent: 'agents.default.agent',
  workers: 'limits.workers',
  'approvals-architect': 'approvals.architect',
  'approvals-merge': 'approvals.merge',
  port: 'port',
  backend: 'backend',
  'github-url': 'github.url',
  token: 'credentials.github.token',
  forge: 'forge',
  'linear-url': 'linear.url',
  'api-key': 'credentials.linear.api_key',
  'access-token': 'credentials.linear.access_token',
} as const;

type Texts = { readonly [K in keyof typeof KEYS]?: string | undefined };

/** The environment is not asked: what it says holds for this shell, the file for every one. */
export function configFrom(options: Texts): LegionConfig {
  const given = Object.entries(KEYS).flatMap(([option, key]) => {
    const text = options[option as keyof typeof KEYS];
    return text === undefined ? [] : [{ key, name: `--${option}`, text }];
  });
  return unwrap(resolveConfig({ flags: given, file: undefined, environment: {} })).config;
}

export function answersFrom(
  options: InitOptions & Texts,
  repository: Pick<FoundRepository, 'path' | 'name' | 'commands'>,
): Answers {
  if (options.commands && Object.keys(repository.commands).length === 0) {
    throw new LegionError(
      'usage.invalid',
      `--commands: ${repository.path} has none that can be told by its files`,
    );
  }
  const config = configFrom(options);
  const { architect, merge } = config.approvals;
  return {
    legion: options.legion === undefined ? repository.name : config.legion,
    agent: config.agents.default.agent,
    workers: config.limits.workers,
    approvals: {
      architect: architect ?? 'required',
      merge: merge ?? 'required',
    },
    port: options.port === undefined ? undefined : config.port,
    base: options.base,
    commands: options.commands,
  };
}

/** An option that was on the command line. */
export function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}
