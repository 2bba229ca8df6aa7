/** One hostile issue among healthy ones on GitHub: the healthy ones become Done, and the hostile one says what is wrong with it. */
import { expect, test } from 'vitest';
import { DEMO_REPO } from '../../../simulators/github/demo.ts';
import { GithubRefusal } from '../../../simulators/github/model/fault.ts';
import { quotedNames } from '../../../src/demo/stories/quoted-names.ts';
import { scenario } from '../../../src/demo/stories.ts';
import { expectNeverStarted, expectTold } from '../../demo/expect-told.ts';
import { githubStage } from './github-legion.ts';
import { issuesOf, numberedOn, seeThrough, write } from './person.ts';

const begin = githubStage();
const stories = numberedOn([quotedNames]);
const HOSTILE = 'legion-demo-2';
const MOST_MS = 240_000;

test(
  'healthy issues become Done beside one with hostile text and a blocker that may not be read',
  async () => {
    const life = await begin(scenario(stories));
    const { people, faults } = life.github;
    await people.repository('legion/secret');
    people.issue('legion/secret', { author: 'ada', title: 'Secret' });
    faults.field(
      (node) => node.type === 'Repository' && node.name === 'secret',
      'issueOrPullRequest',
      () => {
        throw new GithubRefusal('FORBIDDEN', 'Resource protected by organization SAML enforcement.');
      },
    );
    write(life, stories);
    people.issue(DEMO_REPO, {
      author: 'ada',
      title: 'Odd \u202eeltit \u001b[2J__proto__',
      body: 'Blocked by legion/secret#1\nBlocked by #9999999999\n\0half \ud83d',
      labels: ['\u202eodd'],
      project: life.seed.project,
      status: 'Todo',
    });
    people.comment('ada', DEMO_REPO, 2, 'javascript:alert(1) \ud83d \0');
    await life.start();
    await seeThrough(life, stories);
    await expectTold(life, HOSTILE, 'Blocked by legion/secret#1, which Legion may not read');
    const issues = issuesOf(life.github);
    expect(issues.find(({ number }) => number === 2)).toMatchObject({
      state: 'OPEN',
    });
    await expectNeverStarted(life, HOSTILE);
  },
  MOST_MS,
);
