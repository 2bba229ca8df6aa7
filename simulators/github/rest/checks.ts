/** Routes of what CI left: the logs of jobs. */
import { ALL_GIVEN, reaches, tokenPermission } from '../model/access.ts';
import { checksOf } from '../model/checks.ts';
import { GithubRefusal } from '../model/fault.ts';
import type { CheckRunNode } from '../model/nodes.ts';
import { checkRunJson } from './json.ts';
import { paged } from './page.ts';
import { type Asked, type Route, repositoryOf } from './route.ts';

export const CHECK_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/actions/jobs/{job_id}/logs',
    as: 'token',
    answer: (asked) => {
      const { databaseId, repository } = jobOf(asked);
      if (asked.token === undefined || !reaches(tokenPermission(repository, asked.token), 'READ')) {
        throw new GithubRefusal('FORBIDDEN', 'Must have admin rights to Repository.');
      }
      // A place of its own that needs no credentials, as the store behind GitHub's is.
      return { status: 302, headers: { location: `${asked.desk.url}/_logs/${databaseId}` } };
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/actions/runs',
    as: 'token',
    answer: (asked) => {
      const runs = repositoryOf(asked).checks.filter(
        (each): each is CheckRunNode => each.type === 'CheckRun' && each.log !== undefined,
      );
      const { actions } = asked.token?.permissions ?? ALL_GIVEN;
      if (actions === undefined)
        throw new GithubRefusal('FORBIDDEN', 'Resource not accessible by integration');
      const wrap = (page: readonly unknown[]) => ({ total_count: runs.length, workflow_runs: page });
      return paged(
        asked,
        runs.map((run) => ({ ...checkRunJson(run, asked.desk.url), event: 'push' })),
        wrap,
      );
    },
  },
  {
    method: 'GET',
    path: '/_logs/{job_id}',
    as: 'anybody',
    free: true,
    answer: ({ desk, parameters }) => {
      const id = Number(parameters.job_id);
      const all = [...desk.world.repositories.values()].flatMap(({ checks }) => checks);
      const check = all.find(
        (each): each is CheckRunNode => each.type === 'CheckRun' && each.databaseId === id,
      );
      if (check?.log === undefined) throw new GithubRefusal('NOT_FOUND', 'Not Found');
      return { status: 200, text: check.log };
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits/{ref}/check-runs',
    as: 'token',
    answer: (asked) => {
      const repository = repositoryOf(asked);
      const ref = asked.parameters.ref ?? '';
      const sha = repository.refs.get(`refs/heads/${ref}`) ?? ref;
      const runs = checksOf(repository, sha).filter((each): each is CheckRunNode => each.type === 'CheckRun');
      const wrap = (page: readonly unknown[]) => ({ total_count: runs.length, check_runs: page });
      return paged(
        asked,
        runs.map((run) => checkRunJson(run, asked.desk.url)),
        wrap,
      );
    },
  },
];

function jobOf(asked: Asked): CheckRunNode {
  const id = Number(asked.parameters.job_id);
  const check = repositoryOf(asked).checks.find((each) => each.databaseId === id);
  if (check?.type === 'CheckRun' && check.log !== undefined && check.conclusion !== null) return check;
  throw new GithubRefusal('NOT_FOUND', 'Not Found');
}
