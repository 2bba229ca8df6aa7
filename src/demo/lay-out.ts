/**
 * Writes everything the demo needs into its directory: the repository, the configuration, the
 * scenario and a `legion` command.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DEMO_MARK, type EnvironmentVariables } from '../core/model/environment.ts';
import { LegionError } from '../core/model/fault.ts';
import { quoteShellWord } from '../core/model/format.ts';
import { run } from '../lib/process/run.ts';
import {
  type DemoAgent,
  type DemoServices,
  listServiceVariables,
  renderLegionYaml,
  renderServicesYaml,
  SCENARIO_FILE,
} from './options.ts';
import { PROJECT, PROJECT_NAME } from './project.ts';
import { buildDemoScenario, type NumberedStory } from './stories.ts';

export interface DemoFolder {
  readonly folder: string;
  /** Sample repository, with its base branch checked out. */
  readonly repository: string;
  readonly config: string;
  readonly stories: readonly NumberedStory[];
  /** A `legion` command that finds this legion from any directory. */
  readonly command: string;
  readonly environment: EnvironmentVariables;
}

const EXECUTABLE_MODE = 0o755;

export interface DemoFolderOptions {
  /** Existing directory that belongs to the demo. */
  readonly folder: string;
  /** Command that starts Legion. */
  readonly launcher: readonly string[];
  readonly environment: EnvironmentVariables;
  readonly stories: readonly NumberedStory[];
  readonly agent: DemoAgent | undefined;
  /**
   * Services that hold the issues and pull requests, if they are not local. With GitHub, the sample
   * repository is an existing clone.
   */
  readonly services: DemoServices;
}

export async function createDemoFolder(options: DemoFolderOptions): Promise<DemoFolder> {
  const { folder, launcher, environment, stories, agent, services } = options;
  const isLocal = services.github === undefined;
  const demo: DemoFolder = {
    folder,
    stories,
    repository: resolveDemoRepository(folder),
    config: join(folder, 'legion.yaml'),
    command: join(folder, 'legion'),
    environment: buildDemoEnvironment(environment, folder, listServiceVariables(services)),
  };
  try {
    if (isLocal)
      for (const [path, text] of Object.entries(PROJECT)) writeTextFile(join(demo.repository, path), text);
    writeTextFile(demo.config, renderLegionYaml(renderServicesYaml(services, demo.repository), agent));
    writeTextFile(
      join(folder, SCENARIO_FILE),
      `${JSON.stringify(buildDemoScenario(stories), undefined, 2)}\n`,
    );
    writeTextFile(demo.command, renderCommandScript(demo, launcher));
    chmodSync(demo.command, EXECUTABLE_MODE);
  } catch (error) {
    throw new LegionError('demo.folder_unusable', `${folder}: ${(error as Error).message}`, { cause: error });
  }
  if (isLocal) await createFirstCommit(demo);
  return demo;
}

/** Returns the path of the sample repository in the demo's directory. */
export function resolveDemoRepository(folder: string): string {
  return join(folder, PROJECT_NAME);
}

async function createFirstCommit({ repository, environment }: DemoFolder): Promise<void> {
  // Uses no git templates, because a user's additions to new repositories do not belong in a
  // sample.
  await runGit(repository, ['init', '--quiet', '--template=', '--initial-branch=main'], environment);
  await markAsDemo(repository, environment);
  await runGit(repository, ['add', '--all'], environment);
  await runGit(repository, ['commit', '--quiet', '--message=A stockroom'], environment);
}

/** Marks a repository of the demo. Scripted work may be merged only into marked repositories. */
export async function markAsDemo(repository: string, environment: EnvironmentVariables): Promise<void> {
  await runGit(repository, ['config', '--local', DEMO_MARK, 'true'], environment);
}

function writeTextFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function renderCommandScript({ folder, config }: DemoFolder, launcher: readonly string[]): string {
  const homes = Object.entries(resolveXdgFolders(folder)).map(
    ([name, path]) => `export ${name}=${quoteShellWord(path)}`,
  );
  return [
    '#!/bin/sh',
    '# Runs `legion` for the demo in this folder, from any directory.',
    ...homes,
    `cd ${quoteShellWord(dirname(config))} && exec ${launcher.map(quoteShellWord).join(' ')} "$@"`,
    '',
  ].join('\n');
}

/** Directories for Legion's files by the XDG standard, below the demo's directory. */
const XDG_FOLDERS = { XDG_DATA_HOME: 'data', XDG_STATE_HOME: 'state' } as const;

/**
 * Variables that must not affect the demo: those of the user's own legion, of git and of a
 * surrounding test runner.
 */
const DROPPED_VARIABLES = /^(?:LEGION_|LINEAR_|GIT_|NODE_TEST_CONTEXT$)/;

/**
 * Returns Legion's directories below the demo's, so that the demo's legion is separate from the
 * user's.
 */
function resolveXdgFolders(folder: string): Readonly<Record<keyof typeof XDG_FOLDERS, string>> {
  return {
    XDG_DATA_HOME: join(folder, XDG_FOLDERS.XDG_DATA_HOME),
    XDG_STATE_HOME: join(folder, XDG_FOLDERS.XDG_STATE_HOME),
  };
}

/**
 * Builds the demo's environment. Always keeps the variables in `required`, because the demo was
 * configured with them.
 */
function buildDemoEnvironment(
  environment: EnvironmentVariables,
  folder: string,
  required: readonly string[] = [],
): EnvironmentVariables {
  const otherVariables = Object.entries(environment).filter(
    ([name]) => required.includes(name) || !DROPPED_VARIABLES.test(name),
  );
  return { ...Object.fromEntries(otherVariables), ...resolveXdgFolders(folder) };
}

/**
 * The repository has only a few small files, so a git command that takes longer than this has hung.
 */
const GIT_TIMEOUT_MS = 30_000;

/**
 * Turns off the user's hooks, signatures and line-ending conversion, which do not belong in a
 * sample. The author's address does not exist.
 */
const GIT_SETTINGS = [
  'user.name=Legion demo',
  'user.email=demo@legion.invalid',
  'commit.gpgsign=false',
  'core.hooksPath=/dev/null',
  'core.autocrlf=false',
].flatMap((setting) => ['-c', setting]);

/** Runs git for the demo, isolated from the user's own git configuration. */
export async function runGit(
  folder: string,
  args: readonly string[],
  environment: EnvironmentVariables,
): Promise<string> {
  const { status, stopped, stdout, stderr } = await run('git', [...GIT_SETTINGS, ...args], {
    cwd: folder,
    env: { ...environment, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' },
    timeoutMs: GIT_TIMEOUT_MS,
  }).catch((error: NodeJS.ErrnoException) => {
    const code = error.code === 'ENOENT' ? 'git.missing' : 'git.failed';
    throw new LegionError(code, `git ${args[0]} in ${folder}: ${error.message}`, { cause: error });
  });
  if (status === 0) return stdout.trim();
  throw new LegionError('git.failed', `git ${args[0]} in ${folder}: ${stopped ?? status}: ${stderr.trim()}`);
}
