/**
 * Checks that a hostile issue in Linear is reported, and that the healthy issues are still
 * finished.
 */
import { expect, test } from 'vitest';
import { toForbidden } from '../../../simulators/linear/model/refusal.ts';
import { quotedNames } from '../../../src/demo/stories/quoted-names.ts';
import { buildDemoScenario } from '../../../src/demo/stories.ts';
import { expectNeverStarted, expectTold } from '../../demo/expect-told.ts';
import { setUpLinearDaemons, TEAM } from './linear-legion.ts';
import { completeIssues, numberIssues, writeIssues } from './person.ts';

const startDaemon = setUpLinearDaemons();
const stories = numberIssues([quotedNames]);
const MOST_MS = 240_000;

test(
  'finishes healthy issues next to one with hostile text and an unreadable blocker',
  async () => {
    const daemon = await startDaemon(buildDemoScenario(stories));
    const { people, faults } = daemon.linear;
    writeIssues(daemon, stories);
    people.team({ key: 'OPS', name: 'Secret' });
    const secret = people.issue('OPS', { creator: 'ada', title: 'Secret' });
    const hostile = people.issue(TEAM, {
      creator: 'ada',
      title: 'Odd \u202eeltit \u001b[2J__proto__',
      description: 'half \ud83d \0',
      state: 'Todo',
    });
    people.block(hostile, secret);
    people.attach(hostile, { url: 'https://github.com/acme/app/pull/9999999999' });
    people.comment('ada', hostile, 'javascript:alert(1) \ud83d \0');
    faults.field(
      (node) => node.node === 'IssueRelation',
      'issue',
      () => {
        throw toForbidden('You do not have access to this team');
      },
    );
    await daemon.start();
    await completeIssues(daemon, stories);
    await expectTold(daemon, hostile, 'You do not have access to this team');
    const seen = daemon.linear.snapshot().issues.find(({ identifier }) => identifier === hostile);
    expect(seen).toMatchObject({ state: 'Todo' });
    await expectNeverStarted(daemon, hostile);
  },
  MOST_MS,
);
