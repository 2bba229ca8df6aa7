/**
 * Checks that a missing column or permission is reported as one problem before any worker starts,
 * and that the problem is cleared automatically.
 */
import { expect, test } from 'vitest';
import { DEMO_REPO } from '../../../simulators/github/demo.ts';
import { STATUSES } from '../../../src/core/model/status.ts';
import { buildDemoScenario, STORIES } from '../../../src/demo/stories.ts';
import type { InboxItem, IssueExplanation } from '../../../src/protocol/operator.ts';
import type { HealthView } from '../../../src/protocol/status.ts';
import { until } from '../../support/running-daemon.ts';
import { type GithubDaemon, setUpGithubDaemons } from './github-legion.ts';
import { numberIssues } from './person.ts';

/** Maximum time until a problem is cleared. A missing permission is checked every 30 s. */
const CLEARED_MS = 60_000;

const startDaemon = setUpGithubDaemons();

test('reports a missing column until it is added', { timeout: 120_000 }, async () => {
  const daemon = await startDaemon(buildDemoScenario(numberIssues(STORIES)));
  await setColumns(
    daemon,
    STATUSES.filter((status) => status !== 'Retro'),
  );
  addIssue(daemon);
  await daemon.start();
  await expectHeld(
    daemon,
    'tracker.column_missing',
    /has no column for Retro/,
    'legion init --create-missing',
  );
  await setColumns(daemon, STATUSES);
  // Rewriting the column options removes the items from their columns.
  daemon.github.people.move('ada', daemon.seed.project, DEMO_REPO, 1, 'Todo');
  await expectStarted(daemon);
});

test('reports a missing permission of a role until it is granted', { timeout: 180_000 }, async () => {
  const daemon = await startDaemon(buildDemoScenario(numberIssues(STORIES)));
  addIssue(daemon);
  daemon.github.people.grant(DEMO_REPO, 'legion-impl', 'READ');
  await daemon.start();
  const why =
    /GitHub, role impl: legion\/demo: the account’s permission is READ.*Give the account Write permission/;
  await expectHeld(daemon, 'preflight.permission_missing', why, 'legion doctor');
  daemon.github.people.grant(DEMO_REPO, 'legion-impl', 'WRITE');
  await expectStarted(daemon);
});

function addIssue({ github, seed: { project } }: GithubDaemon): void {
  const text = { title: 'Waits for a plan', body: 'Text.' };
  github.people.issue(DEMO_REPO, { author: 'ada', ...text, project, status: 'Todo' });
}

async function expectHeld(
  { client, events }: GithubDaemon,
  code: string,
  why: RegExp,
  next: string,
): Promise<void> {
  const { troubles } = await until(
    () => client.get<HealthView>('/health'),
    (health) => health.troubles.some((trouble) => trouble.code === code),
  );
  expect(troubles.filter((trouble) => trouble.code === code)).toMatchObject([
    { message: expect.stringMatching(why) },
  ]);
  expect(await client.get<InboxItem[]>('/inbox')).toMatchObject([
    { kind: 'problem', issue: null, text: expect.stringMatching(why), next },
  ]);
  const { state } = await until(
    () => client.get<IssueExplanation>('/issues/legion-demo-1/explain'),
    (explained) => explained.state.reason === 'preflight_failed',
  );
  expect(state.says).toMatch(why);
  expect((await events()).filter(({ type }) => type === 'attempt.dispatched')).toEqual([]);
}

async function expectStarted(daemon: GithubDaemon): Promise<void> {
  await until(
    daemon.events,
    (events) => events.some(({ type }) => type === 'attempt.dispatched'),
    CLEARED_MS,
  );
  await until(
    () => daemon.client.get<HealthView>('/health'),
    ({ troubles }) => troubles.length === 0,
  );
}

/** Changes the columns as a person does in the board's settings. */
async function setColumns({ github, seed }: GithubDaemon, names: readonly string[]): Promise<void> {
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
