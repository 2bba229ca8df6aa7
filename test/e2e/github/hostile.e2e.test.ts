/**
 * Checks that a hostile issue on GitHub is reported, and that the healthy issues are still
 * finished.
 */
import { expect, test } from 'vitest';
import { DEMO_REPO } from '../../../simulators/github/demo.ts';
import { GithubRefusal } from '../../../simulators/github/model/fault.ts';
import { quotedNames } from '../../../src/demo/stories/quoted-names.ts';
import { buildDemoScenario } from '../../../src/demo/stories.ts';
import { expectNeverStarted, expectTold } from '../../demo/expect-told.ts';
import { setUpGithubDaemons } from './github-legion.ts';
import { completeIssues, listIssues, numberIssues, writeIssues } from './person.ts';

const startDaemon = setUpGithubDaemons();
const stories = numberIssues([quotedNames]);
const HOSTILE = 'legion-demo-2';
const MOST_MS = 240_000;

test(
  'finishes healthy issues next to one with hostile text and an unreadable blocker',
  async () => {
    const daemon = await startDaemon(buildDemoScenario(stories));
    const { people, faults } = daemon.github;
    await people.repository('legion/secret');
    people.issue('legion/secret', { author: 'ada', title: 'Secret' });
    faults.field(
      (node) => node.type === 'Repository' && node.name === 'secret',
      'issueOrPullRequest',
      () => {
        throw new GithubRefusal('FORBIDDEN', 'Resource protected by organization SAML enforcement.');
      },
    );
    writeIssues(daemon, stories);
    people.issue(DEMO_REPO, {
      author: 'ada',
      title: 'Odd \u202eeltit \u001b[2J__proto__',
      body: 'Blocked by legion/secret#1\nBlocked by #9999999999\n\0half \ud83d',
      labels: ['\u202eodd'],
      project: daemon.seed.project,
      status: 'Todo',
    });
    people.comment('ada', DEMO_REPO, 2, 'javascript:alert(1) \ud83d \0');
    await daemon.start();
    await completeIssues(daemon, stories);
    await expectTold(
      daemon,
      HOSTILE,
      'Blocked by legion/secret#1, which Legion does not have permission to read',
    );
    const issues = listIssues(daemon.github);
    expect(issues.find(({ number }) => number === 2)).toMatchObject({
      state: 'OPEN',
    });
    await expectNeverStarted(daemon, HOSTILE);
  },
  MOST_MS,
);
