/** What each event names, from GitHub's own bodies. */
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

test('an issue that changes is named, with a notice of its own', () => {
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

test('an issue that was transferred is named where it was and where it is', () => {
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

test('a comment names its issue, or its pull request by its number', () => {
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
])('%s %s names the pull request and its branch', (event, action) => {
  const body = exampleOf(event, action);
  expect(wakeUps(event, body)).toEqual([issue(2), branch('changes')]);
  expect(topics(event, body)).toEqual(['codertocat.hello-world.pr.2']);
});

test('the branch of a fork is not named: it may have the name of one of ours', () => {
  const body = exampleOf('pull_request', 'opened');
  const fork = altered(body, { 'pull_request.head.repo': { full_name: 'somebody/Hello-World' } });
  expect(wakeUps('pull_request', fork)).toEqual([issue(2)]);
  expect(wakeUps('pull_request', altered(body, { 'pull_request.head.repo': null }))).toEqual([issue(2)]);
});

test('a push names its branch; one to the default branch everything; a tag nothing', () => {
  const body = exampleOf('push');
  expect(wakeUps('push', altered(body, { ref: 'refs/heads/acme-shop-12' }))).toEqual([
    branch('acme-shop-12'),
  ]);
  expect(wakeUps('push', altered(body, { ref: 'refs/heads/a/b.c' }))).toEqual([branch('a/b.c')]);
  expect(wakeUps('push', altered(body, { ref: 'refs/heads/master' }))).toEqual(['everything']);
  expect(wakeUps('push', body)).toEqual([]);
});

test('a label that is renamed or deleted may be on any issue; a new one is on none', () => {
  expect(wakeUps('label', exampleOf('label', 'edited'))).toEqual(['everything']);
  expect(wakeUps('label', exampleOf('label', 'deleted'))).toEqual(['everything']);
  expect(wakeUps('label', exampleOf('label', 'created'))).toEqual([]);
});

test('an item of a board is named by GitHub’s ids', () => {
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

test('both ends of a link between issues are named, each in its own repository', () => {
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

test('what Legion may see has changed: everything is looked at', () => {
  expect(wakeUps('installation', exampleOf('installation', 'suspend'))).toEqual(['everything']);
  expect(wakeUps('installation_repositories', exampleOf('installation_repositories'))).toEqual([
    'everything',
  ]);
  expect(wakeUps('installation_target', {})).toEqual(['everything']);
});

test('a ping is known and means nothing', () => {
  expect(readEvent('ping', exampleOf('ping'), [])).toEqual({ wake: [], notices: [], checks: [] });
});

test('a workflow’s topic has its file as one token', () => {
  const body = exampleOf('workflow_run', 'requested');
  expect(topics('workflow_run', body)).toEqual(['octo-org.octo-repo.workflow.test%2Eyml.requested']);
  const odd = altered(body, { 'workflow.path': 'dynamic/codeql.v2/*@refs/heads/main' });
  expect(topics('workflow_run', odd)).toEqual(['octo-org.octo-repo.workflow.main.requested']);
});

test('a repository with a dot in its name is one token', () => {
  const body = altered(exampleOf('issues', 'opened'), { 'repository.full_name': 'Acme/site.io' });
  expect(topics('issues', body)).toEqual(['acme.site%2Eio.issue.1']);
});

test('what events say of checks has one form', () => {
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
])('a body that says nothing readable (%j) leads to a look at everything', (body) => {
  expect(readEvent('issues', body, [])?.wake).toEqual(['everything']);
});
