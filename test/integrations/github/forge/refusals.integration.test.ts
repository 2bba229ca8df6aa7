/**
 * Tests that a pull request that GitHub refuses to return is unknown, with the reason, and does not
 * affect others.
 */
import { expect, test } from 'vitest';
import { GithubRefusal } from '../../../../simulators/github/model/fault.ts';
import type { GithubNode } from '../../../../simulators/github/model/nodes.ts';
import { NEVER, pullRequest } from '../../../ports/forge/conformance/forge-under-test.ts';
import { useWorld } from './use-world.ts';

const present = useWorld('one');
const MESSAGE = 'Resource protected by organization SAML enforcement.';
const MINUTE_MS = 60_000;

const isPullRequest = (number: number) => (node: GithubNode) =>
  node.type === 'PullRequest' && node.number === number;

/** Three branches, each with a pull request. The second is the problematic one. */
async function three() {
  await present().make();
  const forge = await present().open();
  const numbers: number[] = [];
  for (const branch of ['eng-1', 'eng-2', 'eng-3'])
    numbers.push((await pullRequest(present(), forge, branch, { [`${branch}.txt`]: 'a' })).number);
  present().clock.advance(MINUTE_MS);
  return { odd: numbers[1] ?? 0, faults: present().github().faults };
}

async function readAll() {
  const forge = await present().open();
  const found = await forge.pullRequests(['eng-1', 'eng-2', 'eng-3'], NEVER);
  return { found, why: forge.whyUnknown?.('eng-2'), whyNot: forge.whyUnknown?.('eng-1') };
}

test('a forbidden or unreadable pull request is reported as unknown, with the reason; the others are still read', async () => {
  const { odd, faults } = await three();
  const end = faults.field(isPullRequest(odd), 'headRefOid', () => {
    throw new GithubRefusal('FORBIDDEN', MESSAGE);
  });
  const forbidden = await readAll();
  expect(forbidden).toMatchObject({ why: MESSAGE, whyNot: undefined });
  expect(forbidden.found.get('eng-2')).toBe('unknown');
  expect(forbidden.found.get('eng-1')).toMatchObject({ branch: 'eng-1', ci: 'none' });
  end();

  faults.refuse(({ name, variables }) =>
    name === 'PullRequests' && Object.values(variables).includes('eng-2') ? 'Not this one' : undefined,
  );
  const refused = await readAll();
  expect(refused.why).toContain('Not this one');
  expect(refused.found.get('eng-2')).toBe('unknown');
  expect(refused.found.get('eng-3')).toMatchObject({ branch: 'eng-3' });
});

test('hostile values in a pull request affect only its branch', async () => {
  const { odd, faults } = await three();
  const values: readonly (readonly [string, unknown])[] = [
    ['title', '\u202eodd\0 \ud800'],
    ['body', 'a\r\nb\0'],
    ['labels', null],
    ['author', null],
    ['files', null],
    ['updatedAt', 'yesterday'],
    ['statusCheckRollup', null],
    ['headRefName', 'no branch\n'],
  ];
  for (const [field, value] of values) {
    const end = faults.field(isPullRequest(odd), field, () => value);
    const { found } = await readAll();
    expect(found.get('eng-1'), field).toMatchObject({ branch: 'eng-1' });
    expect(found.get('eng-3'), field).toMatchObject({ branch: 'eng-3' });
    const read = found.get('eng-2');
    if (typeof read === 'object') expect(`${read.title}${read.body}`).not.toMatch(/[\0\r\u202e]/);
    end();
  }
});

test('a number beyond 32 bits is never requested', async () => {
  await present().make();
  const forge = await present().open({ attached: () => [9_999_999_999] });
  expect((await forge.pullRequests(['eng-1'], NEVER)).has('eng-1')).toBe(false);
  await expect(forge.remarks(9_999_999_999, NEVER)).rejects.toMatchObject({
    code: 'forge.pull_request_missing',
  });
});
