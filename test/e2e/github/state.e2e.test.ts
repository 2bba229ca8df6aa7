/**
 * Tests that the state of a GitHub board is returned in the format of the original specification.
 */
import { expect, test } from 'vitest';
import { DEMO_REPO } from '../../../simulators/github/demo.ts';
import { buildDemoScenario, STORIES } from '../../../src/demo/stories.ts';
import type { CollectedBoard } from '../../../src/protocol/board-state.ts';
import { until } from '../../support/running-daemon.ts';
import { setUpGithubDaemons } from './github-legion.ts';
import { numberIssues } from './person.ts';

const startDaemon = setUpGithubDaemons();

test('`/state/fetch-and-collect` and `/state/collect` return the GitHub source and the due action of each issue', async () => {
  const daemon = await startDaemon({
    ...buildDemoScenario(numberIssues(STORIES)),
    yaml: 'auto_advance: false\n',
  });
  const { github, seed } = daemon;
  const { project } = seed;
  const add = (title: string, status: string) =>
    github.people.issue(DEMO_REPO, { author: 'ada', title, body: 'Text.', project, status });
  add('Waits for a plan', 'Todo');
  add('Waits for a specification', 'Backlog');
  github.people.block(DEMO_REPO, 2, { name: DEMO_REPO, number: 1 });
  await daemon.start();

  const { post, request } = daemon.client;
  // Retries, because right after the start the agent's availability is still unknown.
  const fetched = await until(
    () => post<CollectedBoard>('/state/fetch-and-collect', { backend: 'github' }),
    ({ issues }) => issues['legion-demo-1']?.suggestedAction !== 'skip',
  );
  expect(Object.keys(fetched.issues)).toEqual(['legion-demo-1', 'legion-demo-2']);
  expect(fetched.issues['legion-demo-1']).toMatchObject({
    status: 'Todo',
    labels: [],
    hasPr: false,
    prReviewState: null,
    ciStatus: null,
    mergeableStatus: null,
    prIsDraft: null,
    prLabels: null,
    blockedQuestion: null,
    hasLiveWorker: false,
    workerMode: null,
    workerStatus: null,
    suggestedAction: 'dispatch_planner',
    hasUserFeedback: false,
    blockedByIds: [],
    isBlocked: false,
    sessionId: expect.any(String),
    source: { kind: 'github', owner: 'legion', repo: 'demo', number: 1 },
    reason: expect.any(String),
    evidence: expect.any(Array),
  });
  expect(fetched.issues['legion-demo-2']).toMatchObject({
    suggestedAction: 'skip',
    reason: 'blocked',
    isBlocked: true,
    blockedByIds: ['legion-demo-1'],
  });

  const issues = [{ number: 2, repository: { nameWithOwner: DEMO_REPO } }];
  const collected = await post<CollectedBoard>('/state/collect', { backend: 'github', issues });
  expect(Object.keys(collected.issues)).toEqual(['legion-demo-2']);
  expect(await request('POST', '/state/fetch-and-collect', { backend: 'linear' })).toMatchObject({
    body: { error: { code: 'state.not_accepted' } },
  });
});
