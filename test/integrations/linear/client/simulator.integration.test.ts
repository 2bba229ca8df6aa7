/**
 * Tests the client against a simulated Linear: identity, refusals, rate limits and lost responses.
 */
import { describe, expect, it } from 'vitest';
import type { LegionError } from '../../../../src/core/model/fault.ts';
import { faultOf } from '../../github/client/loopback.ts';
import { linearStage } from './linear-client.ts';
import { never } from './wire.ts';

const stage = linearStage();
const ISSUE = 'query Issue($id: String!) { issue(id: $id) { id } }';
const COMMENT = 'mutation Say($input: CommentCreateInput!) { commentCreate(input: $input) { success } }';

describe('Linear', () => {
  it('returns the account of the credential', async () => {
    const { linear, client } = stage();
    const { name, email, workspace } = await client().viewer();
    expect({ name, email }).toEqual({ name: 'ada', email: expect.stringContaining('@') });
    expect(workspace).toEqual({ name: expect.any(String), urlKey: expect.any(String) });
    const app = linear.people.app('Legion');
    const credential = { kind: 'access_token', value: app.accessToken } as const;
    expect(await client({ credential }).viewer()).toMatchObject({ id: app.id, name: 'Legion' });
  });

  it('rejects an unknown key', async () => {
    const fault = await faultOf(stage().client({ key: 'lin_api_wrong' }).viewer());
    expect(fault.code).toBe('linear.unauthorized');
  });

  it('reports an issue that does not exist as missing', async () => {
    const { linear, client } = stage();
    linear.people.team({ key: 'ENG', name: 'Engineering' });
    const fault = await faultOf(client().query(ISSUE, { id: 'ENG-404' }, { signal: never }));
    expect(fault.code).toBe('linear.missing');
  });

  it('rejects a document outside its schema', async () => {
    const fault = await faultOf(stage().client().query('query Odd { nonsense }', {}, { signal: never }));
    expect(fault.code).toBe('linear.refused');
  });

  it('reports the remaining budget and the time at which a limit ends', async () => {
    const { linear, client } = stage();
    const it = client();
    await it.viewer();
    const budget = it.budget();
    expect(budget?.remaining).toBeLessThan(budget?.limit ?? 0);
    linear.faults.next({ answer: { rateLimit: 'complexity', resetsInSeconds: 600 } });
    const fault = await faultOf(it.query(ISSUE, { id: 'ENG-1' }, { signal: never }));
    expect(fault.code).toBe('linear.rate_limited');
    const wait = (fault.retryAt ?? 0) - Date.now();
    expect(wait).toBeGreaterThan(590_000);
    expect(wait).toBeLessThan(605_000);
  });

  it('limits an account that sends too many requests', async () => {
    const { linear, client } = stage();
    const it = client();
    linear.faults.limits({ requests: { limit: 36, remaining: 2 } });
    const ask = () => it.query('query Who { viewer { id } }', {}, { signal: never });
    await ask();
    expect(it.budget()).toMatchObject({ limit: 36 });
    const faults: LegionError[] = [];
    // The budget recovers by one request every hundred seconds.
    for (let index = 0; index < 5; index += 1) await ask().catch((error: LegionError) => faults.push(error));
    expect(faults[0]?.code).toBe('linear.rate_limited');
    expect(faults[0]?.retryAt).toBeGreaterThan(Date.now() - 60_000);
  });

  it('rejects writes with a read-only key', async () => {
    const { linear, client } = stage();
    linear.people.team({ key: 'ENG', name: 'Engineering' });
    const issue = linear.people.issue('ENG', { creator: 'ada', title: 'One' });
    const it = client({ key: linear.people.apiKey('ada', ['read']) });
    const { issue: found } = await it.query<{ issue: { id: string } }>(
      ISSUE,
      { id: issue },
      { signal: never },
    );
    const fault = await faultOf(it.mutate(COMMENT, { input: { issueId: found.id, body: 'hello' } }));
    expect(fault.code).toBe('linear.forbidden');
  });

  it.each([
    ['a lost response', { reset: true }],
    ['a gateway status', { status: 504 }],
    ['a lock timeout', { errorType: 'lock timeout' }],
  ] as const)('executes a write only once if the client gets %s', async (_title, answer) => {
    const { linear, client } = stage();
    linear.people.team({ key: 'ENG', name: 'Engineering' });
    const issue = linear.people.issue('ENG', { creator: 'ada', title: 'One' });
    linear.faults.next({ matching: 'Say', answer, executed: true });
    const it = client();
    const { issue: found } = await it.query<{ issue: { id: string } }>(
      ISSUE,
      { id: issue },
      { signal: never },
    );
    const fault = await faultOf(it.mutate(COMMENT, { input: { issueId: found.id, body: 'hello' } }));
    expect(fault.code).toBe('linear.unavailable');
    expect(linear.snapshot().issues[0]?.comments).toHaveLength(1);
  });

  it.each(['refused', 500, 502, 503] as const)('is unavailable in an outage: %s', async (kind) => {
    const { linear, client } = stage();
    const it = client();
    linear.faults.outage(kind);
    expect((await faultOf(it.viewer())).code).toBe('linear.unavailable');
    linear.faults.outage(undefined);
    expect((await it.viewer()).name).toBe('ada');
  });

  it('is unavailable while it hangs', async () => {
    const { linear, client } = stage();
    linear.faults.outage('hanging');
    const fault = await faultOf(client({ timeoutMs: 200 }).viewer());
    expect(fault).toMatchObject({ code: 'linear.unavailable', message: expect.stringContaining('200 ms') });
    linear.faults.outage(undefined);
  });
});
