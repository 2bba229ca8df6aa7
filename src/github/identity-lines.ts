/** Who acts for Legion and its roles on GitHub, in sentences for people: said at the start and by `legion doctor`. */
import type { IdentityNote } from './credentials.ts';

/** What it means that whoever wrote a pull request is also who judges it. */
export const NO_NATIVE_REVIEW =
  'GitHub takes no review from the author of a pull request, so verdicts are labels on it instead';

export function identityLines(notes: readonly IdentityNote[]): readonly string[] {
  const lines = notes.flatMap((note) =>
    note.own ? [`${subject(note)} on GitHub ${actsAs(note)} (${note.uses}).`] : [],
  );
  const falling = notes.filter(({ own }) => !own).map(({ who }) => who);
  if (falling.length === 0) return lines;
  const have =
    falling.length === 1 ? 'has no identity of its own and acts' : 'have no identity of their own and act';
  const why = sharesAccount(notes) ? `: ${NO_NATIVE_REVIEW}` : '';
  const roles = `${falling.length === 1 ? 'Role' : 'Roles'} ${falling.join(' and ')}`;
  return [...lines, `${roles} ${have} as Legion itself${why}.`];
}

/** Whether code and verdicts come from one account; where GitHub would not say, by who has an identity. */
export function sharesAccount(notes: readonly IdentityNote[]): boolean {
  const [impl, review] = (['impl', 'review'] as const).map((role) => notes.find(({ who }) => who === role));
  if (typeof impl?.login === 'string' && typeof review?.login === 'string')
    return impl.login === review.login;
  return impl?.own === false && review?.own === false;
}

function subject({ who }: IdentityNote): string {
  return who === 'legion' ? 'Legion' : `Role ${who}`;
}

function actsAs({ login }: IdentityNote): string {
  return typeof login === 'string'
    ? `acts as ${login}`
    : `has an account that is not known: ${login.message}`;
}
