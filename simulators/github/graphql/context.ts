/**
 * Defines the context of every resolver: the state, the requester, and values fixed for one
 * request.
 */
import type { RewrittenPlaces } from '../../rewrites.ts';
import type { GitFacts } from '../git/facts.ts';
import type { MergeState } from '../model/merge-state.ts';
import type { PullRequest, RewritableNode } from '../model/nodes.ts';
import type { GithubToken, GithubWorld } from '../model/world.ts';

export interface GithubResolverContext {
  readonly world: GithubWorld;
  readonly token: GithubToken;
  readonly facts: GitFacts;
  /** Base URL of this GitHub, for generated links. */
  readonly url: string;
  readonly rateLimit: RateLimit;
  /**
   * Merge state of each pull request, computed once per request so that two fields of one response
   * agree.
   */
  readonly told: Map<PullRequest, Promise<MergeState>>;
  /** Paths of the rewritten nodes in this response. */
  readonly places?: RewrittenPlaces<RewritableNode>;
}

interface RateLimit {
  readonly limit: number;
  readonly cost: number;
  readonly remaining: number;
  readonly used: number;
  readonly resetAt: number;
  readonly nodeCount: number;
}

export type GithubResolver = (source: never, args: never, context: GithubResolverContext) => unknown;
export type GithubResolverTable = Readonly<Record<string, Readonly<Record<string, GithubResolver>>>>;
