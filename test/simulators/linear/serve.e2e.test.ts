/** Checks that a person can start the simulator, read its URL and usage, and stop it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

function start(...args: string[]) {
  return spawn(process.execPath, ['simulators/linear/serve.ts', ...args], { cwd: ROOT });
}

/** Reads the child's output until it contains `word`. */
async function saying(child: ReturnType<typeof start>, word: string): Promise<string> {
  let said = '';
  for await (const part of child.stdout) {
    said += String(part);
    if (said.includes(word)) break;
  }
  return said;
}

async function ask(said: string, query: string) {
  const [, url = ''] = /is at (\S+),/.exec(said) ?? [];
  const [, key = ''] = /KEY=(\S+)/.exec(said) ?? [];
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: key, connection: 'close' },
    body: JSON.stringify({ query }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the query's
  return (await response.json()) as any;
}

test('prints its URL, key and team, and stops on a signal', async () => {
  const child = start('--states', 'Todo,Doing,Done');
  const ended = once(child, 'close');
  const said = await saying(child, 'legion init');
  const [, id = ''] = /ENG \(([0-9a-f-]{36})\)/.exec(said) ?? [];
  const query = `{ team(id: "${id}") { key states { nodes { name type } } issues { nodes { identifier state { name } } } } }`;
  expect(await ask(said, query)).toEqual({
    data: {
      team: {
        key: 'ENG',
        states: {
          nodes: [
            { name: 'Duplicate', type: 'duplicate' },
            { name: 'Canceled', type: 'canceled' },
            { name: 'Done', type: 'completed' },
            { name: 'Doing', type: 'started' },
            { name: 'Todo', type: 'unstarted' },
          ],
        },
        issues: { nodes: [{ identifier: 'ENG-1', state: { name: 'Todo' } }] },
      },
    },
  });
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('with --demo, serves a team with Legion’s states and prints how to run Legion against it', async () => {
  const child = start('--demo');
  const ended = once(child, 'close');
  const said = await saying(child, 'DEMO_TOKEN');
  expect(said).toMatch(/legion demo --linear-url \S+ --team DEMO --key-variable DEMO_KEY\n/);
  expect(said).toContain('--repo legion/demo --token-variable DEMO_TOKEN');
  const answer = await ask(
    said,
    '{ team(id: "DEMO") { states { nodes { name } } issues { nodes { id } } } }',
  );
  expect(answer.data.team.issues.nodes).toEqual([]);
  expect(answer.data.team.states.nodes).toContainEqual({ name: 'Needs Review' });
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test.each([
  [['--port', 'x'], '--port must be a whole number up to 65535, got x'],
  [['--states', 'Todo,,Done'], '--states must be a comma-separated list of names'],
  [['--nonsense'], 'nonsense'],
])('rejects %j with a one-sentence error', async (args, sentence) => {
  const child = start(...args);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect(code).toBe(2);
  expect(said).toContain(sentence);
  expect(said).toContain('Usage: npm run linear');
  expect(said).not.toMatch(/^\s+at /m);
});
