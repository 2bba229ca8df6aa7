/** The repository a legion works on: its forge, and its own commands and prompts, which count only once the operator has approved them. */

import type { IssueId } from '../core/model/ids.ts';
import type { Phase } from '../domain/mode.ts';
import type { Forge } from '../ports/forge.ts';
import type { Diff } from '../protocol/dashboard.ts';
import type { RepositoryCommands } from '../protocol/operator.ts';
import type { Templates } from './prompt/built-in.ts';
import type { PromptCommands } from './prompts/repository-commands.ts';

/** Names in `.legion/config.yml` under `commands`. */
export type CommandName = 'setup' | 'quality_gate' | 'test' | 'ci';

/** The repositories of a legion. A board may hold issues of others, too; nobody works on those. */
export interface Repositories {
  readonly all: readonly Repository[];
  find(issue: IssueId): Repository | undefined;
  /** Throws `repository.unknown` where none of them is the issue's. */
  of(issue: IssueId): Repository;
  /** The same, when work on it begins: from now on it is that one, also where marks on the issue said so and change. */
  settle(issue: IssueId): Repository;
}

export interface Repository {
  readonly name: string;
  /** A folder on this machine. */
  readonly path: string;
  readonly base: string;
  /** How git names the base in a workspace, such as `main` or `origin/main`. */
  readonly baseRef: string;
  readonly forge: Forge;
  /** Where people see a pull request, on a forge that has pages. */
  addressOf?(pullRequest: number): string;
  /** Brings here what the forge has, such as a newer base; nothing to do where the forge is this very folder. */
  renew(signal?: AbortSignal): Promise<void>;
  /** By what lies on this machine alone; undefined where a commit does not. */
  differences(of: Compared): Promise<Differences | undefined>;
  /** Commands and prompts as they stand on the base branch, and whether the operator approved exactly these. */
  commands(): Promise<RepositoryCommands>;
  approve(fingerprint: string): Promise<void>;
  /** Runs an approved command in a workspace; `could_not_run` says nothing about the code. `signal` ends it. */
  run(command: CommandName, workspace: string, issue: IssueId, signal: AbortSignal): Promise<CommandResult>;
  /** The repository's own templates, where they are approved; ours hold for the rest. */
  prompts(): Promise<Templates>;
  /** The commands as they were last read, for a prompt that names them. */
  promptCommands(): Promise<PromptCommands>;
  /** What the repository asks for in a phase's prompt; it cannot change a worker's rules. */
  instructions(phase: Phase): Promise<string | undefined>;
}

/** A commit since it left the base, one commit of the base, or a workspace with what is in no commit yet. */
export type Compared =
  | { readonly head: string }
  | { readonly landed: string }
  | { readonly workspace: string };

export type Differences = Pick<Diff, 'base' | 'head' | 'truncated' | 'files'>;

interface CommandResult {
  readonly verdict: 'passed' | 'failed' | 'could_not_run';
  readonly why: string;
  /** The end of what it wrote. */
  readonly tail: string;
}
