/** Where a value came from, for `legion config check`, `doctor` and messages. */
import { at, type Place } from '../yaml/place.ts';

export type Source =
  | { readonly from: 'flag'; readonly name: string }
  | ({ readonly from: 'file'; readonly path: string } & Place)
  | { readonly from: 'environment'; readonly name: string }
  | { readonly from: 'default' };

/** By key: `limits.workers`. Every key with a fixed name is there, also where its value is left to a default elsewhere. */
export type Sources = ReadonlyMap<string, Source>;

export function sourceText(source: Source): string {
  switch (source.from) {
    case 'flag':
    case 'environment':
      return source.name;
    case 'file':
      return at(source.path, source);
    case 'default':
      return 'default';
  }
}
