/** What every resolver is given: the workspace, who asks, and where this Linear is. */
import type { RewrittenPlaces } from '../../rewrites.ts';
import type { LinearNode } from '../model/nodes.ts';
import type { Credential, World } from '../model/world.ts';

export interface Context {
  readonly world: World;
  readonly credential: Credential;
  /** For the addresses it gives out. */
  readonly url: string;
  /** Where in the answer to this request nodes stand that are rewritten. */
  readonly places?: RewrittenPlaces<LinearNode>;
}

export type Resolver = (source: never, args: never, context: Context) => unknown;
export type Table = Readonly<Record<string, Readonly<Record<string, Resolver>>>>;
