/** Puts together the repository a legion works on: its forge, its rules, and the host that runs its commands. */
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Environment } from '../config/legion/environment.ts';
import type { LegionConfig } from '../config/legion/schema.ts';
import { expandHome } from '../config/paths.ts';
import { instructionsOf } from '../config/repository/instructions.ts';
import type { Clock } from '../domain/clock.ts';
import { LegionError } from '../domain/fault.ts';
import { folderName } from '../domain/ids.ts';
import { openLocalForge } from '../forges/local/local-forge.ts';
import { type Lookup, openLookup } from '../git/lookup.ts';
import { type Git, gitRunner } from '../git/runner.ts';
import { type CommandOutcome, runCommand } from '../hosts/local/command.ts';
import { baseOf, commonFolder } from '../workspaces/git-worktree/repository.ts';
import { openRuleBook, type RuleBook } from './compose-rules.ts';
import type { CommandName, Repository } from './repository.ts';
import type { Troubles } from './troubles.ts';

/** The longest build and test suite of a peer took 100 min; a command that takes longer hangs. */
const COMMAND_LIMIT_MS = 2 * 60 * 60_000;

export interface RepositoryOptions {
  readonly config: LegionConfig;
  /** Where `legion.yaml` lies: the repository, unless the file names another. */
  readonly folder: string;
  readonly state: string;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly troubles: Troubles;
}

export interface OpenRepository extends Repository {
  readonly rules: RuleBook;
  close(): Promise<void>;
}

export async function openRepository(options: RepositoryOptions): Promise<OpenRepository> {
  const { config, environment } = options;
  const [entry] = config.repos;
  const path = entry?.path === undefined ? options.folder : homePath(entry.path, environment);
  const git = gitRunner({ environment });
  const common = await found(() => commonFolder(git, path));
  const { name: base } = await baseOf(git, common, { base: entry?.base, remote: { none: true } });
  const lookup = openLookup({ environment }, common);
  try {
    return await assemble(options, { path, base, git, lookup });
  } catch (error) {
    lookup.close();
    throw error;
  }
}

interface Ground {
  readonly path: string;
  readonly base: string;
  readonly git: Git;
  readonly lookup: Lookup;
}

async function assemble(options: RepositoryOptions, ground: Ground): Promise<OpenRepository> {
  const { config, environment, clock, troubles } = options;
  const { path, base, git, lookup } = ground;
  const name = config.repos[0]?.repo ?? basename(path);
  const state = join(options.state, 'repositories', folderName(name));
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const rules = await openRuleBook({
    ...{ git, lookup, repository: path, repo: name, base, clock, state: options.state },
    tell: (about, fault) =>
      fault === undefined
        ? troubles.clear(about)
        : troubles.raise(about, new LegionError(fault.code, fault.message)),
  });

  async function run(
    command: CommandName,
    cwd: string,
    log: string,
    signal?: AbortSignal,
  ): Promise<CommandOutcome> {
    const { approved, config: own } = await rules.refresh();
    const argv = own.commands[command];
    if (argv === undefined || !approved) {
      const why = argv === undefined ? 'the repository has none' : 'the operator has not approved it';
      return { verdict: 'could_not_run', why, code: null, signal: null, durationMs: 0, tail: '' };
    }
    const outputFile = join(state, `${log}.log`);
    const bounds = { timeoutMs: COMMAND_LIMIT_MS, ...(signal === undefined ? {} : { signal }) };
    return runCommand({ argv, cwd, environment, env: { CI: 'true' }, outputFile, ...bounds });
  }

  const forge = await openLocalForge({
    ...{ repository: path, base, state: join(state, 'forge'), clock, environment },
    identity: { name: 'Legion', email: 'legion@localhost' },
    ci: {
      isConfigured: () => {
        const { config: own, approved } = rules.current();
        return approved && own.commands.ci !== undefined;
      },
      async run(checkout, sha, signal) {
        const { verdict, why, tail } = await run('ci', checkout, `ci-${sha}`, signal);
        return { verdict, name: 'ci', logTail: `${why}\n${tail}` };
      },
    },
    onFault: (fault) => troubles.raise('forge', new LegionError(fault.code, fault.message)),
  });

  return {
    ...{ name, path, base, forge, rules },
    async close() {
      await forge.close();
      lookup.close();
    },
    async commands() {
      const { config: own, prompts, fingerprint, approved, promptsApproved } = await rules.refresh();
      const given = Object.entries(own.commands).filter(([, argv]) => argv !== undefined);
      const commands = Object.fromEntries(given.map(([command, argv]) => [command, [...(argv ?? [])]]));
      return {
        ...{ repo: name, fingerprint, commands },
        approved: approved && promptsApproved,
        prompts: { ...prompts.texts },
      };
    },
    approve: (fingerprint) => rules.approve(fingerprint),
    run: (command, workspace, issue, signal) =>
      run(command, workspace, `${command}-${folderName(issue)}`, signal),
    async prompts() {
      const { prompts, promptsApproved } = rules.current();
      return promptsApproved ? prompts.templates : new Map();
    },
    instructions: async (phase) => instructionsOf(rules.current().config, phase),
  };
}

function homePath(path: string, environment: Environment): string {
  const expanded = expandHome(path, environment);
  if (!expanded.ok) throw new LegionError(expanded.fault.code, expanded.fault.message);
  return expanded.value;
}

async function found<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LegionError && error.code === 'workspace.not_a_repository')
      throw new LegionError('repository.missing', error.message, { cause: error });
    throw error;
  }
}
