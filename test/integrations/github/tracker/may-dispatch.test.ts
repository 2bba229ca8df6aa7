/** Where an issue lives and who wrote it decide whether it may start a worker. */
import { expect, test } from 'vitest';
import type { Issue } from '../../../../src/domain/issue.ts';
import { accountName } from '../../../../src/github/actor.ts';
import { mayDispatch } from '../../../../src/trackers/github/may-dispatch.ts';

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

test('a writer’s issue in a repository of this legion may', () => {
  expect(mayDispatch(issueBy(true), ['acme/App'], WRITERS)).toEqual({
    allowed: true,
    why: 'eve may write to Acme/app',
  });
});

test('an outsider’s may not, and it says what to do', () => {
  const { allowed, why } = mayDispatch(issueBy(false), ['acme/app'], WRITERS);
  expect(allowed).toBe(false);
  expect(why).toMatch(/eve may not write to Acme\/app.*authors\.also/);
});

test('anyone’s may where the policy says so', () => {
  expect(mayDispatch(issueBy(false), ['acme/app'], { trust: 'anyone', also: [] }).allowed).toBe(true);
});

test('nobody’s may in a repository that is not configured', () => {
  const { allowed, why } = mayDispatch(issueBy(true), ['acme/other'], { trust: 'anyone', also: [] });
  expect([allowed, why]).toEqual([false, expect.stringContaining('add it to `repos`')]);
});

test('a person who has the name of an app is not the app', () => {
  expect(accountName({ __typename: 'Bot', login: 'legion' })).toBe('legion[bot]');
  expect(accountName({ __typename: 'Bot', login: 'legion[bot]' })).toBe('legion[bot]');
  expect(accountName({ __typename: 'User', login: 'legion' })).toBe('legion');
  expect(accountName(null)).toBe('ghost');
});
