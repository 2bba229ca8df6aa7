/** Tests that repository and author decide whether an issue may start a worker. */
import { expect, test } from 'vitest';
import type { Issue } from '../../../../src/core/model/issue.ts';
import { toAccountName } from '../../../../src/integrations/github/client/client.ts';
import { judgeDispatch } from '../../../../src/integrations/github/tracker/open-github-tracker.ts';

const WRITERS = { trust: 'writers', also: [] } as const;

function issueBy(mayWrite: boolean): Issue {
  const text = {
    title: 'Title',
    body: '',
    column: 'Todo',
    labels: [],
    priority: 0,
    createdAt: 0,
    openBlockers: [],
  } as const;
  const source = { kind: 'github', owner: 'Acme', repo: 'app', number: 1 } as const;
  return { id: 'Acme-app-1', source, ...text, writtenBy: { name: 'eve', mayWrite } };
}

test('allows a writer’s issue in a configured repository', () => {
  expect(judgeDispatch(issueBy(true), ['acme/App'], WRITERS)).toEqual({
    allowed: true,
    why: 'eve has write access to Acme/app',
  });
});

test('refuses an outsider’s issue and states the next step', () => {
  const { allowed, why } = judgeDispatch(issueBy(false), ['acme/app'], WRITERS);
  expect(allowed).toBe(false);
  expect(why).toMatch(/eve does not have write access to Acme\/app.*authors\.also/);
});

test('allows anyone’s issue if the policy says so', () => {
  expect(judgeDispatch(issueBy(false), ['acme/app'], { trust: 'anyone', also: [] }).allowed).toBe(true);
});

test('refuses every issue of an unconfigured repository', () => {
  const { allowed, why } = judgeDispatch(issueBy(true), ['acme/other'], { trust: 'anyone', also: [] });
  expect([allowed, why]).toEqual([false, expect.stringContaining('add it to `repos`')]);
});

test('does not mistake a person with an App’s name for the App', () => {
  expect(toAccountName({ __typename: 'Bot', login: 'legion' })).toBe('legion[bot]');
  expect(toAccountName({ __typename: 'Bot', login: 'legion[bot]' })).toBe('legion[bot]');
  expect(toAccountName({ __typename: 'User', login: 'legion' })).toBe('legion');
  expect(toAccountName(null)).toBe('ghost');
});
