import { expect, test } from 'vitest';
import { LegionError } from '../../../src/core/model/fault.ts';
import type { ObservedIssue } from '../../../src/core/model/observed-issue.ts';
import { BoardView } from '../../../src/daemon/context/board-view.ts';
import type { Repositories } from '../../../src/daemon/context/repository.ts';
import {
  openFailingLogs,
  quoteFailingLog,
  readFailingLog,
} from '../../../src/daemon/repositories/read-checks.ts';
import type { FailingCheck } from '../../../src/ports/forge.ts';
import { settableClock } from '../../ports/forge/clock.ts';

const SHA = 'a'.repeat(40);

/** Creates a world with one issue on its board and a forge that returns the given response. */
function world(answer: () => FailingCheck | undefined) {
  const boardView = new BoardView();
  const asked: string[] = [];
  const forge = {
    async failingCheck(sha: string) {
      asked.push(sha);
      return answer();
    },
  };
  const repositories = { require: () => ({ forge }) } as unknown as Repositories;
  const see = (changes: object) => {
    const pullRequest = { state: 'open', ci: 'failing', headSha: SHA, ...changes };
    boardView.replace('DEMO-1', { issue: { id: 'DEMO-1' }, pullRequest } as unknown as ObservedIssue);
  };
  see({});
  return { boardView: boardView, repositories, clock: settableClock(), asked, see };
}

test('keeps the last lines of the log, limited in length and without secrets', async () => {
  const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`);
  const logTail = [...lines, 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz', 'x'.repeat(9_000)].join(
    '\n',
  );
  const found = await readFailingLog(
    world(() => ({ name: 'unit\ntests', logTail })),
    'DEMO-1',
  );
  expect(found).toMatchObject({ check: 'unit tests', sha: SHA });
  expect(found?.log).toHaveLength(3_000);

  const short = await readFailingLog(
    world(() => ({ name: 'unit', logTail: logTail.slice(0, -9_001) })),
    'DEMO-1',
  );
  expect(short?.log.split('\n')).toHaveLength(15);
  expect(short?.log).toMatch(/line 99\nAuthorization: \[redacted\]$/);
});

test.each([
  ['green', { ci: 'passing' }],
  ['pending', { ci: 'pending' }],
  ['merged', { state: 'merged' }],
])('returns no log and does not query the forge for a pull request that is %s', async (_, changes) => {
  const of = world(() => ({ name: 'unit', logTail: 'red' }));
  of.see(changes);
  expect(await readFailingLog(of, 'DEMO-1')).toBeUndefined();
  expect(await openFailingLogs(of)('DEMO-1')).toBeUndefined();
  expect(of.asked).toEqual([]);
});

test('queries the forge once per failed commit, and again for another head or result', async () => {
  const of = world(() => ({ name: 'unit', logTail: 'red' }));
  const failingLogs = openFailingLogs(of);
  for (let look = 0; look < 3; look += 1) expect(await failingLogs('DEMO-1')).toMatchObject({ log: 'red' });
  expect(of.asked).toEqual([SHA]);
  of.see({ headSha: 'b'.repeat(40) });
  await failingLogs('DEMO-1');
  of.see({ headSha: 'b'.repeat(40), ci: 'pending' });
  await failingLogs('DEMO-1');
  of.see({ headSha: 'b'.repeat(40) });
  await failingLogs('DEMO-1');
  expect(of.asked).toEqual([SHA, 'b'.repeat(40), 'b'.repeat(40)]);
});

test('returns no log if the forge cannot be read, and retries after a minute', async () => {
  let isAway = true;
  const of = world(() => {
    if (isAway) throw new LegionError('forge.unavailable', 'away');
    return { name: 'unit', logTail: 'red' };
  });
  const failingLogs = openFailingLogs(of);
  expect(await failingLogs('DEMO-1')).toBeUndefined();
  isAway = false;
  expect(await failingLogs('DEMO-1')).toBeUndefined();
  expect(of.asked).toHaveLength(1);
  of.clock.advance(60_000);
  expect(await failingLogs('DEMO-1')).toMatchObject({ log: 'red' });
});

test('keeps the log inside its quoted block', () => {
  const text = quoteFailingLog({ check: 'a`b @ada', sha: SHA, log: '```\n@ada\n`````' });
  expect(text).toBe(
    [`CI fails at commit ${'a'.repeat(12)}. The end of the log of \`a’b @ada\`:`, '']
      .concat('``````text', '```', '@ada', '`````', '``````')
      .join('\n'),
  );
});
