/** What every resolver is given: the workspace, who asks, and where this Linear is. */
import type { Credential, World } from '../model/world.ts';

export interface Context {
  readonly world: World;
  readonly credential: Credential;
  /** For the addresses it gives out. */
  readonly url: string;
}

export type Resolver = (source: never, args: never, context: Context) => unknown;
export type Table = Readonly<Record<string, Readonly<Record<string, Resolver>>>>;
