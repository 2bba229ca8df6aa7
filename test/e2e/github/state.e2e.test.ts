/** The state of a board on GitHub, as the first documents ask for it. */
import { expect, test } from 'vitest';
import { DEMO_REPO } from '../../../simulators/github/demo.ts';
import { STORIES, scenario } from '../../../src/demo/stories.ts';
import type { Collected } from '../../../src/protocol/board-state.ts';
import { until } from '../../support/running-daemon.ts';
import { githubStage } from './github-legion.ts';
import { numberedOn } from './person.ts';

const begin = githubStage();

test('fetch-and-collect and collect say of each issue where it is on GitHub and what is due', async () => {
  const life = await begin({ ...scenario(numberedOn(STORIES)), yaml: 'auto_advance: false\n' });
  const { github, seed } = life;
  const { project } = seed;
  const add = (title: string, status: string) =>
    github.people.issue(DEMO_REPO, { author: 'ada', title, body: 'Text.', project, status });
  add('Waits for a plan', 'Todo');
  add('Waits for a specification', 'Backlog');
  github.people.block(DEMO_REPO, 2, { name: DEMO_REPO, number: 1 });
  await life.start();

  const { post, request } = life.door;
  // Right after the start nobody knows yet whether the agent is there.
  const fetched = await until(
    () => post<Collected>('/state/fetch-and-collect', { backend: 'github' }),
    ({ issues }) => issues['legion-demo-1']?.suggestedAction !== 'skip',
  );
  expect(Object.keys(fetched.issues)).toEqual(['legion-demo-1', 'legion-demo-2']);
  expect(fetched.issues['legion-demo-1']).toMatchObject({
    ...{
      status: 'Todo',
      labels: [],
      hasPr: false,
      prReviewState: null,
      ciStatus: null,
      mergeableStatus: null,
    },
    ...{ hasLiveWorker: false, workerMode: null, workerStatus: null, suggestedAction: 'dispatch_planner' },
    ...{ hasUserFeedback: false, blockedByIds: [], isBlocked: false, sessionId: expect.any(String) },
    ...{ source: { kind: 'github', owner: 'legion', repo: 'demo', number: 1 } },
    ...{ reason: expect.any(String), evidence: expect.any(Array) },
  });
  expect(fetched.issues['legion-demo-2']).toMatchObject({
    ...{ suggestedAction: 'skip', reason: 'blocked', isBlocked: true, blockedByIds: ['legion-demo-1'] },
  });

  const issues = [{ number: 2, repository: { nameWithOwner: DEMO_REPO } }];
  const collected = await post<Collected>('/state/collect', { backend: 'github', issues });
  expect(Object.keys(collected.issues)).toEqual(['legion-demo-2']);
  expect(await request('POST', '/state/fetch-and-collect', { backend: 'linear' })).toMatchObject({
    body: { error: { code: 'state.not_accepted' } },
  });
});
