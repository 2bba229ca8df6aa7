/** Mutations of branches. */
import type { CreateRefInput, DeleteRefInput } from '@octokit/graphql-schema';
import { attempt } from '../../git/run-git.ts';
import { GithubRefusal, unprocessable } from '../../model/fault.ts';
import { noticeRefs } from '../../model/refs.ts';
import { refId, refOf } from '../types/checks.ts';
import { find, requireRepository } from './allowed.ts';
import { mutation } from './define.ts';

const NONE = '0'.repeat(40);
const APP = ['contents'];

export const REF_MUTATIONS = {
  ...mutation<CreateRefInput>('createRef', async (input, context, name) => {
    const repository = find(context, input.repositoryId, 'Repository');
    requireRepository(context, repository, name, { permission: 'WRITE', app: APP });
    if (!input.name.startsWith('refs/heads/'))
      throw unprocessable('Reference name must start with refs/heads/');
    const made = await attempt(repository.folder, ['update-ref', input.name, String(input.oid), NONE]);
    if (made.code !== 0) throw unprocessable(`A ref named "${input.name}" already exists in the repository.`);
    noticeRefs(context.world, repository, context.token.account);
    return { ref: refOf(repository, input.name.replace('refs/heads/', '')) };
  }),
  ...mutation<DeleteRefInput>('deleteRef', async (input, context, name) => {
    const found = [...context.world.repositories.values()]
      .flatMap((repository) => [...repository.refs.keys()].map((ref) => ({ repository, ref })))
      .map(({ repository, ref }) => refOf(repository, ref.replace('refs/heads/', '')))
      .find((ref) => ref !== null && refId(ref) === input.refId);
    if (found == null) {
      throw new GithubRefusal(
        'NOT_FOUND',
        `Could not resolve to a node with the global id of '${input.refId}'`,
      );
    }
    const { repository } = found;
    requireRepository(context, repository, name, { permission: 'WRITE', app: APP });
    if (repository.protections.has(found.name) || found.name === repository.base) {
      throw unprocessable('Cannot delete a protected branch');
    }
    await attempt(repository.folder, ['update-ref', '-d', `refs/heads/${found.name}`, found.oid]);
    noticeRefs(context.world, repository, context.token.account);
    return {};
  }),
};
