/** One hostile issue among healthy ones in Linear: the healthy ones become Done, and the hostile one says what is wrong with it. */
import { expect, test } from 'vitest';
import { forbidden } from '../../../simulators/linear/model/refusal.ts';
import { quotedNames } from '../../../src/demo/stories/quoted-names.ts';
import { scenario } from '../../../src/demo/stories.ts';
import { expectNeverStarted, expectTold } from '../../demo/expect-told.ts';
import { linearStage, TEAM } from './linear-legion.ts';
import { numberedOn, seeThrough, write } from './person.ts';

const begin = linearStage();
const stories = numberedOn([quotedNames]);
const MOST_MS = 240_000;

test(
  'healthy issues become Done beside one with hostile text and a blocker that may not be read',
  async () => {
    const life = await begin(scenario(stories));
    const { people, faults } = life.linear;
    write(life, stories);
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
        throw forbidden('You do not have access to this team');
      },
    );
    await life.start();
    await seeThrough(life, stories);
    await expectTold(life, hostile, 'You do not have access to this team');
    const seen = life.linear.snapshot().issues.find(({ identifier }) => identifier === hostile);
    expect(seen).toMatchObject({ state: 'Todo' });
    await expectNeverStarted(life, hostile);
  },
  MOST_MS,
);
