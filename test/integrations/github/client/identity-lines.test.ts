import { describe, expect, it } from 'vitest';
import { createFault } from '../../../../src/core/model/fault.ts';
import {
  describeIdentities,
  type IdentityNote,
} from '../../../../src/integrations/github/client/credentials.ts';

const legion: IdentityNote = { who: 'legion', own: true, uses: 'the variable GH_TOKEN', login: 'ada' };
const as = (who: 'impl' | 'review', login?: string): IdentityNote => ({
  who,
  own: login !== undefined,
  login: login ?? 'ada',
  uses: login === undefined ? 'the variable GH_TOKEN' : 'GitHub App 7',
});

describe('identity lines', () => {
  it('list every account and its credential', () => {
    expect(describeIdentities([legion, as('impl', 'a[bot]'), as('review', 'b[bot]')])).toEqual([
      'Legion on GitHub acts as ada (the variable GH_TOKEN).',
      'Role impl on GitHub acts as a[bot] (GitHub App 7).',
      'Role review on GitHub acts as b[bot] (GitHub App 7).',
    ]);
  });

  it('explain the effect of using a single account', () => {
    const [, falls] = describeIdentities([legion, as('impl'), as('review')]);
    expect(falls).toMatch(
      /^Roles impl and review have no accounts of their own and act as Legion: GitHub does not accept a review/,
    );
  });

  it('do not warn if code and reviews come from two accounts', () => {
    expect(describeIdentities([legion, as('impl', 'a[bot]'), as('review')]).at(-1)).toBe(
      'Role review has no account of its own and acts as Legion.',
    );
    expect(describeIdentities([legion, as('impl', 'ada'), as('review')]).at(-1)).toContain(
      'verdicts are set as labels',
    );
  });

  it('report an account that GitHub did not return as unknown, with the reason', () => {
    const away = { ...legion, login: createFault('github.unavailable', 'GitHub did not answer') };
    expect(describeIdentities([away])).toEqual([
      'Legion on GitHub uses an unknown account: GitHub did not answer (the variable GH_TOKEN).',
    ]);
  });
});
