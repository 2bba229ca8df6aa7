/** Puts together a repository a legion works on: its forge, its rules, and the host that runs its commands. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { instructionsOf } from '../../config/repository/instructions.ts';
import { toError } from '../../core/model/fault.ts';
import { folderName } from '../../core/model/ids.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Environment } from '../../domain/environment.ts';
import { changesIn } from '../../git/diff.ts';
import { type CommandOutcome, runCommand } from '../../hosts/local/command.ts';
import type { Forge } from '../../ports/forge.ts';
import type { Ground } from '../compose-ground.ts';
import type { Baseline } from '../preflight/baseline.ts';
import { openRuleBook, type RuleBook } from '../repositories/rules.ts';
import type { CommandName, Compared, Differences, Repository } from '../repository.ts';
import type { Troubles } from '../troubles.ts';
import { repositoryState } from './open-state-folder.ts';
import { openBaseline } from './run-baseline.ts';

/** The longest build and test suite of a peer took 100 min; a command that takes longer hangs. */
const COMMAND_LIMIT_MS = 2 * 60 * 60_000;

export interface RepositoryOptions {
  /** The state folder of the legion. */
  readonly state: string;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly troubles: Troubles;
  readonly openForge: (parts: ForgeParts) => Promise<Forge>;
  /** Something that may hold starts has changed. */
  readonly changed: () => void;
}

/** What a forge is opened with. */
export interface ForgeParts {
  readonly ground: Ground;
  /** A folder for what it keeps. */
  readonly state: string;
  readonly rules: RuleBook;
  readonly runCi: (checkout: string, sha: string, signal: AbortSignal) => Promise<CommandOutcome>;
}

export interface OpenRepository extends Repository {
  readonly ground: Ground;
  readonly rules: RuleBook;
  readonly baseline: Baseline;
  close(): Promise<void>;
}

export async function openRepository(ground: Ground, options: RepositoryOptions): Promise<OpenRepository> {
  try {
    return await assemble(options, ground);
  } catch (error) {
    ground.lookup.close();
    throw error;
  }
}

async function assemble(options: RepositoryOptions, ground: Ground): Promise<OpenRepository> {
  const { environment, clock, troubles } = options;
  const { name, path, base, ref, git, lookup } = ground;
  const state = repositoryState(options.state, name);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const rules = await openRuleBook({
    ...{ git, lookup, repository: path, repo: name, base, ref, clock, state: options.state },
    tell: (about, fault) =>
      fault === undefined
        ? troubles.clear(`${about} of ${name}`)
        : troubles.raise(`${about} of ${name}`, toError(fault)),
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

  /** A clean checkout lacks what the setup installs, and the commands are written for a workspace that has it. */
  async function runPrepared(checkout: string, log: string, signal: AbortSignal): Promise<CommandOutcome> {
    if (rules.current().config.commands.setup !== undefined) {
      const prepared = await run('setup', checkout, log, signal);
      if (prepared.verdict !== 'passed') return { ...prepared, why: `commands.setup: ${prepared.why}` };
    }
    return run('ci', checkout, log, signal);
  }

  const forge = await options.openForge({
    ...{ ground, rules, state: join(state, 'forge') },
    runCi: (checkout, sha, signal) => runPrepared(checkout, `ci-${sha}`, signal),
  });
  const { changed } = options;
  const baseline = await openBaseline({ ground, state, environment, clock, changed });

  return {
    name,
    path,
    base,
    baseRef: ref.replace(/^refs\/(?:heads|remotes)\//, ''),
    forge,
    rules,
    ground,
    baseline,
    renew: ground.renew,
    async close() {
      await baseline.close();
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
    differences: differencesIn(ground),
    async approve(fingerprint) {
      await rules.approve(fingerprint);
      changed();
    },
    run: (command, workspace, issue, signal) =>
      run(command, workspace, `${command}-${folderName(issue)}`, signal),
    async prompts() {
      const { prompts, promptsApproved } = rules.current();
      return promptsApproved ? prompts.templates : new Map();
    },
    async promptCommands() {
      const { approved, config: own } = rules.current();
      return { approved, commands: own.commands };
    },
    instructions: async (phase) => instructionsOf(rules.current().config, phase),
  };
}

/** A person waits for it; the largest change anybody reads takes a tenth of a second. */
const DIFFERENCES_MS = 10_000;

const COMMIT = /^[0-9a-f]{40,64}$/;

function differencesIn(ground: Ground): (of: Compared) => Promise<Differences | undefined> {
  const { git, lookup, common, ref } = ground;

  /** Undefined for what is not here, and for what is no name of a commit. */
  async function commitsOf(...names: readonly string[]): Promise<readonly (string | undefined)[]> {
    return lookup.objects(names.map((name) => `${name}^{commit}`));
  }

  /** Without common history all of the base counts as removed. */
  async function leftAt(folder: string, base: string, head: string): Promise<string> {
    return (await git.ask(folder, ['merge-base', base, head]))?.trim() ?? base;
  }

  return async (of) => {
    const signal = AbortSignal.timeout(DIFFERENCES_MS);
    if ('workspace' in of) {
      const [base] = await commitsOf(ref);
      if (base === undefined) return undefined;
      const from = await leftAt(of.workspace, base, 'HEAD');
      return { base: from, head: '', ...copied(await changesIn(git, of.workspace, from, undefined, signal)) };
    }
    const sha = 'landed' in of ? of.landed : of.head;
    if (!COMMIT.test(sha)) return undefined;
    const [head, base] = await commitsOf(sha, 'landed' in of ? `${sha}^` : ref);
    if (head === undefined || base === undefined) return undefined;
    const from = 'landed' in of ? base : await leftAt(common, base, head);
    return { base: from, head, ...copied(await changesIn(git, common, from, head, signal)) };
  };
}

function copied({ truncated, files }: Awaited<ReturnType<typeof changesIn>>) {
  return { truncated, files: files.map((file) => ({ ...file })) };
}
