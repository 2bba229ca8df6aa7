/** Tests the wake-ups and notices for GitHub's own example bodies. */
import { expect, test } from 'vitest';
import { readEvent } from '../../../../src/integrations/github/webhooks/read-event.ts';
import { altered, type Body, exampleOf } from './examples.ts';

const HELLO = { owner: 'Codertocat', repo: 'Hello-World' };
const issue = (number: number, place = HELLO) => ({ issue: { ...place, number } });
const branch = (name: string) => ({ branch: { ...HELLO, branch: name } });

function wakeUps(event: string, body: Body) {
  return readEvent(event, body, [])?.wake;
}
function topics(event: string, body: Body) {
  return readEvent(event, body, [])?.notices.map(({ topic }) => topic.replace('notifications.github.', ''));
}

test('wakes a changed issue and publishes a notice', () => {
  for (const action of ['opened', 'labeled', 'closed', 'deleted', 'edited', 'assigned'] as const) {
    const body = action === 'closed' ? altered(exampleOf('issues'), { action }) : exampleOf('issues', action);
    expect(wakeUps('issues', body), action).toEqual([issue(1)]);
  }
  expect(readEvent('issues', exampleOf('issues', 'labeled'), [])?.notices).toEqual([
    {
      topic: 'notifications.github.codertocat.hello-world.issue.1',
      notice: {
        text: 'Codertocat/Hello-World#1: issues labeled',
        data: {
          repository: 'Codertocat/Hello-World',
          number: 1,
          kind: 'issue',
          event: 'issues',
          action: 'labeled',
          by: 'Codertocat',
        },
      },
    },
  ]);
});

test('wakes a transferred issue in its old and its new repository', () => {
  const body = exampleOf('issues', 'transferred');
  const { changes } = body as {
    changes: { new_issue: { number: number }; new_repository: { full_name: string } };
  };
  const [owner = '', repo = ''] = changes.new_repository.full_name.split('/');
  expect(wakeUps('issues', body)).toEqual([
    issue(1, { owner: 'octo-org', repo: 'octo-repo' }),
    issue(changes.new_issue.number, { owner, repo }),
  ]);
});

test('wakes the issue or pull request of a comment', () => {
  const body = exampleOf('issue_comment', 'edited');
  expect(wakeUps('issue_comment', body)).toEqual([issue(1)]);
  expect(topics('issue_comment', body)).toEqual(['codertocat.hello-world.issue.1']);
  const onPullRequest = altered(body, { 'issue.number': 2, 'issue.pull_request': { url: 'https://x' } });
  expect(wakeUps('issue_comment', onPullRequest)).toEqual([issue(2)]);
  expect(topics('issue_comment', onPullRequest)).toEqual(['codertocat.hello-world.pr.2']);
});

test.each([
  ['pull_request', 'synchronize'],
  ['pull_request', 'closed'],
  ['pull_request_review', 'submitted'],
  ['pull_request_review', 'dismissed'],
  ['pull_request_review_comment', 'created'],
])('wakes the pull request and its branch for %s %s', (event, action) => {
  const body = exampleOf(event, action);
  expect(wakeUps(event, body)).toEqual([issue(2), branch('changes')]);
  expect(topics(event, body)).toEqual(['codertocat.hello-world.pr.2']);
});

test('does not wake a fork’s branch, whose name may equal one in the repository', () => {
  const body = exampleOf('pull_request', 'opened');
  const fork = altered(body, { 'pull_request.head.repo': { full_name: 'somebody/Hello-World' } });
  expect(wakeUps('pull_request', fork)).toEqual([issue(2)]);
  expect(wakeUps('pull_request', altered(body, { 'pull_request.head.repo': null }))).toEqual([issue(2)]);
});

test('wakes the branch of a push, everything for a push to the default branch, and nothing for a tag', () => {
  const body = exampleOf('push');
  expect(wakeUps('push', altered(body, { ref: 'refs/heads/acme-shop-12' }))).toEqual([
    branch('acme-shop-12'),
  ]);
  expect(wakeUps('push', altered(body, { ref: 'refs/heads/a/b.c' }))).toEqual([branch('a/b.c')]);
  expect(wakeUps('push', altered(body, { ref: 'refs/heads/master' }))).toEqual(['everything']);
  expect(wakeUps('push', body)).toEqual([]);
});

test('wakes everything for a renamed or deleted label and nothing for a new one', () => {
  expect(wakeUps('label', exampleOf('label', 'edited'))).toEqual(['everything']);
  expect(wakeUps('label', exampleOf('label', 'deleted'))).toEqual(['everything']);
  expect(wakeUps('label', exampleOf('label', 'created'))).toEqual([]);
});

