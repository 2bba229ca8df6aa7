/**
 * A repository of a legion: its forge, its commands and its prompts. The commands and prompts apply
 * only after the operator has approved them.
 */

import type { IssueId } from '../../core/model/ids.ts';
import type { Phase } from '../../core/model/mode.ts';
import type { Forge } from '../../ports/forge.ts';
import type { WorkspaceChanges } from '../../ports/workspace.ts';
import type { IssueDiff, RepositoryCommands } from '../../protocol/repository.ts';
import type { PromptTemplates } from './prompt-template.ts';

/** Names under `commands` in `.legion/config.yml`. */
export type CommandName = 'setup' | 'quality_gate' | 'test' | 'ci';

export interface PromptCommands {
  /** True if the operator approved exactly these commands. Legion runs them only then. */
  readonly approved: boolean;
  readonly commands: Readonly<Partial<Record<CommandName, readonly string[] | undefined>>>;
}

/**
 * The legion's repositories. A board may also hold issues from other repositories, which Legion
 * ignores.
 */
export interface Repositories {
  readonly all: readonly Repository[];
  find(issue: IssueId): Repository | undefined;
  /** Throws `repository.unknown` if the issue belongs to none of these repositories. */
  require(issue: IssueId): Repository;
  /**
   * Like `require`, but called when work begins: permanently assigns the issue to its repository,
   * so that a later change of its label or project has no effect.
   */
  assign(issue: IssueId): Repository;
}

export interface Repository {
  readonly name: string;
  /** The repository's directory on this machine. */
  readonly path: string;
  readonly base: string;
  /** Git's name for the base in a workspace, such as `main` or `origin/main`. */
  readonly baseRef: string;
  readonly forge: Forge;
  /** Returns the web address of a pull request, if the forge has a website. */
  addressOf?(pullRequest: number): string;
  /**
   * Fetches the newest commits from the forge. Does nothing if this directory is itself the local
   * forge's repository.
   */
  fetchLatest(signal?: AbortSignal): Promise<void>;
  /**
   * Returns the diff between commits that exist on this machine. Undefined if one of them does not.
   */
  readDiff(of: DiffSubject): Promise<RepositoryDiff | undefined>;
  /**
   * Returns the commands and prompts on the base branch and whether the operator approved exactly
   * these.
   */
  commands(): Promise<RepositoryCommands>;
  approve(fingerprint: string): Promise<void>;
  /**
   * Runs an approved command in a workspace until `signal` aborts it. The outcome `could_not_run`
   * is not evidence about the code.
   */
  run(command: CommandName, workspace: string, issue: IssueId, signal: AbortSignal): Promise<CommandResult>;
  /**
   * Returns the repository's own approved templates. Legion's built-in templates apply to all other
   * names.
   */
  prompts(): Promise<PromptTemplates>;
  /** Returns the commands as last read, for prompts that mention them. */
  promptCommands(): Promise<PromptCommands>;
  /**
   * Returns the repository's instructions for a phase's prompt. They cannot change a worker's
   * rules.
   */
  instructions(phase: Phase): Promise<string | undefined>;
}

/**
 * Subject of a diff: a head compared with the point where it left the base, one commit of the base,
 * or a workspace including uncommitted changes.
 */
export type DiffSubject =
  | { readonly head: string }
  | { readonly landed: string }
  | { readonly workspace: WorkspaceChanges };

export type RepositoryDiff = Pick<IssueDiff, 'base' | 'head' | 'truncated' | 'files'>;

interface CommandResult {
  readonly verdict: 'passed' | 'failed' | 'could_not_run';
  readonly why: string;
  /** End of the command's output. */
  readonly tail: string;
}
