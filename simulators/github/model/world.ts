/** The whole state of the simulated GitHub, its clock and its numbering; who wants to know of changes is told of each. */
import type { Rewrite } from '../../rewrites.ts';
import type { Permission, Protection, RepoName } from '../simulator.ts';
import type { Change } from './change.ts';
import type {
  Account,
  GithubNode,
  Issue,
  Project,
  PullRequest,
  Repository,
  RewritableNode,
} from './nodes.ts';

export interface Token {
  readonly value: string;
  readonly account: Account;
  /** Undefined: all an account may. */
  readonly scopes: readonly string[] | undefined;
  /** Of an app's installation. */
  readonly installation?: Installation;
  readonly permissions?: Readonly<Record<string, 'read' | 'write'>> | undefined;
  /** Those an installation's token was narrowed to; all of its owner's where undefined. */
  readonly repositories?: readonly string[] | undefined;
  readonly expiresAt?: number;
}

export interface Installation {
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

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

export class World {
  readonly accounts = new Map<string, Account>();
  readonly repositories = new Map<string, Repository>();
  readonly projects: Project[] = [];
  readonly tokens = new Map<string, Token>();
  readonly installations = new Map<number, Installation>();
  readonly nodes = new Map<string, GithubNode>();
  /** Fields that are answered otherwise than the world has them. */
  readonly oddFields: OddField[] = [];
  /** Changes to finished answers. */
  readonly rewrites: Rewrite<RewritableNode>[] = [];
  /** How often mergeability is UNKNOWN after a push. */
  unknowns = 1;
  readonly #clock: Clock;
  readonly #listeners: ((change: Change) => void)[] = [];
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whole seconds, as all of GitHub's times are. */
  now(): number {
    return Math.floor(this.#clock.now() / 1000);
  }

  milliseconds(): number {
    return this.#clock.now();
  }

  /** Ids count up, so what is made later has the greater one even within a second. */
  identity(prefix: string): { id: string; databaseId: number; createdAt: number } {
    this.#last += 1;
    // Zeros in front keep the order of ids as texts the order in which they were made.
    const id = `${prefix}_kwDO${String(this.#last).padStart(8, '0')}`;
    return { id, databaseId: this.#last, createdAt: this.now() };
  }

  add<N extends GithubNode>(node: N): N {
    this.nodes.set(node.id, node);
    return node;
  }

  onChange(listener: (change: Change) => void): void {
    this.#listeners.push(listener);
  }

  changed(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** Logins and names of repositories are the same however they are capitalised. */
  account(login: string): Account {
    const account = this.accounts.get(login.toLowerCase());
    if (account === undefined) throw new Error(`there is no account ${login}`);
    return account;
  }

  repository(name: RepoName | string): Repository {
    const repository = this.repositories.get(name.toLowerCase());
    if (repository === undefined) throw new Error(`there is no repository ${name}`);
    return repository;
  }

  thread(name: RepoName, number: number): Issue | PullRequest {
    const thread = this.repository(name).threads[number - 1];
    if (thread === undefined) throw new Error(`there is no ${name}#${number}`);
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
    if (project === undefined) throw new Error(`there is no project ${name}`);
    return project;
  }

  grant(name: RepoName, login: string, permission: Permission): void {
    this.repository(name).grants.set(this.account(login).login, permission);
  }

  protect(name: RepoName, branch: string, protection: Protection): void {
    this.repository(name).protections.set(branch, protection);
  }
}
