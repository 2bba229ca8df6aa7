/**
 * Collects the settings for `legion init` from options, defaults and questions. Each value is
 * validated by the same rules as a value in the file.
 */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { resolveConfig } from '../../../../config/legion/resolve.ts';
import type { LegionConfig } from '../../../../config/legion/schema.ts';
import { parseSettings } from '../../../../config/legion/settings.ts';
import type { AgentKind } from '../../../../config/legion/work.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import { unwrap } from '../../../../lib/result.ts';
import {
  askChoice,
  askConfirmation,
  askText,
  createCancelledError,
  type PromptChoice,
} from '../../../ask-person.ts';
import { renderFields } from '../../../present/page.ts';
import { type CommandContext, toFlag } from '../../../program/define-command.ts';
import { formatCommand } from '../../../repository-at.ts';
import type { BoardBackend } from './board-options.ts';
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
    .option('--legion <NAME>', 'Name of the legion (default: the folder’s name)')
    .option(
      '--agent <AGENT>',
      'Agent to use: claude-code, opencode or codex (default: the only one that is installed and logged in)',
    )
    .option('--workers <N>', 'Maximum number of workers running at once (default: 10)')
    .option(
      '--approvals-architect <required|auto>',
      'Whether you approve each specification (default: required)',
    )
    .option(
      '--approvals-merge <required|auto>',
      'Whether you approve every merge; with auto, Legion merges small, safe changes itself (default: required)',
    )
    .option('--base <BRANCH>', 'Target branch of pull requests (default: main, master or the current branch)')
    .option('--port <PORT>', 'Port of the daemon on 127.0.0.1 (default: a free one)')
    .option('--commands', 'Also write the detected commands to .legion/config.yml') as unknown as Command<
    [],
    Options & InitOptions
  >;
}

export interface InitAnswers {
  readonly legion: string;
  readonly agent: AgentKind | undefined;
  readonly workers: number;
  readonly approvals: { readonly architect: 'required' | 'auto'; readonly merge: 'required' | 'auto' };
  /** Undefined until a free port is chosen. */
  readonly port: number | undefined;
  /**
   * Set only if the person specified the branch. Otherwise the daemon detects the branch in the
   * same way as `init`.
   */
  readonly base: string | undefined;
  readonly commands: boolean;
}

const OPTION_KEYS = {
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

type ConfigOptionTexts = { readonly [K in keyof typeof OPTION_KEYS]?: string | undefined };

/**
 * Builds the configuration without environment variables, because they apply only to this shell,
 * while the file applies in every shell.
 */
export function buildConfigFromOptions(options: ConfigOptionTexts): LegionConfig {
  const flags = Object.entries(OPTION_KEYS).flatMap(([option, key]) => {
    const text = options[option as keyof typeof OPTION_KEYS];
    return text === undefined ? [] : [{ key, name: toFlag(option), text }];
  });
  return unwrap(resolveConfig({ flags, file: undefined, environment: {} })).config;
}

export function buildInitAnswers(
  options: InitOptions & ConfigOptionTexts,
  repository: Pick<FoundRepository, 'path' | 'name' | 'commands'>,
): InitAnswers {
  if (options.commands === true && Object.keys(repository.commands).length === 0) {
    throw new LegionError('usage.invalid', `--commands: No commands were found in ${repository.path}.`);
  }
  const config = buildConfigFromOptions(options);
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

const SPECIFICATION_CHOICES: readonly PromptChoice<'required' | 'auto'>[] = [
  { value: 'required', label: 'I approve each specification' },
  { value: 'auto', label: 'Approve specifications automatically' },
];

const MERGE_CHOICES: readonly PromptChoice<'required' | 'auto'>[] = [
  { value: 'required', label: 'I approve every merge' },
  {
    value: 'auto',
    label: 'Small, safe changes merge automatically; I approve the others',
    hint: 'also writes merge.auto_merge_allowed to .legion/config.yml',
  },
];

const BACKEND_CHOICES: readonly PromptChoice<BoardBackend>[] = [
  { value: 'local', label: 'On this machine', hint: 'needs no account' },
  { value: 'github', label: 'In a GitHub project' },
  { value: 'linear', label: 'In a Linear team' },
];

export async function askBackend(context: CommandContext): Promise<BoardBackend> {
  return askChoice(context, 'Where are the issues?', BACKEND_CHOICES, 'local');
}

/** Asks for all settings of a local legion. Every question has a default, which Enter accepts. */
export async function askEverything(
  repository: FoundRepository,
  context: CommandContext,
): Promise<InitAnswers> {
  const defaults = buildInitAnswers(NO_OPTIONS, repository);
  const legion = await askText(context, 'Name of the legion', defaults.legion, (text) =>
    findConfigProblem('legion', text),
  );
  const work = await askWork(defaults, context);
  const commands = await askCommands(repository, context);
  return { ...defaults, ...work, legion, commands };
}

/** Asks for the worker limit and the required approvals. */
export async function askWork(
  defaults: InitAnswers,
  context: CommandContext,
): Promise<Pick<InitAnswers, 'workers' | 'approvals'>> {
  const workers = await askText(
    context,
    'Maximum number of workers running at once',
    String(defaults.workers),
    (text) => findConfigProblem('limits.workers', text),
  );
  const architect = await askChoice(
    context,
    'Specifications',
    SPECIFICATION_CHOICES,
    defaults.approvals.architect,
  );
  const merge = await askChoice(context, 'Merges', MERGE_CHOICES, defaults.approvals.merge);
  return { workers: Number(workers), approvals: { architect, merge } };
}

const NO_OPTIONS = {
  legion: undefined,
  agent: undefined,
  workers: undefined,
  approvalsArchitect: undefined,
  approvalsMerge: undefined,
  base: undefined,
  port: undefined,
  commands: false,
};

async function askCommands({ commands }: FoundRepository, context: CommandContext): Promise<boolean> {
  const entries = Object.entries(commands);
  if (entries.length === 0) return false;
  context.stdout.write(renderFields(entries.map(([name, argv]) => [`  ${name}`, formatCommand(argv)])));
  const answer = await askConfirmation(context, 'Write these commands to .legion/config.yml?', true);
  if (answer === undefined) throw createCancelledError();
  return answer;
}

/**
 * If the text is not a valid value of this configuration key, returns the problem. Applies the same
 * rules and messages as for the file.
 */
export function findConfigProblem(key: string, text: string): string | undefined {
  const parsed = parseSettings([{ key, name: key, text }], 'usage.invalid');
  return parsed.ok ? undefined : parsed.problems[0]?.message;
}
