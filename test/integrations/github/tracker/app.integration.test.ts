/**
 * Tests that Legion, running as a GitHub App, recognizes its own texts, but not those of a person
 * with the App's name.
 */
import { expect, test } from 'vitest';
import { openGithub } from '../../../../src/integrations/github/client/open.ts';
import { comments, look, put, SIGNAL } from '../../../ports/tracker/issues.ts';
import { REPO, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const BOT = 'legion-app[bot]';
// An App signs its requests with the machine's time.
const stage = useSimulated(Date.now());

test('as an App, recognizes its own issues and comments and does not treat them as a person’s', async () => {
  const { github, board, tracker, clock } = stage();
  const project = board();
  const { appId, installationId, privateKey } = github.people.app({ slug: 'legion-app', owner: 'acme' });
  const identities = { legion: { kind: 'app', appId, installationId, privateKey } } as const;
  const open = () => openGithub({ url: github.url, identities, environment: {}, clock, writeSpacingMs: 0 });
  const [client, other] = [open(), open()];
  try {
    const legion = await tracker([project], { client, accounts: [BOT] });
    const id = await put(legion, 'key', { status: 'Todo' });
    await legion.comment(id, 'key', 'Hello.');
    const again = await tracker([project], { client: other, accounts: [BOT] });
    expect(await put(again, 'key')).toBe(id);
    await again.comment(id, 'key', 'Hello again.');
    expect(await comments(again, id)).toMatchObject([{ author: BOT, by: 'legion', text: 'Hello.' }]);
    const issue = await look(again, id);
    expect(issue).toMatchObject({ writtenBy: { name: BOT, mayWrite: true } });
    expect(again.mayDispatch(issue).allowed).toBe(true);
    expect(await again.list(SIGNAL)).toHaveLength(1);
  } finally {
    await client.close();
    await other.close();
  }
});

test('does not mistake a person with the App’s name for the App', async () => {
  const { github, board, tracker } = stage();
  const project = board();
  github.people.issue(REPO, { author: WRITER, title: 'One', project, status: 'Todo' });
  github.people.comment('legion-app', REPO, 1, 'Approved.\n\n<!-- legion:key -->');
  const legion = await tracker([project], { accounts: [BOT] });
  expect(await comments(legion, 'acme-app-1')).toMatchObject([{ author: 'legion-app', by: 'outsider' }]);
});
