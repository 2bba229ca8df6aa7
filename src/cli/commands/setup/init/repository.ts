/** Finds the repository that `legion init` sets up, and detects its commands from its files. */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { readTextFile } from '../../../../config/text-file.ts';
import { type FaultCode, LegionError } from '../../../../core/model/fault.ts';
import { createGitRunner } from '../../../../git/runner.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import { resolveBaseBranch } from '../../../repository-at.ts';

export interface FoundRepository {
  readonly path: string;
  readonly base: string;
  /** Suggested name for its legion. */
  readonly name: string;
  readonly commands: ProposedCommands;
}

export async function findRepository(
  { cwd, env }: CommandContext,
  base: string | undefined,
): Promise<FoundRepository> {
  const git = createGitRunner({ environment: env });
  const path = await findTopFolder(() => git.run(cwd, ['rev-parse', '--show-toplevel']), cwd);
  return {
    path,
    base: await resolveBaseBranch(git, path, base),
    name: toLegionName(path),
    commands: proposeCommands(path),
  };
}

/** Error codes for a directory without a repository, or with a repository that has no files. */
const NO_REPOSITORY: ReadonlySet<FaultCode> = new Set(['workspace.not_a_repository', 'git.failed']);

async function findTopFolder(ask: () => Promise<string>, cwd: string): Promise<string> {
  try {
    return (await ask()).trimEnd();
  } catch (error) {
    if (!(error instanceof LegionError) || !NO_REPOSITORY.has(error.code)) throw error;
    const message = `${cwd} is not inside a git repository with files. Run \`git init\` to create one.`;
    throw new LegionError('repository.missing', message, { cause: error });
  }
}

/** Returns a name that is also a valid prefix of issue ids. */
function toLegionName(path: string): string {
  const name = basename(path)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, 60);
  return name === '' || name.endsWith('.lock') ? 'local' : name;
}

export type ProposedCommands = Readonly<
  Partial<Record<'setup' | 'quality_gate' | 'test' | 'ci', readonly string[]>>
>;

const MAX_MANIFEST_BYTES = 1_024 * 1_024;

const manifestSchema = z.looseObject({ scripts: z.record(z.string(), z.string()).default({}) });

/** Placeholder that `npm init` writes instead of a test. */
const NO_TEST = /no test specified/;

/** The first of these scripts that exists is used. Each is quick and checks the code. */
const QUALITY_SCRIPTS: readonly string[] = ['check', 'lint', 'typecheck'];

/** The package manager is detected by its lock file, because a manifest rarely specifies it. */
const PACKAGE_PROGRAMS: readonly (readonly [lock: string, program: string, setup: readonly string[]])[] = [
  ['pnpm-lock.yaml', 'pnpm', ['pnpm', 'install', '--frozen-lockfile']],
  ['yarn.lock', 'yarn', ['yarn', 'install', '--immutable']],
  ['bun.lock', 'bun', ['bun', 'install', '--frozen-lockfile']],
  ['package-lock.json', 'npm', ['npm', 'ci']],
];

/** Usual commands of each language, used if there is no package.json. */
const USUAL_COMMANDS: readonly (readonly [
  file: string,
  test: readonly string[],
  quality?: readonly string[],
])[] = [
  ['Cargo.toml', ['cargo', 'test'], ['cargo', 'check']],
  ['go.mod', ['go', 'test', './...'], ['go', 'vet', './...']],
  ['pyproject.toml', ['python', '-m', 'pytest']],
];

function proposeCommands(folder: string): ProposedCommands {
  const has = (file: string) => existsSync(join(folder, file));
  if (has('package.json')) return fromManifest(folder, has);
  const [detected] = USUAL_COMMANDS.filter(([file]) => has(file));
  if (detected !== undefined) {
    const [, test, quality] = detected;
    return { ...(quality !== undefined && { quality_gate: quality }), test, ci: test };
  }
  const makefile = readTextFile(join(folder, 'Makefile'), MAX_MANIFEST_BYTES, 'links');
  if (!makefile.ok || !/^test:/m.test(makefile.value)) return {};
  return { test: ['make', 'test'], ci: ['make', 'test'] };
}

function fromManifest(folder: string, has: (file: string) => boolean): ProposedCommands {
  const scripts = readScripts(join(folder, 'package.json'));
  const [, program, setup] = PACKAGE_PROGRAMS.find(([lock]) => has(lock)) ?? ['', 'npm', undefined];
  const quality = QUALITY_SCRIPTS.find((name) => scripts[name] !== undefined);
  const { test: script } = scripts;
  const hasTest = script !== undefined && !NO_TEST.test(script);
  const test = [program, 'test'];
  const commands = {
    ...(quality !== undefined && { quality_gate: [program, 'run', quality] }),
    ...(hasTest && { test, ci: test }),
  };
  // Setup is useless without a command that needs it.
  return Object.keys(commands).length > 0 && setup !== undefined ? { setup, ...commands } : commands;
}

function readScripts(path: string): Readonly<Record<string, string>> {
  const text = readTextFile(path, MAX_MANIFEST_BYTES, 'links');
  if (!text.ok) return {};
  try {
    return manifestSchema.safeParse(JSON.parse(text.value)).data?.scripts ?? {};
  } catch {
    return {}; // no commands are proposed if the manifest is unreadable
  }
}
