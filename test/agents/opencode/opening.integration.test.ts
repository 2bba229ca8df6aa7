/** Tests the start of a session: waiting for its tools, and creating or continuing it. */
import { expect, test } from 'vitest';
import { openOpencodeSession } from '../../../src/agents/opencode/dialect.ts';
import { waitForTools } from '../../../src/agents/opencode/server.ts';
import type { WorkerEnvironment } from '../../../src/protocol/worker-environment.ts';
import { OWN, useServerEdge } from './server-edge.ts';

const serverEdge = useServerEdge();

const worker = { LEGION_ISSUE: 'DEMO-1', LEGION_PHASE: 'implement' } as WorkerEnvironment;

test('does not start a worker whose tools failed to start, and reports why', async () => {
  const { api, answers } = await serverEdge();
  answers['/mcp'] = { legion: { status: 'failed', error: 'ENOENT: no such file' } };
  await expect(waitForTools(api)).rejects.toMatchObject({
    code: 'agent.failed',
    message: 'the legion MCP server did not start: ENOENT: no such file',
  });
});

test('waits for tools that start slowly', async () => {
  const { api, answers } = await serverEdge();
  answers['/mcp'] = {};
  setTimeout(() => {
    answers['/mcp'] = { legion: { status: 'connected' } };
  }, 300);
  await expect(waitForTools(api)).resolves.toBeUndefined();
});

test('continues a session by its id, and reports a missing or malformed id as unknown', async () => {
  const { api, answers, told } = await serverEdge();
  answers[`/session/${OWN}`] = { id: OWN };
  const resume = (native: string | undefined) =>
    openOpencodeSession(api, { session: 's', native, isResumed: true, worker });
  expect(await resume(OWN)).toBe(OWN);
  for (const native of ['ses_other', '../config', undefined])
    await expect(resume(native)).rejects.toMatchObject({ code: 'agent.session_unknown' });
  expect(told).toEqual([]);
});

test('reports an invalid server response as a fault', async () => {
  const { api, answers } = await serverEdge();
  answers['/mcp'] = 7;
  await expect(waitForTools(api)).rejects.toMatchObject({ code: 'agent.failed' });
  await expect(
    openOpencodeSession(api, { session: 's', native: undefined, isResumed: false, worker }),
  ).rejects.toThrow('a session without an id');
});
