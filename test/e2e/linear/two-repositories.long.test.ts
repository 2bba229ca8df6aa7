/** A team whose issues belong to two repositories: a label says which, and work stays where it began. */
import { expect, test } from 'vitest';
import { DEMO_REPO } from '../../../simulators/github/demo.ts';
import { PROJECT, UNIT_TESTS } from '../../../src/demo/project/project.ts';
import { quotedNames } from '../../../src/demo/stories/quoted-names.ts';
import { scenario } from '../../../src/demo/stories.ts';
import { expectLives } from '../../demo/lived.ts';
import { until } from '../../support/running-daemon.ts';
import { linearStage } from './linear-legion.ts';
import { numberedOn, seeThrough, write } from './person.ts';

const begin = linearStage();
const SITE = 'legion/site';
const [first, second] = numberedOn([quotedNames, quotedNames]);
const MOST_MS = 300_000;

test(
  'an issue labelled for the second repository is worked on there, also after its label is taken away and the daemon killed',
  async () => {
    if (first === undefined || second === undefined) throw new Error('two were numbered');
    const stories = [first, { ...second, labels: [...second.labels, 'Site'] }];
    const repos = `repos: [{ repo: ${DEMO_REPO}, base: main }, { repo: ${SITE}, base: main, labels: [site] }]\n`;
    const life = await begin({ ...scenario(stories), forge: 'github', yaml: repos });
    const { github, linear } = life;
    if (github === undefined) throw new Error('there is a GitHub');
    await github.people.repository(SITE, { files: PROJECT });
    github.people.grant(SITE, 'ada', 'ADMIN');
    for (const account of ['legion-impl', 'legion-review']) github.people.grant(SITE, account, 'WRITE');
    github.checks.onPush(SITE, { check: 'tests', argv: UNIT_TESTS });
    await life.cloneForDemo(SITE);

    await life.start();
    write(life, stories);
    await until(
      () => life.events(),
      (events) => events.some((event) => event.type === 'attempt.spawned' && event.issue === second.id),
      60_000,
    );
    linear.people.setLabels('ada', second.id, { remove: ['Site'] });
    await life.kill();
    await life.start();
    await seeThrough(life, stories);
    expectLives(await life.events(), stories, 'two repositories');

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
