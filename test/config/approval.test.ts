/** Approvals of commands: on disk for good, for exactly one content, and never by mistake. */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { approvalsIn } from '../../src/config/approval.ts';
import {
  commandsFingerprint,
  promptsFingerprint,
  shownFingerprint,
} from '../../src/config/repository/fingerprint.ts';
import { readRepositoryConfig } from '../../src/config/repository/load.ts';
import { useFolder } from './folder.ts';
import { accepted, refusalOf } from './resolving.ts';

const at = useFolder();
const REPO = 'github.com/acme/app';
const print = (text: string) => commandsFingerprint(accepted(readRepositoryConfig(text)));
const FIRST = print('commands: {test: npm test}');
const SECOND = print('commands: {test: npm run evil}');

test('only the approved content of the approved repository', () => {
  const approvals = approvalsIn(at('state'));
  expect(accepted(approvals.approved(REPO, FIRST))).toBe(false);
  accepted(approvals.approve({ repo: REPO, fingerprint: FIRST, at: 1 }));
  const another = approvalsIn(at('state'));
  expect(accepted(another.approved(REPO, FIRST))).toBe(true);
  expect(accepted(another.approved(REPO, SECOND))).toBe(false);
  expect(accepted(another.approved('github.com/acme/other', FIRST))).toBe(false);
});

test('prompts have a fingerprint of their own, and what is shown at once has one of both', () => {
  const commands = accepted(readRepositoryConfig('commands: {test: npm test}'));
  const prompts = { 'phase.plan': 'Plan.', frame: 'F' };
  expect(promptsFingerprint({ frame: 'F', 'phase.plan': 'Plan.' })).toBe(promptsFingerprint(prompts));
  const others = [{}, { frame: 'F' }, { ...prompts, frame: 'F ' }, { 'phase.plan': 'F', frame: 'Plan.' }];
  const all = [prompts, ...others].flatMap((each) => [
    promptsFingerprint(each),
    shownFingerprint(commands, each),
  ]);
  expect(new Set(all).size).toBe(all.length);
  // Whoever approved commands before there were prompts has approved them still.
  expect(shownFingerprint(commands, {})).toBe(FIRST);
});

test('earlier approvals stay, the same one is kept once, and nothing else is left in the folder', () => {
  const approvals = approvalsIn(at());
  for (const [when, fingerprint] of [FIRST, SECOND, FIRST].entries()) {
    accepted(approvals.approve({ repo: REPO, fingerprint, at: when }));
  }
  const kept = JSON.parse(readFileSync(at('approvals.json'), 'utf8')).approvals;
  expect(kept).toEqual([
    { repo: REPO, fingerprint: SECOND, at: 1 },
    { repo: REPO, fingerprint: FIRST, at: 2 },
  ]);
  expect(readdirSync(at())).toEqual(['approvals.json']);
});

test('only its owner may read the file and the folder made for it', () => {
  accepted(approvalsIn(at('new', 'state')).approve({ repo: REPO, fingerprint: FIRST, at: 1 }));
  expect(statSync(at('new', 'state', 'approvals.json')).mode & 0o777).toBe(0o600);
  expect(statSync(at('new', 'state')).mode & 0o777).toBe(0o700);
});

describe('a file that cannot be trusted approves nothing and is left as it is', () => {
  const good = { repo: REPO, fingerprint: FIRST, at: 1 };
  test.each([
    ['is empty', ''],
    ['is cut off', '{"version":1,"approvals":[{"repo"'],
    ['is no object', '[]'],
    ['is of a later version', JSON.stringify({ version: 2, approvals: [good] })],
    [
      'has a wrong entry beside a good one',
      JSON.stringify({ version: 1, approvals: [good, { repo: REPO }] }),
    ],
    ['has an unknown key', JSON.stringify({ version: 1, approvals: [good], approveAll: true })],
    ['has a short fingerprint', JSON.stringify({ version: 1, approvals: [{ ...good, fingerprint: 'a' }] })],
    ['is not UTF-8', Buffer.from([0xff, 0xfe])],
    ['is too large', ' '.repeat(2_000_000)],
  ])('%s', (_, content) => {
    writeFileSync(at('approvals.json'), content, { mode: 0o600 });
    expectDistrust();
    // Compared by Buffer itself: `toEqual` goes through two million bytes one by one.
    expect(readFileSync(at('approvals.json')).equals(Buffer.from(content as string))).toBe(true);
  });

  test('others may write it', () => {
    writeFileSync(at('approvals.json'), JSON.stringify({ version: 1, approvals: [good] }));
    chmodSync(at('approvals.json'), 0o666);
    expectDistrust();
  });

  test('it is a link or a folder', () => {
    writeFileSync(at('real'), JSON.stringify({ version: 1, approvals: [good] }), { mode: 0o600 });
    symlinkSync(at('real'), at('approvals.json'));
    expectDistrust();
    mkdirSync(at('other', 'approvals.json'), { recursive: true });
    expect(refusalOf(approvalsIn(at('other')).approved(REPO, FIRST)).code).toBe('config.approvals_invalid');
  });
});

test('an approval that cannot be written is a fault, and counts for nothing', () => {
  writeFileSync(at('state'), 'a file where the folder should be');
  const approvals = approvalsIn(at('state'));
  expect(refusalOf(approvals.approve({ repo: REPO, fingerprint: FIRST, at: 1 })).code).toBe(
    'config.approvals_unwritten',
  );
  expect(accepted(approvals.approved(REPO, FIRST))).toBe(false);
});

test('something that is no fingerprint cannot be approved', () => {
  const { code } = refusalOf(approvalsIn(at()).approve({ repo: REPO, fingerprint: '*', at: 1 }));
  expect(code).toBe('input.invalid');
  expect(readdirSync(at())).toEqual([]);
});

function expectDistrust(): void {
  const approvals = approvalsIn(at());
  expect(refusalOf(approvals.approved(REPO, FIRST))).toMatchObject({
    code: 'config.approvals_invalid',
    message: expect.stringContaining(at('approvals.json')),
  });
  expect(refusalOf(approvals.approve({ repo: REPO, fingerprint: SECOND, at: 2 })).code).toBe(
    'config.approvals_invalid',
  );
}
