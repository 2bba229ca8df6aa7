/** Which texts on GitHub are Legion's own. */
import { type Actor, accountName } from './actor.ts';
import { unmarked } from './mark.ts';

export interface Text {
  readonly author: Actor | null;
  readonly body: string;
}

/** Whether an account, as GitHub shows it, is one that Legion or its roles act as. */
export type IsLegion = (login: string) => boolean;

/** The name in its mark. The mark alone does not make it Legion's: anybody can write one. */
export function ownMark({ author, body }: Text, isLegion: IsLegion): string | undefined {
  return isLegion(accountName(author)) ? unmarked(body).name : undefined;
}