test('wakes a board item by GitHub’s ids', () => {
  const body = exampleOf('projects_v2_item', 'edited');
  const { projects_v2_item: item } = body as unknown as {
    projects_v2_item: { node_id: string; project_node_id: string; content_node_id: string };
  };
  expect(wakeUps('projects_v2_item', body)).toEqual([
    {
      projectItem: item.node_id,
      project: item.project_node_id,
      content: item.content_node_id,
    },
  ]);
  const bare = altered(body, { 'projects_v2_item.content_node_id': null });
  expect(wakeUps('projects_v2_item', bare)).toEqual([
    { projectItem: item.node_id, project: item.project_node_id },
  ]);
});

test('wakes both ends of a link between issues, each in its own repository', () => {
  const here = { full_name: 'acme/shop' };
  const there = { full_name: 'acme/store.front' };
  const shop = { owner: 'acme', repo: 'shop' };
  const store = { owner: 'acme', repo: 'store.front' };
  const added = {
    action: 'sub_issue_added',
    repository: here,
    parent_issue: { number: 1 },
    sub_issue: { number: 2 },
  };
  expect(wakeUps('sub_issues', { ...added, sub_issue_repo: there })).toEqual([
    issue(1, shop),
    issue(2, store),
  ]);
  expect(wakeUps('sub_issues', { ...added, parent_issue_repo: there })).toEqual([
    issue(1, store),
    issue(2, shop),
  ]);
  const blocked = { repository: here, blocked_issue: { number: 3 }, blocking_issue: { number: 4 } };
  expect(wakeUps('issue_dependencies', { ...blocked, blocking_issue_repo: there })).toEqual([
    issue(3, shop),
    issue(4, store),
  ]);
  expect(wakeUps('issue_dependencies', { repository: here, blocked_issue: { number: 3 } })).toEqual([
    issue(3, shop),
    'everything',
  ]);
});

test('wakes everything when Legion’s permissions change', () => {
  expect(wakeUps('installation', exampleOf('installation', 'suspend'))).toEqual(['everything']);
  expect(wakeUps('installation_repositories', exampleOf('installation_repositories'))).toEqual([
    'everything',
  ]);
  expect(wakeUps('installation_target', {})).toEqual(['everything']);
});

test('ignores a ping', () => {
  expect(readEvent('ping', exampleOf('ping'), [])).toEqual({ wake: [], notices: [], checks: [] });
});

test('encodes a workflow’s file as one topic token', () => {
  const body = exampleOf('workflow_run', 'requested');
  expect(topics('workflow_run', body)).toEqual(['octo-org.octo-repo.workflow.test%2Eyml.requested']);
  const odd = altered(body, { 'workflow.path': 'dynamic/codeql.v2/*@refs/heads/main' });
  expect(topics('workflow_run', odd)).toEqual(['octo-org.octo-repo.workflow.main.requested']);
});

test('encodes a repository name with a dot as one token', () => {
  const body = altered(exampleOf('issues', 'opened'), { 'repository.full_name': 'Acme/site.io' });
  expect(topics('issues', body)).toEqual(['acme.site%2Eio.issue.1']);
});

test('converts all kinds of check events to one format', () => {
  const status = readEvent('status', altered(exampleOf('status'), { state: 'error', context: 'ci/x' }), []);
  expect(status?.checks).toEqual([
    {
      ...HELLO,
      sha: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
      branches: expect.arrayContaining(['master']),
      pullRequests: [],
      check: {
        kind: 'status',
        key: 'status ci/x',
        suite: undefined,
        name: 'ci/x',
        id: expect.any(Number),
        at: Date.parse('2019-05-15T15:20:55Z'),
        verdict: 'failing',
      },
    },
  ]);
  const suite = readEvent('check_suite', exampleOf('check_suite', 'completed'), []);
  expect(suite?.checks).toMatchObject([
    {
      branches: ['changes'],
      pullRequests: [2],
      check: { kind: 'suite', suite: 118578147, verdict: 'passing' },
    },
  ]);
  const run = readEvent('check_run', exampleOf('check_run', 'completed'), []);
  expect(run?.checks).toMatchObject([
    {
      branches: ['changes'],
      pullRequests: [2],
      check: { kind: 'run', suite: 118578147, name: 'Octocoders-linter' },
    },
  ]);
  const workflow = readEvent(
    'workflow_run',
    altered(exampleOf('workflow_run'), {
      'workflow_run.status': 'completed',
      'workflow_run.conclusion': 'startup_failure',
    }),
    [],
  );
  expect(workflow?.checks).toMatchObject([
    { branches: ['main'], check: { kind: 'workflow', verdict: 'failing' } },
  ]);
});

test.each([
  [{}],
  [null],
  ['text'],
  [{ repository: { full_name: 'no-owner' }, issue: { number: 1 } }],
  [{ repository: { full_name: '../..' }, issue: { number: 1.5 } }],
  [{ repository: { full_name: 'a/b' }, issue: { number: -1 } }],
])('wakes everything for an unreadable body (%j)', (body) => {
  expect(readEvent('issues', body, [])?.wake).toEqual(['everything']);
});
