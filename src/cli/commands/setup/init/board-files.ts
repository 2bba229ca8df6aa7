/**
 * Plans the files of a legion with a GitHub or Linear board: finds the directory, builds the files,
 * and lists the commands to run next.
 */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type LegionConfig, parseRepositoryName } from '../../../../config/legion/schema.ts';
import { resolveLegionPaths } from '../../../../config/paths.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import { unwrap } from '../../../../lib/result.ts';
import { choosePort } from '../../../known-legions.ts';
import { LEGION_FILE } from '../../../legion-location.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import { REPOSITORY_FILE } from '../../../repository-at.ts';
import { askWork, buildInitAnswers, type InitAnswers, type InitOptions } from './answers.ts';
import { type BoardOptions, isGiven } from './board-options.ts';
import { chooseAgent } from './choose-agent.ts';
import { type FoundRepository, findRepository } from './repository.ts';
import { type BoardPart, planRepositoryFile, renderBoardFile } from './write.ts';

const WORK_OPTIONS = ['agent', 'workers', 'approvalsArchitect', 'approvalsMerge'] as const;

export interface BoardFilesOptions {
  readonly options: InitBoardOptions;
  readonly initContext: BoardInitContext;
  /** The legion's id. */
  readonly legion: string;
  readonly part: BoardPart;
  /** True if there is a person at the terminal to answer questions. */
  readonly asks: boolean;
}

/** Builds all files before anything is created, so that an invalid answer leaves nothing behind. */
export async function buildBoardFiles(
  { options, initContext, legion, part, asks }: BoardFilesOptions,
  context: CommandContext,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const { repository, file, kept } = initContext;
  const defaults = buildInitAnswers({ ...options, backend: part.board.backend, legion }, repository);
  const shouldAskWork = asks && !kept && !WORK_OPTIONS.some((option) => isGiven(options[option]));
  const agent = kept
    ? defaults.agent
    : await chooseAndShowAgent(defaults, shouldAskWork, options.json === true, context);
  const settled: InitAnswers = shouldAskWork
    ? { ...defaults, ...(await askWork(defaults, context)) }
    : defaults;
  const answers = { ...settled, agent, port: settled.port ?? (await choosePort(file, context.env)) };
  const { file: repositoryFile, advice } = planRepositoryFile(
    kept ? { ...answers, approvals: { ...answers.approvals, merge: 'required' } } : answers,
    repository,
    options.force === true,
  );
  if (advice !== undefined) context.stderr.write(`${advice}\n`);
  return [
    ...(kept ? [] : [{ path: file, text: renderBoardFile(answers, part, file) }]),
    ...(repositoryFile === undefined ? [] : [repositoryFile]),
  ];
}

async function chooseAndShowAgent(
  { agent: named }: InitAnswers,
  asks: boolean,
  json: boolean,
  context: CommandContext,
): Promise<InitAnswers['agent']> {
  const { kind, note } = await chooseAgent(named, asks, context);
  if (!json) context.stdout.write(`${note}\n`);
  return kind;
}

/**
 * Lists the commands to run next. `counts` is a text that explains when the repository's commands
 * take effect. It is appended to the commit step.
 */
export function listNextSteps(
  { commands }: InitBoardOptions,
  { repository }: BoardInitContext,
  { cwd }: CommandContext,
  counts: string,
): readonly string[] {
  return [
    ...(repository.path === cwd ? [] : [`cd ${repository.path}`]),
    ...(commands ? [`git add ${REPOSITORY_FILE} && git commit -m "Commands for Legion"${counts}`] : []),
    'legion up',
    ...(commands ? ['legion approve --commands'] : []),
    'legion doctor',
    'legion watch',
  ];
}

export type InitBoardOptions = InitOptions &
  BoardOptions & {
    readonly force?: boolean | undefined;
    readonly json?: boolean | undefined;
    readonly yes?: boolean | undefined;
  };

export interface BoardInitContext {
  /** `base` is absent if this directory is not a checkout of the code. */
  readonly repository: Pick<FoundRepository, 'path' | 'name' | 'commands'> & { readonly base?: string };
  readonly file: string;
  /** True if the file exists and is left unchanged. */
  readonly kept: boolean;
  /** Returns the state directory of a legion. */
  readonly state: (legion: string) => string;
}

/**
 * Finds the directory where `legion init` sets up a legion with a GitHub or Linear board, and any
 * existing legion.yaml.
 */
export async function resolveBoardInitContext(
  options: InitBoardOptions,
  context: CommandContext,
): Promise<BoardInitContext> {
  const repository = await findInitRepository(options, context);
  const file = join(repository.path, LEGION_FILE);
  const keepsFile = existsSync(file) && !options.force;
  // For an existing legion, `legion init` can only create what is missing on its board.
  if (keepsFile && !options.createMissing) throw new LegionError('init.exists', `${file} already exists.`);
  return { repository, file, kept: keepsFile, state: unwrap(resolveLegionPaths(context.env)).state };
}

/**
 * Returns the repository around this directory. If `--repo` specifies repositories, this directory
 * need not be a checkout, because Legion makes its own clones.
 */
async function findInitRepository(
  options: InitBoardOptions,
  context: CommandContext,
): Promise<BoardInitContext['repository']> {
  try {
    return await findRepository(context, undefined);
  } catch (error) {
    const isNone = error instanceof LegionError && error.code === 'repository.missing';
    if (!isNone || options.repo.length === 0) throw error;
    return { path: context.cwd, name: basename(context.cwd), commands: {} };
  }
}

/** Returns `owner/name` without the host that the configuration may include. */
export function stripHost(repo: string): string {
  const { owner, name } = parseRepositoryName(repo);
  return `${owner}/${name}`;
}

const BACKEND_LOCATIONS = { local: 'on this machine', github: 'on GitHub', linear: 'in Linear' } as const;

/** Returns the error for a board that differs from the one in the existing file. */
export function createOtherBoardError(file: string, { backend, legion }: LegionConfig): LegionError {
  const usage =
    backend === 'local'
      ? `uses a board ${BACKEND_LOCATIONS.local}`
      : `uses the board ${legion} ${BACKEND_LOCATIONS[backend]}`;
  return new LegionError('init.exists', `${file} already exists and ${usage}.`);
}
