/**
 * Checks that labels assign a team's issues to one of two repositories, and that work stays in the
 * repository in which it began.
 */
import { expect, test } from 'vitest';
import { DEMO_REPO } from '../../../simulators/github/demo.ts';
import { PROJECT, UNIT_TESTS } from '../../../src/demo/project.ts';
import { quotedNames } from '../../../src/demo/stories/quoted-names.ts';
import { buildDemoScenario } from '../../../src/demo/stories.ts';
import { expectLives } from '../../demo/lived.ts';
import { until } from '../../support/running-daemon.ts';
import { setUpLinearDaemons } from './linear-legion.ts';
import { completeIssues, numberIssues, writeIssues } from './person.ts';

const startDaemon = setUpLinearDaemons();
const SITE = 'legion/site';
const [first, second] = numberIssues([quotedNames, quotedNames]);
const MOST_MS = 300_000;

test(
  'works on an issue in the repository that its label selects, even after the label is removed and the daemon is killed',
  async () => {
    if (first === undefined || second === undefined) throw new Error('two were numbered');
    const stories = [first, { ...second, labels: [...second.labels, 'Site'] }];
    const repos = `repos: [{ repo: ${DEMO_REPO}, base: main }, { repo: ${SITE}, base: main, labels: [site] }]\n`;
    const daemon = await startDaemon({ ...buildDemoScenario(stories), forge: 'github', yaml: repos });
    const { github, linear } = daemon;
    if (github === undefined) throw new Error('there is a GitHub');
    await github.people.repository(SITE, { files: PROJECT });
    github.people.grant(SITE, 'ada', 'ADMIN');
    for (const account of ['legion-impl', 'legion-review']) github.people.grant(SITE, account, 'WRITE');
    github.checks.onPush(SITE, { check: 'tests', argv: UNIT_TESTS });
    await daemon.cloneForDemo(SITE);

    await daemon.start();
    writeIssues(daemon, stories);
    await until(
      () => daemon.events(),
      (events) => events.some((event) => event.type === 'attempt.spawned' && event.issue === second.id),
      60_000,
    );
    linear.people.setLabels('ada', second.id, { remove: ['Site'] });
    await daemon.kill();
    await daemon.start();
    await completeIssues(daemon, stories);
    expectLives(await daemon.events(), stories, 'two repositories');

    const shown = linear.snapshot().issues.map(({ identifier, attachments }) => [identifier, attachments]);
    expect(Object.fromEntries(shown)).toEqual({
      [first.id]: [`${github.url}/${DEMO_REPO}/pull/1`],
      [second.id]: [`${github.url}/${SITE}/pull/1`],
    });
    expect(
      github
        .snapshot()
        .pullRequests.map(({ head, state }) => `${head} ${state}`)
        .toSorted(),
    ).toEqual([`${first.id} MERGED`, `${second.id} MERGED`]);
  },
  MOST_MS,
);
