/**
 * Holds the whole state of the simulated GitHub, its clock and its ids, and notifies listeners of
 * each change.
 */
import type { FieldRewrite } from '../../rewrites.ts';
import type { BranchProtection, RepoName, RepositoryPermission } from '../simulator.ts';
import type { GithubChange } from './change.ts';
import type {
  Account,
  GithubNode,
  Issue,
  Project,
  PullRequest,
  Repository,
  RewritableNode,
} from './nodes.ts';

export interface GithubToken {
  readonly value: string;
  readonly account: Account;
  /** Undefined grants all permissions of the account. */
  readonly scopes: readonly string[] | undefined;
  /** Set for the token of an app's installation. */
  readonly installation?: AppInstallation;
  readonly permissions?: Readonly<Record<string, 'read' | 'write'>> | undefined;
  /**
   * Repositories that an installation token is restricted to. Undefined means all repositories of
   * its owner.
   */
  readonly repositories?: readonly string[] | undefined;
  readonly expiresAt?: number;
}

export interface AppInstallation {
  readonly appId: number;
  readonly id: number;
  readonly slug: string;
  readonly owner: Account;
  readonly bot: Account;
  readonly publicKey: string;
  readonly permissions: Readonly<Record<string, 'read' | 'write'>> | undefined;
}

export interface OddField {
  readonly matches: (node: GithubNode) => boolean;
  readonly field: string;
  readonly answer: (value: unknown) => unknown;
}

export interface GithubClock {
  /** Milliseconds since 1970. */
  now(): number;
}

export class GithubWorld {
  readonly accounts = new Map<string, Account>();
  readonly repositories = new Map<string, Repository>();
  readonly projects: Project[] = [];
  readonly tokens = new Map<string, GithubToken>();
  readonly installations = new Map<number, AppInstallation>();
  readonly nodes = new Map<string, GithubNode>();
  /** Fields whose values a test overrides. */
  readonly oddFields: OddField[] = [];
  /** Rewrites of finished responses. */
  readonly rewrites: FieldRewrite<RewritableNode>[] = [];
  /** After a push, how many reads return UNKNOWN as the mergeability. */
  unknowns = 1;
  readonly #clock: GithubClock;
  readonly #listeners: ((change: GithubChange) => void)[] = [];
  #last = 0;

  constructor(clock: GithubClock) {
    this.#clock = clock;
  }

  /** Whole seconds, like all of GitHub's times. */
  now(): number {
    return Math.floor(this.#clock.now() / 1000);
  }

  milliseconds(): number {
    return this.#clock.now();
  }

  /** Ids increase, so that a later node has the greater id even within one second. */
  identity(prefix: string): { id: string; databaseId: number; createdAt: number } {
    this.#last += 1;
    // Leading zeros make the ids sort as text in the order of creation.
    const id = `${prefix}_kwDO${String(this.#last).padStart(8, '0')}`;
    return { id, databaseId: this.#last, createdAt: this.now() };
  }

  add<N extends GithubNode>(node: N): N {
    this.nodes.set(node.id, node);
    return node;
  }

  onChange(listener: (change: GithubChange) => void): void {
    this.#listeners.push(listener);
  }

  changed(change: GithubChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** Logins and repository names are case-insensitive. */
  account(login: string): Account {
    const account = this.accounts.get(login.toLowerCase());
    if (account === undefined) throw new Error(`Unknown account ${login}.`);
    return account;
  }

  repository(name: RepoName | string): Repository {
    const repository = this.repositories.get(name.toLowerCase());
    if (repository === undefined) throw new Error(`Unknown repository ${name}.`);
    return repository;
  }

  thread(name: RepoName, number: number): Issue | PullRequest {
    const thread = this.repository(name).threads[number - 1];
    if (thread === undefined) throw new Error(`${name}#${number} does not exist.`);
    return thread;
  }

  issue(name: RepoName, number: number): Issue {
    const thread = this.thread(name, number);
    if (thread.type !== 'Issue') throw new Error(`${name}#${number} is a pull request`);
    return thread;
  }

  pullRequest(name: RepoName, number: number): PullRequest {
    const thread = this.thread(name, number);
    if (thread.type !== 'PullRequest') throw new Error(`${name}#${number} is an issue`);
    return thread;
  }

  project(name: string): Project {
    const [owner = '', number = ''] = name.split('/');
    const project = this.projects.find(
      (each) => each.owner.login.toLowerCase() === owner.toLowerCase() && each.number === Number(number),
    );
    if (project === undefined) throw new Error(`Unknown project ${name}.`);
    return project;
  }

  grant(name: RepoName, login: string, permission: RepositoryPermission): void {
    this.repository(name).grants.set(this.account(login).login, permission);
  }

  protect(name: RepoName, branch: string, protection: BranchProtection): void {
    this.repository(name).protections.set(branch, protection);
  }
}
