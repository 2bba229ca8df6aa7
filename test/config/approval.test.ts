/**
 * Tests approvals of commands: they are durable, each applies to exactly one version of the
 * content, and none is granted by mistake.
 */
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
import { openApprovalStore } from '../../src/config/approval.ts';
import {
  computeCommandsFingerprint,
  computePromptsFingerprint,
  computeShownFingerprint,
  readRepositoryConfig,
} from '../../src/config/repository/load.ts';
import { useFolder } from './folder.ts';
import { accepted, refusalOf } from './resolving.ts';

const at = useFolder();
const REPO = 'github.com/acme/app';
const print = (text: string) => computeCommandsFingerprint(accepted(readRepositoryConfig(text)));
const FIRST = print('commands: {test: npm test}');
const SECOND = print('commands: {test: npm run evil}');

test('accepts only the content and the repository that were approved', () => {
  const approvals = openApprovalStore(at('state'));
  expect(accepted(approvals.isApproved(REPO, FIRST))).toBe(false);
  accepted(approvals.approve({ repo: REPO, fingerprint: FIRST, at: 1 }));
  const another = openApprovalStore(at('state'));
  expect(accepted(another.isApproved(REPO, FIRST))).toBe(true);
  expect(accepted(another.isApproved(REPO, SECOND))).toBe(false);
  expect(accepted(another.isApproved('github.com/acme/other', FIRST))).toBe(false);
});

test('computes separate fingerprints for prompts and commands, and a combined one if both are shown for approval', () => {
  const commands = accepted(readRepositoryConfig('commands: {test: npm test}'));
  const prompts = { 'phase.plan': 'Plan.', frame: 'F' };
  expect(computePromptsFingerprint({ frame: 'F', 'phase.plan': 'Plan.' })).toBe(
    computePromptsFingerprint(prompts),
  );
  const others = [{}, { frame: 'F' }, { ...prompts, frame: 'F ' }, { 'phase.plan': 'F', frame: 'Plan.' }];
  const all = [prompts, ...others].flatMap((each) => [
    computePromptsFingerprint(each),
    computeShownFingerprint(commands, each),
  ]);
  expect(new Set(all).size).toBe(all.length);
  // Approvals from before prompts were part of the fingerprint are still valid.
  expect(computeShownFingerprint(commands, {})).toBe(FIRST);
});

test('keeps earlier approvals, stores a repeated approval once, and creates no other file', () => {
  const approvals = openApprovalStore(at());
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

test('makes the file and its folder accessible only to their owner', () => {
  accepted(openApprovalStore(at('new', 'state')).approve({ repo: REPO, fingerprint: FIRST, at: 1 }));
  expect(statSync(at('new', 'state', 'approvals.json')).mode & 0o777).toBe(0o600);
  expect(statSync(at('new', 'state')).mode & 0o777).toBe(0o700);
});

describe('an untrusted file approves nothing and is left unchanged if it', () => {
  const good = { repo: REPO, fingerprint: FIRST, at: 1 };
  test.each([
    ['is empty', ''],
    ['is cut off', '{"version":1,"approvals":[{"repo"'],
    ['is not an object', '[]'],
    ['has a later version', JSON.stringify({ version: 2, approvals: [good] })],
    [
      'has an invalid entry next to a valid one',
      JSON.stringify({ version: 1, approvals: [good, { repo: REPO }] }),
    ],
    ['has an unknown key', JSON.stringify({ version: 1, approvals: [good], approveAll: true })],
    ['has a short fingerprint', JSON.stringify({ version: 1, approvals: [{ ...good, fingerprint: 'a' }] })],
    ['is not UTF-8', Buffer.from([0xff, 0xfe])],
    ['is too large', ' '.repeat(2_000_000)],
  ])('%s', (_, content) => {
    writeFileSync(at('approvals.json'), content, { mode: 0o600 });
    expectDistrust();
    // Compares Buffers, because `toEqual` would compare two million bytes one by one.
    expect(readFileSync(at('approvals.json')).equals(Buffer.from(content as string))).toBe(true);
  });

  test('can be written by others', () => {
    writeFileSync(at('approvals.json'), JSON.stringify({ version: 1, approvals: [good] }));
    chmodSync(at('approvals.json'), 0o666);
    expectDistrust();
  });

  test('is a link or a folder', () => {
    writeFileSync(at('real'), JSON.stringify({ version: 1, approvals: [good] }), { mode: 0o600 });
    symlinkSync(at('real'), at('approvals.json'));
    expectDistrust();
    mkdirSync(at('other', 'approvals.json'), { recursive: true });
    expect(refusalOf(openApprovalStore(at('other')).isApproved(REPO, FIRST)).code).toBe(
      'config.approvals_invalid',
    );
  });
});

test('reports an approval that cannot be stored, and treats that approval as not given', () => {
  writeFileSync(at('state'), 'a file where the folder should be');
  const approvals = openApprovalStore(at('state'));
  expect(refusalOf(approvals.approve({ repo: REPO, fingerprint: FIRST, at: 1 })).code).toBe(
    'config.approvals_unwritten',
  );
  expect(accepted(approvals.isApproved(REPO, FIRST))).toBe(false);
});

test('refuses to approve an invalid fingerprint', () => {
  const { code } = refusalOf(openApprovalStore(at()).approve({ repo: REPO, fingerprint: '*', at: 1 }));
  expect(code).toBe('input.invalid');
  expect(readdirSync(at())).toEqual([]);
});

function expectDistrust(): void {
  const approvals = openApprovalStore(at());
  expect(refusalOf(approvals.isApproved(REPO, FIRST))).toMatchObject({
    code: 'config.approvals_invalid',
    message: expect.stringContaining(at('approvals.json')),
  });
  expect(refusalOf(approvals.approve({ repo: REPO, fingerprint: SECOND, at: 2 })).code).toBe(
    'config.approvals_invalid',
  );
}
