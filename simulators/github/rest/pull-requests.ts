/** Implements the routes of pull request files, comparisons and branch protection. */
import type { ChangedFile } from '../git/changed-files.ts';
import { getTokenPermission, isPermissionEnough } from '../model/access.ts';
import { GithubRefusal } from '../model/fault.ts';
import type { Repository } from '../model/nodes.ts';
import type { BranchProtection } from '../simulator.ts';
import { toPageResponse } from './page.ts';
import { type RestRequest, type RestRoute, requireVisibleRepository } from './route.ts';

export const PULL_REQUEST_ROUTES: readonly RestRoute[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/files',
    as: 'token',
    answer: async (asked) => {
      const repository = requireVisibleRepository(asked);
      const thread = repository.threads[Number(asked.parameters.pull_number) - 1];
      if (thread?.type !== 'PullRequest') throw new GithubRefusal('NOT_FOUND', 'Not Found');
      const files = await asked.desk.facts.files(repository.folder, thread.baseOid, thread.headOid);
      return toPageResponse(asked, files.map(toFileJson));
    },
  },
  { method: 'GET', path: '/repos/{owner}/{repo}/compare/{basehead}', as: 'token', answer: compare },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/branches/{branch}/protection',
    as: 'token',
    answer: (asked) => {
      const repository = requireVisibleRepository(asked);
      if (
        asked.token === undefined ||
        !isPermissionEnough(getTokenPermission(repository, asked.token), 'ADMIN')
      ) {
        throw new GithubRefusal('NOT_FOUND', 'Not Found'); // GitHub answers 404 for everything that only administrators may see
      }
      const protection = repository.protections.get(asked.parameters.branch ?? '');
      if (protection === undefined) throw new GithubRefusal('NOT_FOUND', 'Branch not protected');
      return { status: 200, body: toProtectionJson(protection) };
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/rules/branches/{branch}',
    as: 'token',
    answer: (asked) => {
      const protection = requireVisibleRepository(asked).protections.get(asked.parameters.branch ?? '');
      return toPageResponse(asked, protection === undefined ? [] : toRulesJson(protection));
    },
  },
];

/** GitHub's limit for the files of a comparison. */
const MAX_FILES = 300;

async function compare(asked: RestRequest) {
  const repository = requireVisibleRepository(asked);
  const { facts } = asked.desk;
  const [from = '', to = ''] = (asked.parameters.basehead ?? '').split('...');
  const base = await resolveCommit(asked, repository, from);
  const head = await resolveCommit(asked, repository, to);
  const ahead = await facts.commits(repository.folder, base, head);
  const behind = await facts.commits(repository.folder, head, base);
  const parted = await facts.base(repository.folder, base, head);
  const diverged = ahead.length > 0 && behind.length > 0;
  const oneSided = ahead.length > 0 ? 'ahead' : behind.length > 0 ? 'behind' : 'identical';
  const files = await facts.files(repository.folder, base, head);
  const page = toPageResponse(
    asked,
    ahead.map((sha) => ({ sha })),
    (commits) => ({
      status: diverged ? 'diverged' : oneSided,
      ahead_by: ahead.length,
      behind_by: behind.length,
      total_commits: ahead.length,
      base_commit: { sha: base },
      merge_base_commit: { sha: parted },
      commits,
      files: files.slice(0, MAX_FILES).map(toFileJson),
    }),
  );
  return page;
}

async function resolveCommit({ desk }: RestRequest, repository: Repository, name: string): Promise<string> {
  const oid = repository.refs.get(`refs/heads/${name}`) ?? name;
  if (await desk.facts.exists(repository.folder, oid)) return oid;
  throw new GithubRefusal('NOT_FOUND', 'Not Found');
}

const STATUSES: Readonly<Record<ChangedFile['change'], string>> = {
  ADDED: 'added',
  DELETED: 'removed',
  MODIFIED: 'modified',
  RENAMED: 'renamed',
  COPIED: 'copied',
  CHANGED: 'changed',
};

function toFileJson({ path, previous, change, additions, deletions }: ChangedFile) {
  return {
    filename: path,
    ...(previous === undefined ? {} : { previous_filename: previous }),
    status: STATUSES[change],
    additions,
    deletions,
    changes: additions + deletions,
  };
}

function toProtectionJson({ requiredChecks = [], requiredApprovals = 0, strict = false }: BranchProtection) {
  return {
    ...(requiredChecks.length === 0
      ? {}
      : {
          required_status_checks: {
            strict,
            contexts: requiredChecks,
            checks: requiredChecks.map((context) => ({ context, app_id: null })),
          },
        }),
    ...(requiredApprovals === 0
      ? {}
      : { required_pull_request_reviews: { required_approving_review_count: requiredApprovals } }),
    enforce_admins: { enabled: true },
    allow_force_pushes: { enabled: false },
    allow_deletions: { enabled: false },
  };
}

function toRulesJson({ requiredChecks = [], requiredApprovals = 0, strict = false }: BranchProtection) {
  return [
    { type: 'pull_request', parameters: { required_approving_review_count: requiredApprovals } },
    ...(requiredChecks.length === 0
      ? []
      : [
          {
            type: 'required_status_checks',
            parameters: {
              strict_required_status_checks_policy: strict,
              required_status_checks: requiredChecks.map((context) => ({ context })),
            },
          },
        ]),
  ];
}
