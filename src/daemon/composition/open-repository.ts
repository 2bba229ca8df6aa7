/** Assembles a repository: its forge, its rules and the runner for its commands. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { collectInstructions } from '../../config/repository/load.ts';
import type { Clock } from '../../core/model/clock.ts';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { toError } from '../../core/model/fault.ts';
import { toFolderName } from '../../core/model/ids.ts';
import { readChanges } from '../../git/diff.ts';
import { type CommandOutcome, runCommand } from '../../hosts/local/command.ts';
import type { Forge } from '../../ports/forge.ts';
import type { ActiveProblems } from '../context/active-problems.ts';
import type { CommandName, DiffSubject, Repository, RepositoryDiff } from '../context/repository.ts';
import type { Baseline } from '../preflight/baseline.ts';
import { openRuleBook, type RuleBook } from '../repositories/rules.ts';
import type { RepositorySource } from './clone.ts';
import { buildRepositoryStatePath } from './open-state-folder.ts';
import { openBaseline } from './run-baseline.ts';

/**
 * A command that runs longer than 2 h is considered hung: the longest build and test suite of a
 * comparable project takes 100 min.
 */
const COMMAND_LIMIT_MS = 2 * 60 * 60_000;

export interface RepositoryOptions {
  /** The legion's state directory. */
  readonly state: string;
  readonly environment: EnvironmentVariables;
  readonly clock: Clock;
  readonly problems: ActiveProblems;
  readonly openForge: (parts: ForgeParts) => Promise<Forge>;
  /** Called when a fact that may block worker starts has changed. */
  readonly onChange: () => void;
}

/** Dependencies of a forge. */
export interface ForgeParts {
  readonly source: RepositorySource;
  /** Directory for the forge's own state. */
  readonly state: string;
  readonly rules: RuleBook;
  readonly runCi: (checkout: string, sha: string, signal: AbortSignal) => Promise<CommandOutcome>;
}

export interface OpenRepository extends Repository {
  readonly source: RepositorySource;
  readonly rules: RuleBook;
  readonly baseline: Baseline;
  close(): Promise<void>;
}

export async function openRepository(
  source: RepositorySource,
  options: RepositoryOptions,
): Promise<OpenRepository> {
  try {
    return await buildRepository(options, source);
  } catch (error) {
    source.lookup.close();
    throw error;
  }
}

async function buildRepository(
  options: RepositoryOptions,
  source: RepositorySource,
): Promise<OpenRepository> {
  const { environment, clock, problems } = options;
  const { name, path, base, ref, git, lookup } = source;
  const state = buildRepositoryStatePath(options.state, name);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const rules = await openRuleBook({
    git,
    lookup,
    repository: path,
    repo: name,
    base,
    ref,
    clock,
    state: options.state,
    onFaultChange: (about, fault) =>
      fault === undefined
        ? problems.resolve(`${about} of ${name}`)
        : problems.report(`${about} of ${name}`, toError(fault)),
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
      const why =
        argv === undefined ? 'the repository does not define it' : 'the operator has not approved it';
      return { verdict: 'could_not_run', why, code: null, signal: null, durationMs: 0, tail: '' };
    }
    const outputFile = join(state, `${log}.log`);
    const bounds = { timeoutMs: COMMAND_LIMIT_MS, ...(signal === undefined ? {} : { signal }) };
    return runCommand({ argv, cwd, environment, env: { CI: 'true' }, outputFile, ...bounds });
  }

  /**
   * Runs setup before the command, because a clean checkout lacks the dependencies that setup
   * installs.
   */
  async function runPrepared(checkout: string, log: string, signal: AbortSignal): Promise<CommandOutcome> {
    if (rules.current().config.commands.setup !== undefined) {
      const prepared = await run('setup', checkout, log, signal);
      if (prepared.verdict !== 'passed') return { ...prepared, why: `commands.setup: ${prepared.why}` };
    }
    return run('ci', checkout, log, signal);
  }

  const forge = await options.openForge({
    source,
    rules,
    state: join(state, 'forge'),
    runCi: (checkout, sha, signal) => runPrepared(checkout, `ci-${sha}`, signal),
  });
  const { onChange: changed } = options;
  const baseline = await openBaseline({ source, state, environment, clock, onChange: changed });

  return {
    name,
    path,
    base,
    baseRef: ref.replace(/^refs\/(?:heads|remotes)\//, ''),
    forge,
    rules,
    source,
    baseline,
    fetchLatest: source.fetchLatest,
    async close() {
      await baseline.close();
      await forge.close();
      lookup.close();
    },
    async commands() {
      const { config: own, prompts, fingerprint, approved, promptsApproved } = await rules.refresh();
      const configured = Object.entries(own.commands).filter(([, argv]) => argv !== undefined);
      const commands = Object.fromEntries(configured.map(([command, argv]) => [command, [...(argv ?? [])]]));
      return {
        repo: name,
        fingerprint,
        commands,
        approved: approved && promptsApproved,
        prompts: { ...prompts.texts },
      };
    },
    readDiff: createDiffReader(source),
    async approve(fingerprint) {
      await rules.approve(fingerprint);
      changed();
    },
    run: (command, workspace, issue, signal) =>
      run(command, workspace, `${command}-${toFolderName(issue)}`, signal),
    async prompts() {
      const { prompts, promptsApproved } = rules.current();
      return promptsApproved ? prompts.templates : new Map();
    },
    async promptCommands() {
      const { approved, config: own } = rules.current();
      return { approved, commands: own.commands };
    },
    instructions: async (phase) => collectInstructions(rules.current().config, phase),
  };
}

/**
 * Limited, because a person is waiting for the diff. Even the largest change that a person can read
 * takes only a tenth of a second.
 */
const DIFF_LIMIT_MS = 10_000;

const COMMIT = /^[0-9a-f]{40,64}$/;

function createDiffReader(
  source: RepositorySource,
): (of: DiffSubject) => Promise<RepositoryDiff | undefined> {
  const { git, lookup, common, ref } = source;

  /** Returns undefined for unknown objects and for names that are not commits. */
  async function resolveCommits(...names: readonly string[]): Promise<readonly (string | undefined)[]> {
    return lookup.objects(names.map((name) => `${name}^{commit}`));
  }

  /**
   * Returns the commit at which `head` branched off from the base. If the two share no history,
   * returns the base itself, so that the diff shows everything in the base as removed.
   */
  async function findMergeBase(folder: string, base: string, head: string): Promise<string> {
    return (await git.ask(folder, ['merge-base', base, head]))?.trim() ?? base;
  }

  return async (of) => {
    const signal = AbortSignal.timeout(DIFF_LIMIT_MS);
    if ('workspace' in of) {
      const [base] = await resolveCommits(ref);
      if (base === undefined) return undefined;
      const { folder, commit } = of.workspace;
      const from = await findMergeBase(folder, base, commit ?? 'HEAD');
      return {
        base: from,
        head: '',
        ...copyChanges(await readChanges(git, folder, from, commit, signal)),
      };
    }
    const sha = 'landed' in of ? of.landed : of.head;
    if (!COMMIT.test(sha)) return undefined;
    const [head, base] = await resolveCommits(sha, 'landed' in of ? `${sha}^` : ref);
    if (head === undefined || base === undefined) return undefined;
    const from = 'landed' in of ? base : await findMergeBase(common, base, head);
    return { base: from, head, ...copyChanges(await readChanges(git, common, from, head, signal)) };
  };
}

function copyChanges({ truncated, files }: Awaited<ReturnType<typeof readChanges>>) {
  return { truncated, files: files.map((file) => ({ ...file })) };
}
