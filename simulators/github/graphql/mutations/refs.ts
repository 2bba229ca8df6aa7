/** Implements the mutations of branches. */
import type { CreateRefInput, DeleteRefInput } from '@octokit/graphql-schema';
import { tryGit } from '../../git/run-git.ts';
import { GithubRefusal, toUnprocessable } from '../../model/fault.ts';
import { updateRefs } from '../../model/refs.ts';
import { findRefNode, toRefId } from '../types/checks.ts';
import { find, requireRepository } from './allowed.ts';
import { defineMutation } from './define.ts';

const NONE = '0'.repeat(40);
const APP = ['contents'];

export const REF_MUTATIONS = {
  ...defineMutation<CreateRefInput>('createRef', async (input, context, name) => {
    const repository = find(context, input.repositoryId, 'Repository');
    requireRepository(context, repository, name, { permission: 'WRITE', app: APP });
    if (!input.name.startsWith('refs/heads/'))
      throw toUnprocessable('Reference name must start with refs/heads/');
    const made = await tryGit(repository.folder, ['update-ref', input.name, String(input.oid), NONE]);
    if (made.code !== 0)
      throw toUnprocessable(`A ref named "${input.name}" already exists in the repository.`);
    updateRefs(context.world, repository, context.token.account);
    return { ref: findRefNode(repository, input.name.replace('refs/heads/', '')) };
  }),
  ...defineMutation<DeleteRefInput>('deleteRef', async (input, context, name) => {
    const found = [...context.world.repositories.values()]
      .flatMap((repository) => [...repository.refs.keys()].map((ref) => ({ repository, ref })))
      .map(({ repository, ref }) => findRefNode(repository, ref.replace('refs/heads/', '')))
      .find((ref) => ref !== null && toRefId(ref) === input.refId);
    if (found == null) {
      throw new GithubRefusal(
        'NOT_FOUND',
        `Could not resolve to a node with the global id of '${input.refId}'`,
      );
    }
    const { repository } = found;
    requireRepository(context, repository, name, { permission: 'WRITE', app: APP });
    if (repository.protections.has(found.name) || found.name === repository.base) {
      throw toUnprocessable('Cannot delete a protected branch');
    }
    await tryGit(repository.folder, ['update-ref', '-d', `refs/heads/${found.name}`, found.oid]);
    updateRefs(context.world, repository, context.token.account);
    return {};
  }),
};
