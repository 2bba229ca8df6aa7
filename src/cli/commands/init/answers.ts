/** What `legion init` must know, from options and defaults; each value is held to what the file may have. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { resolveConfig } from '../../../config/legion/resolve.ts';
import type { LegionConfig } from '../../../config/legion/schema.ts';
import type { AgentKind } from '../../../config/legion/work.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { unwrap } from '../../../lib/result.ts';
import { toFlag } from '../../program/options.ts';
import type { FoundRepository } from './repository.ts';

export type InitOptions = {
  readonly legion?: string | undefined;
  readonly agent?: string | undefined;
  readonly workers?: string | undefined;
  readonly approvalsArchitect?: string | undefined;
  readonly approvalsMerge?: string | undefined;
  readonly base?: string | undefined;
  readonly port?: string | undefined;
  readonly commands?: boolean | undefined;
};

export function addInitOptions<Options extends OptionValues>(
  command: Command<[], Options>,
): Command<[], Options & InitOptions> {
  return command
    .option('--legion <NAME>', 'Name of the legion (default: the name of the folder)')
    .option(
      '--agent <AGENT>',
      'Who works: claude-code, opencode or codex (default: the only one that is installed and logged in)',
    )
    .option('--workers <N>', 'Workers that may run at once (default: 10)')
    .option(
      '--approvals-architect <required|auto>',
      'Whether you approve each specification (default: required)',
    )
    .option(
      '--approvals-merge <required|auto>',
      'Whether you approve every merge, or small and safe ones pass without you (default: required)',
    )
    .option('--base <BRANCH>', 'Branch of pull requests (default: main, master or the current branch)')
    .option('--port <PORT>', 'Port of the daemon on 127.0.0.1 (default: a free one)')
    .option(
      '--commands',
      'Also write the commands found in the repository to .legion/config.yml',
    ) as unknown as Command<[], Options & InitOptions>;
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
  approvalsArchitect: 'approvals.architect',
  approvalsMerge: 'approvals.merge',
  port: 'port',
  backend: 'backend',
  githubUrl: 'github.url',
  token: 'credentials.github.token',
  forge: 'forge',
  linearUrl: 'linear.url',
  apiKey: 'credentials.linear.api_key',
  accessToken: 'credentials.linear.access_token',
} as const;

type Texts = { readonly [K in keyof typeof KEYS]?: string | undefined };

/** The environment is not asked: what it says holds for this shell, the file for every one. */
export function configFrom(options: Texts): LegionConfig {
  const given = Object.entries(KEYS).flatMap(([option, key]) => {
    const text = options[option as keyof typeof KEYS];
    return text === undefined ? [] : [{ key, name: toFlag(option), text }];
  });
  return unwrap(resolveConfig({ flags: given, file: undefined, environment: {} })).config;
}

export function answersFrom(
  options: InitOptions & Texts,
  repository: Pick<FoundRepository, 'path' | 'name' | 'commands'>,
): Answers {
  if (options.commands === true && Object.keys(repository.commands).length === 0) {
    throw new LegionError('usage.invalid', `--commands: no commands were found in ${repository.path}`);
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
    commands: options.commands === true,
  };
}

/** An option that was on the command line. */
export function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}
