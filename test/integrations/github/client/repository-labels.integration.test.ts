/**
 * Tests that missing labels are created with the same colour and description in every repository.
 */
import { expect, test } from 'vitest';
import { getLabelStyle, LABELS, PULL_REQUEST_LABELS } from '../../../../src/core/model/label.ts';
import { openRepositoryLabels } from '../../../../src/integrations/github/client/repository-labels.ts';
import { useSimulated } from '../tracker/use-simulated.ts';

/** GitHub's limit for a label's description, in characters. */
const DESCRIPTION_MAX = 100;
const repository = { owner: { login: 'acme' }, name: 'app' };
const LOOKS = `query Looks {
  repository(owner: "acme", name: "app") { labels(first: 100) { nodes { name color description } } }
}`;

const stage = useSimulated();

test('a missing label is created once, and its id is cached', async () => {
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

test.each([...LABELS, ...PULL_REQUEST_LABELS])('%s has a valid colour and description', (name) => {
  const { color, description } = getLabelStyle(name);
  expect(color).toMatch(/^[0-9a-f]{6}$/);
  expect(description).toMatch(/^Legion: /);
  expect(description.length).toBeLessThanOrEqual(DESCRIPTION_MAX);
});
