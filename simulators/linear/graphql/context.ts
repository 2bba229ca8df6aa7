/** Defines the context of every resolver: the workspace, the requester, and this Linear's URL. */
import type { RewrittenPlaces } from '../../rewrites.ts';
import type { LinearNode } from '../model/nodes.ts';
import type { LinearCredential, LinearWorld } from '../model/world.ts';

export interface LinearResolverContext {
  readonly world: LinearWorld;
  readonly credential: LinearCredential;
  /** For generated links. */
  readonly url: string;
  /** Paths of the rewritten nodes in this response. */
  readonly places?: RewrittenPlaces<LinearNode>;
}

export type LinearResolver = (source: never, args: never, context: LinearResolverContext) => unknown;
export type LinearResolverTable = Readonly<Record<string, Readonly<Record<string, LinearResolver>>>>;
