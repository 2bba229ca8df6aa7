/** Labels that a repository lacks are made, each as Legion's look everywhere. */
import { expect, test } from 'vitest';
import { labelLook } from '../../../../src/core/model/label.ts';
import { LABELS, PULL_REQUEST_LABELS } from '../../../../src/domain/label.ts';
import { openRepositoryLabels } from '../../../../src/github/repository-labels.ts';
import { useSimulated } from '../tracker/use-simulated.ts';

/** Characters; what GitHub takes. */
const DESCRIPTION_MAX = 100;
const repository = { owner: { login: 'acme' }, name: 'app' };
const LOOKS = `query Looks {
  repository(owner: "acme", name: "app") { labels(first: 100) { nodes { name color description } } }
}`;

const stage = useSimulated();

test('what is missing is made once, and its id is known from then on', async () => {
  const { client, asked } = stage();
  const github = client();
  const labels = openRepositoryLabels(github);
  const names = ['worker-approved', 'rollback', 'mine'];
  const first = await labels.idsOf(repository, names);
  expect(asked()).toEqual(['LabelsNamed', 'MakeLabels', 'LabelsNamed']);
  expect(await labels.idsOf(repository, ['MINE'])).toMatchObject({ labels: [first.labels[2]] });
  expect(asked()).toEqual([]);
  labels.forget(repository);
  expect(await labels.idsOf(repository, names)).toEqual(first);
  expect(asked()).toEqual(['LabelsNamed']);
  type Answer = { repository: { labels: { nodes: { name: string }[] } } };
  const made = await github.query<Answer>(LOOKS, {}, { signal: new AbortController().signal });
  expect(made.repository.labels.nodes).toEqual(
    expect.arrayContaining([
      { name: 'worker-approved', color: '0e8a16', description: 'Legion: its reviewer approves' },
      { name: 'rollback', color: 'b60205', description: 'Legion: a revert of its merge was requested' },
      expect.objectContaining({ name: 'mine', color: 'ededed' }),
    ]),
  );
});

test.each([...LABELS, ...PULL_REQUEST_LABELS])('%s says what it is for, as GitHub takes it', (name) => {
  const { color, description } = labelLook(name);
  expect(color).toMatch(/^[0-9a-f]{6}$/);
  expect(description).toMatch(/^Legion: /);
  expect(description.length).toBeLessThanOrEqual(DESCRIPTION_MAX);
});
