/** What every behaviour of the GitHub forge works with. */
import type { Clock } from '../../domain/clock.ts';
import type { GithubClient } from '../../github/client.ts';
import type { Identity } from '../identity.ts';
import type { Clone } from './clone.ts';

export interface Desk {
  readonly client: GithubClient;
  readonly repo: RepositoryName;
  readonly base: string;
  readonly clone: Clone;
  readonly clock: Clock;
  readonly issueOf: (branch: string) => IssuePlace | undefined;
  /** Whether an account, as GitHub shows it, is one that Legion or its roles act as. */
  readonly isLegion: (login: string) => boolean;
  /** Under whose name commits are made. */
  readonly identity: () => Promise<Identity>;
  /** Told of what was set aside so that the rest could go on. */
  readonly complain: (error: unknown) => void;
  /** After a write: what is remembered of the branch counts no longer, and whoever listens is told. */
  readonly changed: (branch: string) => void;
  /** Aborted when the forge is closed; for what nobody else can give up. */
  readonly closing: AbortSignal;
}

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** Where an issue is, which need not be the repository of the forge. */
export interface IssuePlace {
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
}
