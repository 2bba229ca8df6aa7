/** A board without a column, or an account without a right, is one problem before any worker is paid for; it clears by itself. */
import { expect, test } from 'vitest';
import { DEMO_REPO } from '../../../simulators/github/demo.ts';
import { STATUSES } from '../../../src/core/model/status.ts';
import { STORIES, scenario } from '../../../src/demo/stories.ts';
import type { Explanation, HealthView, InboxItem } from '../../../src/protocol/operator.ts';
import { until } from '../../support/running-daemon.ts';
import { type GithubLife, githubStage } from './github-legion.ts';
import { numberedOn } from './person.ts';

/** A missing permission is asked about every 30 s. */
const CLEARED_MS = 60_000;

const begin = githubStage();

test('a missing column', { timeout: 120_000 }, async () => {
  const life = await begin(scenario(numberedOn(STORIES)));
  await setColumns(
    life,
    STATUSES.filter((status) => status !== 'Retro'),
  );
  addIssue(life);
  await life.start();
  await expectHeld(life, 'tracker.column_missing', /has no column for Retro/, 'legion init --create-missing');
  await setColumns(life, STATUSES);
  // Options that are written anew lose what stood on them.
  life.github.people.move('ada', life.seed.project, DEMO_REPO, 1, 'Todo');
  await expectStarted(life);
});

test('a missing permission of a role', { timeout: 180_000 }, async () => {
  const life = await begin(scenario(numberedOn(STORIES)));
  addIssue(life);
  life.github.people.grant(DEMO_REPO, 'legion-impl', 'READ');
  await life.start();
  const why =
    /GitHub, role impl: legion\/demo: its permission is READ.*Give the account the permission Write/;
  await expectHeld(life, 'preflight.permission_missing', why, 'legion doctor');
  life.github.people.grant(DEMO_REPO, 'legion-impl', 'WRITE');
  await expectStarted(life);
});

function addIssue({ github, seed: { project } }: GithubLife): void {
  const text = { title: 'Waits for a plan', body: 'Text.' };
  github.people.issue(DEMO_REPO, { author: 'ada', ...text, project, status: 'Todo' });
}

async function expectHeld(
  { door, events }: GithubLife,
  code: string,
  why: RegExp,
  next: string,
): Promise<void> {
  const { troubles } = await until(
    () => door.get<HealthView>('/health'),
    (health) => health.troubles.some((trouble) => trouble.code === code),
  );
  expect(troubles.filter((trouble) => trouble.code === code)).toMatchObject([
    { message: expect.stringMatching(why) },
  ]);
  expect(await door.get<InboxItem[]>('/inbox')).toMatchObject([
    { kind: 'problem', issue: null, text: expect.stringMatching(why), next },
  ]);
  const { state } = await until(
    () => door.get<Explanation>('/issues/legion-demo-1/explain'),
    (explained) => explained.state.reason === 'preflight_failed',
  );
  expect(state.says).toMatch(why);
  expect((await events()).filter(({ type }) => type === 'attempt.dispatched')).toEqual([]);
}

async function expectStarted(life: GithubLife): Promise<void> {
  await until(life.events, (events) => events.some(({ type }) => type === 'attempt.dispatched'), CLEARED_MS);
  await until(
    () => life.door.get<HealthView>('/health'),
    ({ troubles }) => troubles.length === 0,
  );
}

/** As a person does in the board's settings. */
async function setColumns({ github, seed }: GithubLife, names: readonly string[]): Promise<void> {
  const [owner, number] = seed.project.split('/');
  const ask = async (query: string, variables: object) => {
    const answer = await fetch(`${github.url}/api/graphql`, {
      method: 'POST',
      headers: { authorization: `bearer ${seed.tokens.ada}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await answer.json()) as { data: Found; errors?: unknown };
    expect(errors).toBeUndefined();
    return data;
  };
  const found = await ask(
    `query($owner: String!, $number: Int!) { organization(login: $owner) { projectV2(number: $number) {
      field(name: "Status") { ... on ProjectV2SingleSelectField { id } } } } }`,
    { owner, number: Number(number) },
  );
  const { id: fieldId } = found.organization.projectV2.field;
  const singleSelectOptions = names.map((name) => ({ name, color: 'GRAY', description: '' }));
  await ask(
    'mutation($input: UpdateProjectV2FieldInput!) { updateProjectV2Field(input: $input) { clientMutationId } }',
    { input: { fieldId, singleSelectOptions } },
  );
}

interface Found {
  readonly organization: {
    readonly projectV2: {
      readonly field: { readonly id: string };
    };
  };
}
