/** `pr_edit`: another title or body. */
import { LegionError } from '../../../core/model/fault.ts';
import { neededOpenPullRequest } from '../needed.ts';
import type { Saying } from '../saying.ts';

export const prEdit: Saying<'pr_edit'> = async (world, { issue }, { title, body }) => {
  if (title === undefined && body === undefined) {
    throw new LegionError('input.invalid', 'pr_edit: neither title nor body is given');
  }
  const { number } = await neededOpenPullRequest(world, issue);
  await world.repositories.of(issue).forge.edit(number, {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
  });
  world.wake(issue);
  return { says: `Pull request ${number} is changed.` };
};
