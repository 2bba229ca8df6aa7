import { describe, expect, it } from 'vitest';
import { fault } from '../../src/core/model/fault.ts';
import type { IdentityNote } from '../../src/github/credentials.ts';
import { identityLines } from '../../src/github/identity-lines.ts';

const legion: IdentityNote = { who: 'legion', own: true, uses: 'the variable GH_TOKEN', login: 'ada' };
const as = (who: 'impl' | 'review', login?: string): IdentityNote => ({
  ...{ who, own: login !== undefined, login: login ?? 'ada' },
  uses: login === undefined ? 'the variable GH_TOKEN' : 'GitHub App 7',
});

describe('who acts for whom', () => {
  it('names every account and what it is known by', () => {
    expect(identityLines([legion, as('impl', 'a[bot]'), as('review', 'b[bot]')])).toEqual([
      'Legion on GitHub acts as ada (the variable GH_TOKEN).',
      'Role impl on GitHub acts as a[bot] (GitHub App 7).',
      'Role review on GitHub acts as b[bot] (GitHub App 7).',
    ]);
  });

  it('says what it means that nobody but one account is there', () => {
    const [, falls] = identityLines([legion, as('impl'), as('review')]);
    expect(falls).toMatch(
      /^Roles impl and review have no identity of their own and act as Legion itself: GitHub takes no review/,
    );
  });

  it('does not warn where code and verdicts come from two accounts all the same', () => {
    expect(identityLines([legion, as('impl', 'a[bot]'), as('review')]).at(-1)).toBe(
      'Role review has no identity of its own and acts as Legion itself.',
    );
    expect(identityLines([legion, as('impl', 'ada'), as('review')]).at(-1)).toContain('verdicts are labels');
  });

  it('says what GitHub would not tell', () => {
    const away = { ...legion, login: fault('github.unavailable', 'GitHub did not answer') };
    expect(identityLines([away])).toEqual([
      'Legion on GitHub has an account that is not known: GitHub did not answer (the variable GH_TOKEN).',
    ]);
  });
});
