/** What every resolver is given: the world, who asks, and what is decided once a request. */
import type { RewrittenPlaces } from '../../rewrites.ts';
import type { GitFacts } from '../git/facts.ts';
import type { MergeState } from '../model/merge-state.ts';
import type { PullRequest, RewritableNode } from '../model/nodes.ts';
import type { Token, World } from '../model/world.ts';

export interface Context {
  readonly world: World;
  readonly token: Token;
  readonly facts: GitFacts;
  /** Where this GitHub is, for the addresses it gives out. */
  readonly url: string;
  readonly rateLimit: RateLimit;
  /** Mergeability is told once a request, so that two fields of one answer agree. */
  readonly told: Map<PullRequest, Promise<MergeState>>;
  /** Where in the answer to this request nodes stand that are rewritten. */
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

export type Resolver = (source: never, args: never, context: Context) => unknown;
export type Table = Readonly<Record<string, Readonly<Record<string, Resolver>>>>;
