import fc from 'fast-check';
import { expect, test } from 'vitest';
import { workerTokens } from '../../../src/daemon/context/worker-tokens.ts';
import { MODES } from '../../../src/domain/mode.ts';
import { assertProperty } from '../../support/property.ts';

const tokens = workerTokens('a secret of this legion');
const who = { issue: 'ENG-21', mode: 'implement', attempt: 3 } as const;

test('a token names its attempt, before and after a restart', () => {
  expect(workerTokens('a secret of this legion').read(tokens.tokenFor(who))).toEqual(who);
});

test('every attempt of every worker has a token of its own', () => {
  const others = [
    { ...who, attempt: 4 },
    { ...who, mode: 'merge' },
    { ...who, issue: 'ENG-2' },
  ] as const;
  const all = [who, ...others].map((each) => tokens.tokenFor(each));
  expect(new Set(all).size).toBe(all.length);
});

test('the token of another legion is none', () => {
  expect(tokens.read(workerTokens('another secret').tokenFor(who))).toBeUndefined();
});

test('a name cannot be exchanged under a seal', () => {
  const [prefix, , seal] = tokens.tokenFor(who).split('.');
  const forged = Buffer.from(JSON.stringify(['ENG-22', 'merge', 1])).toString('base64url');
  expect(tokens.read(`${prefix}.${forged}.${seal}`)).toBeUndefined();
});

test('no text that is not a token passes for one, nor makes it fail', () => {
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

test('every id and mode comes back as it was', () => {
  assertProperty(
    fc.property(
      fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,40}$/),
      fc.constantFrom(...MODES),
      fc.integer({ min: 1 }),
      (issue, mode, attempt) => {
        expect(tokens.read(tokens.tokenFor({ issue, mode, attempt }))).toEqual({ issue, mode, attempt });
      },
    ),
  );
});
