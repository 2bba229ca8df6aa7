import { describe, expect, it } from 'vitest';
import { openLanes, parseAddresses } from '../../../../src/integrations/github/client/transport.ts';
import { systemClock } from '../../../../src/lib/async/system-clock.ts';

const open = (writeSpacingMs = 0) =>
  openLanes({ clock: systemClock, writeSpacingMs, closing: new AbortController().signal });
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Creates tasks that end when the test says so, and records how many run at the same time. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  let inside = 0;
  let most = 0;
  return {
    begun,
    most: () => most,
    end: async (name: string) => {
      ends.get(name)?.();
      await turn();
    },
    work: (name: string) => async () => {
      begun.push(name);
      inside += 1;
      most = Math.max(most, inside);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      inside -= 1;
      return name;
    },
  };
}

describe('writes', () => {
  it('run one after another in order, even after a failure', async () => {
    const lanes = open();
    const { work, begun, end, most } = works();
    const failing = lanes.write(() => Promise.reject(new Error('no')), undefined);
    const all = ['a', 'b', 'c'].map((name) => lanes.write(work(name), undefined));
    await expect(failing).rejects.toThrow('no');
    await turn();
    expect(begun).toEqual(['a']);
    for (const name of ['a', 'b', 'c']) await end(name);
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
    expect([begun, most()]).toEqual([['a', 'b', 'c'], 1]);
  });

  it('start at least the configured time apart', async () => {
    const lanes = open(60);
    const began: number[] = [];
    const write = () => lanes.write(async () => began.push(performance.now()), undefined);
    await Promise.all([write(), write(), write()]);
    expect((began[1] ?? 0) - (began[0] ?? 0)).toBeGreaterThanOrEqual(58);
    expect((began[2] ?? 0) - (began[1] ?? 0)).toBeGreaterThanOrEqual(58);
  });

  it('are removed from the queue when aborted, and leave no timer behind', async () => {
    const lanes = open(60_000);
    const { work, begun, end } = works();
    const first = lanes.write(work('a'), undefined);
    const ending = new AbortController();
    const queued = lanes.write(work('b'), ending.signal);
    const reason = new Error('given up');
    const left = expect(queued).rejects.toBe(reason);
    ending.abort(reason);
    await left;
    await turn();
    await end('a');
    await first;

    const spacing = new AbortController();
    const spaced = expect(lanes.write(work('c'), spacing.signal)).rejects.toBe(reason);
    await turn();
    spacing.abort(reason);
    await spaced;
    expect(begun).toEqual(['a']);
  });

  it('continue with the next write after one is aborted', async () => {
    const lanes = open();
    const { work, end } = works();
    const first = lanes.write(work('a'), undefined);
    const ending = new AbortController();
    const left = expect(lanes.write(work('b'), ending.signal)).rejects.toThrow('given up');
    const behind = lanes.write(async () => 'written', undefined);
    await turn();
    ending.abort(new Error('given up'));
    await left;
    await end('a');
    expect([await first, await behind]).toEqual(['a', 'written']);
  });

  it('do not wait for reads', async () => {
    const lanes = open();
    const { work, end } = works();
    const reads = ['1', '2', '3', '4'].map((name) => lanes.read(work(name), undefined));
    expect(await lanes.write(async () => 'written', undefined)).toBe('written');
    for (const name of ['1', '2', '3', '4']) await end(name);
    await Promise.all(reads);
  });
});

describe('reads', () => {
  it('run four at a time until all are done', async () => {
    const lanes = open();
    const { work, begun, end, most } = works();
    const names = Array.from({ length: 20 }, (_, index) => `${index}`);
    const all = Promise.all(names.map((name) => lanes.read(work(name), undefined)));
    await turn();
    expect(begun).toHaveLength(4);
    for (const name of names) await end(name);
    expect(await all).toEqual(names);
    expect(most()).toBe(4);
  });
});

describe('the URLs of a GitHub server', () => {
  it('put the APIs on a separate host for github.com', () => {
    const expected = {
      web: 'https://github.com',
      host: 'github.com',
      rest: 'https://api.github.com',
      graphql: 'https://api.github.com/graphql',
    };
    expect(parseAddresses('https://github.com')).toEqual(expected);
    expect(parseAddresses('https://GitHub.com/')).toEqual(expected);
  });

  it('put the APIs below /api everywhere else', () => {
    expect(parseAddresses('https://git.example.org:8443/')).toEqual({
      web: 'https://git.example.org:8443',
      host: 'git.example.org:8443',
      rest: 'https://git.example.org:8443/api/v3',
      graphql: 'https://git.example.org:8443/api/graphql',
    });
    expect(parseAddresses('http://127.0.0.1:4000').graphql).toBe('http://127.0.0.1:4000/api/graphql');
  });

  it.each([
    'http://git.example.org',
    'http://127.0.0.1.example.org',
    'http://github.com',
    'ftp://github.com',
    'github.com',
    '',
    'https://ada:secret@github.com',
    'https://git.example.org/?x=1',
  ])('reject %j without quoting it', (url) => {
    expect(() => parseAddresses(url)).toThrow(
      expect.objectContaining({ code: 'config.invalid', message: expect.not.stringContaining('secret') }),
    );
  });
});
