/** What stands at the beginning of a session: its tools, and the session itself. */
import { expect, test } from 'vitest';
import { openSession } from '../../../src/agents/opencode/session.ts';
import { awaitTools } from '../../../src/agents/opencode/tools-at-hand.ts';
import type { WorkerEnvironment } from '../../../src/protocol/worker-environment.ts';
import { OWN, useServerEdge } from './server-edge.ts';

const serverEdge = useServerEdge();

const worker = { LEGION_ISSUE: 'DEMO-1', LEGION_PHASE: 'implement' } as WorkerEnvironment;

test('a worker without its tools does not begin, and says why', async () => {
  const { api, answers } = await serverEdge();
  answers['/mcp'] = { legion: { status: 'failed', error: 'ENOENT: no such file' } };
  await expect(awaitTools(api)).rejects.toMatchObject({
    ...{ code: 'agent.failed', message: 'the legion MCP server did not start: ENOENT: no such file' },
  });
});

test('tools that take a while are waited for', async () => {
  const { api, answers } = await serverEdge();
  answers['/mcp'] = {};
  setTimeout(() => {
    answers['/mcp'] = { legion: { status: 'connected' } };
  }, 300);
  await expect(awaitTools(api)).resolves.toBeUndefined();
});

test('a session is continued by its own id; one that is not there, or has no form of an id, is unknown', async () => {
  const { api, answers, told } = await serverEdge();
  answers[`/session/${OWN}`] = { id: OWN };
  const resume = (native: string | undefined) =>
    openSession(api, { session: 's', native, isResumed: true, worker });
  expect(await resume(OWN)).toBe(OWN);
  for (const native of ['ses_other', '../config', undefined])
    await expect(resume(native)).rejects.toMatchObject({ code: 'agent.session_unknown' });
  expect(told).toEqual([]);
});

test('what is no answer of a server is a fault', async () => {
  const { api, answers } = await serverEdge();
  answers['/mcp'] = 7;
  await expect(awaitTools(api)).rejects.toMatchObject({ code: 'agent.failed' });
  await expect(
    openSession(api, { session: 's', native: undefined, isResumed: false, worker }),
  ).rejects.toThrow('a session without an id');
});
