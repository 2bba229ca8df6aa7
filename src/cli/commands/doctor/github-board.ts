/** Whether a board on GitHub has a column for each status, and its repositories Legion's labels. */
import { existsSync } from 'node:fs';
import { repositoryName } from '../../../daemon/compose-clone.ts';
import type { ColumnNames } from '../../../domain/status.ts';
import type { Github } from '../../../github/open.ts';
import { compareColumns } from '../../columns.ts';
import type { CommandContext } from '../../command.ts';
import { readBoard } from '../../github/board.ts';
import { missingLabels } from '../../github/labels.ts';
import { readProjectName } from '../../github/project-name.ts';
import { notePath } from '../../github/rewrite-note.ts';
import type { Place } from '../../place.ts';
import { sayNames } from '../init/board-page.ts';
import { byHand } from '../init/github-page.ts';
import { bad, type Finding, fromError, ok, warn } from './finding.ts';

export async function board(
  client: Github,
  { resolved, state }: Place,
  { signal }: CommandContext,
): Promise<readonly Finding[]> {
  const { legion, statuses, backend } = resolved.config;
  const project = readProjectName(legion);
  if (backend !== 'github' || project === undefined) return [];
  if (existsSync(notePath(state)))
    return [
      bad(
        'columns',
        `they were being written anew, and items are not all back (${notePath(state)})`,
        'Go on with it: legion init --create-missing --rewrite-options',
      ),
    ];
  try {
    const found = await readBoard(client, project, signal);
    const columns = compareColumns(
      found.options.map(({ name }) => name),
      statuses as ColumnNames,
    );
    const where = `${found.title}, ${found.url}`;
    if (columns.missing.length > 0)
      return [
        bad('columns', `none for ${columns.missing.join(', ')}; ${where}`, byHand(found, columns.missing)),
      ];
    return Object.keys(columns.unsaid).length === 0
      ? [ok('columns', `every status has one; ${where}`)]
      : [bad('columns', `some have names that Legion does not know; ${where}`, sayNames(columns.unsaid))];
  } catch (error) {
    return [fromError('columns', error)];
  }
}

export async function labels(
  client: Github,
  repos: readonly string[],
  { resolved }: Place,
  { signal }: CommandContext,
): Promise<readonly Finding[]> {
  const purpose = resolved.config.backend === 'github' ? 'everything' : 'pull requests';
  return Promise.all(
    repos.map(async (repo) => {
      const what = `labels of ${repo}`;
      try {
        const { owner, name } = repositoryName(repo);
        const { missing } = await missingLabels(client, `${owner}/${name}`, signal, purpose);
        if (missing.length === 0) return ok(what, 'all there');
        const next =
          'Nothing has to be done: each is made when it is first needed. To set one by hand before: legion init --create-missing';
        return warn(what, `missing: ${missing.join(', ')}`, next);
      } catch (error) {
        return fromError(what, error);
      }
    }),
  );
}
