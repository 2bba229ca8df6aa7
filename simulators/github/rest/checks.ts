/** Implements the routes of job logs. */
import { ALL_APP_PERMISSIONS, getTokenPermission, isPermissionEnough } from '../model/access.ts';
import { listLatestChecks } from '../model/checks.ts';
import { GithubRefusal } from '../model/fault.ts';
import type { CheckRunNode } from '../model/nodes.ts';
import { checkRunJson } from './json.ts';
import { toPageResponse } from './page.ts';
import { type RestRequest, type RestRoute, requireVisibleRepository } from './route.ts';

export const CHECK_ROUTES: readonly RestRoute[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/actions/jobs/{job_id}/logs',
    as: 'token',
    answer: (asked) => {
      const { databaseId, repository } = requireJob(asked);
      if (
        asked.token === undefined ||
        !isPermissionEnough(getTokenPermission(repository, asked.token), 'READ')
      ) {
        throw new GithubRefusal('FORBIDDEN', 'Must have admin rights to Repository.');
      }
      // Redirects to a URL that needs no credentials, as GitHub's log storage does.
      return { status: 302, headers: { location: `${asked.desk.url}/_logs/${databaseId}` } };
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/actions/runs',
    as: 'token',
    answer: (asked) => {
      const runs = requireVisibleRepository(asked).checks.filter(
        (each): each is CheckRunNode => each.type === 'CheckRun' && each.log !== undefined,
      );
      const { actions } = asked.token?.permissions ?? ALL_APP_PERMISSIONS;
      if (actions === undefined)
        throw new GithubRefusal('FORBIDDEN', 'Resource not accessible by integration');
      const wrap = (page: readonly unknown[]) => ({ total_count: runs.length, workflow_runs: page });
      return toPageResponse(
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
      const repository = requireVisibleRepository(asked);
      const ref = asked.parameters.ref ?? '';
      const sha = repository.refs.get(`refs/heads/${ref}`) ?? ref;
      const runs = listLatestChecks(repository, sha).filter(
        (each): each is CheckRunNode => each.type === 'CheckRun',
      );
      const wrap = (page: readonly unknown[]) => ({ total_count: runs.length, check_runs: page });
      return toPageResponse(
        asked,
        runs.map((run) => checkRunJson(run, asked.desk.url)),
        wrap,
      );
    },
  },
];

function requireJob(asked: RestRequest): CheckRunNode {
  const id = Number(asked.parameters.job_id);
  const check = requireVisibleRepository(asked).checks.find((each) => each.databaseId === id);
  if (check?.type === 'CheckRun' && check.log !== undefined && check.conclusion !== null) return check;
  throw new GithubRefusal('NOT_FOUND', 'Not Found');
}
