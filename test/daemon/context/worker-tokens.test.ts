import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MODES } from '../../../src/core/model/mode.ts';
import { createWorkerTokens } from '../../../src/daemon/context/worker-tokens.ts';
import { assertProperty } from '../../support/property.ts';

const tokens = createWorkerTokens('a secret of this legion');
const who = { issue: 'ENG-21', mode: 'implement', attempt: 3 } as const;

test('a token identifies its attempt before and after a restart', () => {
  expect(createWorkerTokens('a secret of this legion').read(tokens.createToken(who))).toEqual(who);
});

test('every attempt of every worker has its own token', () => {
  const others = [
    { ...who, attempt: 4 },
    { ...who, mode: 'merge' },
    { ...who, issue: 'ENG-2' },
  ] as const;
  const all = [who, ...others].map((each) => tokens.createToken(each));
  expect(new Set(all).size).toBe(all.length);
});

test('rejects the token of another legion', () => {
  expect(tokens.read(createWorkerTokens('another secret').createToken(who))).toBeUndefined();
});

test("rejects a token that combines one worker's name with another worker's signature", () => {
  const [prefix, , seal] = tokens.createToken(who).split('.');
  const forged = Buffer.from(JSON.stringify(['ENG-22', 'merge', 1])).toString('base64url');
  expect(tokens.read(`${prefix}.${forged}.${seal}`)).toBeUndefined();
});

test('rejects any other text without throwing', () => {
  assertProperty(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `lw1.${text}.${text}`),
      ),
      (text) => {
        expect(tokens.read(text)).toBeUndefined();
      },
    ),
  );
  expect(tokens.read(`lw1.${'a'.repeat(1_000_000)}.b`)).toBeUndefined();
});

test('encodes and decodes every id and mode without loss', () => {
  assertProperty(
    fc.property(
      fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,40}$/),
      fc.constantFrom(...MODES),
      fc.integer({ min: 1 }),
      (issue, mode, attempt) => {
        expect(tokens.read(tokens.createToken({ issue, mode, attempt }))).toEqual({ issue, mode, attempt });
      },
    ),
  );
});
