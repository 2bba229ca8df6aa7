/** Tests that write permissions are looked up in batches and cached for an hour for all callers. */
import { expect, test } from 'vitest';
import { createAuthors } from '../../../../src/integrations/github/client/permissions.ts';
import { LEGION, OUTSIDER, REPO, WRITER } from '../tracker/simulated.ts';
import { useSimulated } from '../tracker/use-simulated.ts';

const HOUR_S = 60 * 60;
const NEVER = new AbortController().signal;
const repository = { owner: { login: 'acme' }, name: 'app' };

const stage = useSimulated();

function of(...logins: readonly string[]) {
  return logins.map((login) => ({ login, repository }));
}

function said(login: string, authorAssociation = 'MEMBER', type = 'User') {
  return { author: { __typename: type, login }, authorAssociation, repository };
}

test('an account is looked up only if it is unknown or was last looked up an hour ago', async () => {
  const { client, asked, pass } = stage();
  const { permissions } = client();
  expect(permissions.mayWrite({ login: WRITER, repository })).toBe(false);
  await permissions.learn(of(WRITER, WRITER.toUpperCase(), OUTSIDER), NEVER);
  expect(of(WRITER, OUTSIDER).map(permissions.mayWrite)).toEqual([true, false]);
  pass(HOUR_S - 1);
  await permissions.learn(of(OUTSIDER, WRITER), NEVER);
  expect(asked()).toEqual(['PermissionsOf']);
  pass();
  await permissions.learn(of(WRITER), NEVER);
  expect(asked()).toEqual(['PermissionsOf']);
});

test('one request looks up a hundred accounts', async () => {
  const { client, asked, github } = stage();
  const { permissions } = client();
  const many = Array.from({ length: 101 }, (_, index) => `writer-${index}`);
  for (const login of many) github.people.grant(REPO, login, 'WRITE');
  await permissions.learn(of(...many), NEVER);
  expect(asked()).toEqual(['PermissionsOf', 'PermissionsOf']);
  expect(of(...many).every(permissions.mayWrite)).toBe(true);
});

test('no account is treated as a writer if the collaborators cannot be listed', async () => {
  const { client, github } = stage();
  github.people.grant(REPO, LEGION, 'READ');
  const { permissions } = client();
  await permissions.learn(of(WRITER), NEVER);
  expect(permissions.mayWrite({ login: WRITER, repository })).toBe(false);
});

test('owners, trusted accounts and outsiders are not looked up', async () => {
  const { client, asked } = stage();
  const authors = createAuthors(client().permissions, (login) => login === 'legion[bot]');
  const all = [said('acme', 'OWNER'), said('legion', 'NONE', 'Bot'), said(OUTSIDER, 'NONE')];
  await authors.learn(all, NEVER);
  expect(asked()).toEqual([]);
  expect(all.map(authors.mayWrite)).toEqual([true, true, false]);
});

test('an App with the name of a writer is not a writer', async () => {
  const { client } = stage();
  const authors = createAuthors(client().permissions, () => false);
  const all = [said(WRITER), said(WRITER, 'COLLABORATOR', 'Bot'), said(WRITER, 'NONE')];
  await authors.learn(all, NEVER);
  expect(all.map(authors.mayWrite)).toEqual([true, false, false]);
});
