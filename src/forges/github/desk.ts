/** What every behaviour of the GitHub forge works with. */
import type { Clock } from '../../domain/clock.ts';
import type { Authors } from '../../github/authors.ts';
import type { GithubClient } from '../../github/client.ts';
import type { IsLegion } from '../../github/own-mark.ts';
import type { IssuePlace } from '../../integrations/github/client/issue-reference.ts';
import type { Clone } from '../../integrations/github/forge/clone.ts';
import type { Identity } from '../identity.ts';

export interface Desk {
  readonly client: GithubClient;
  readonly repo: RepositoryName;
  /** The branch pull requests are merged into. */
  readonly base: string;
  readonly clone: Clone;
  readonly clock: Clock;
  /** By number. The log of a job that has ended does not change, and each costs a request. */
  readonly jobLogs: (job: string, ask: () => Promise<string | undefined>) => Promise<string | undefined>;
  /** Where the issue is that a branch is named after, which need not be the repository of the forge. */
  readonly issueOf: (branch: string) => IssuePlace | undefined;
  /** Numbers of pull requests here that the tracker shows at the issue a branch is named after. */
  readonly attached: (branch: string) => readonly number[];
  /** Whether an account, as GitHub shows it (`ada`, `legion-impl[bot]`), is one of Legion's own. */
  readonly isLegion: IsLegion;
  /** Whose word is an outsider's. */
  readonly authors: Authors;
  /** Under whose name the commits of reverts are made. */
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
