import { expect, it } from 'vitest';
import { LegionError } from '../../../../src/core/model/fault.ts';
import { linearCredential } from '../../../../src/linear/credential.ts';

const environment = { LINEAR_API_KEY: ' canary-ambient\n' };

it.each([
  [
    { apiKey: 'k', accessToken: 't', environment },
    { kind: 'api_key', value: 'k' },
  ],
  [
    { accessToken: 't', environment },
    { kind: 'access_token', value: 't' },
  ],
  [
    { apiKey: ' ', accessToken: '', environment },
    { kind: 'api_key', value: 'canary-ambient' },
  ],
  [{ environment }, { kind: 'api_key', value: 'canary-ambient' }],
] as const)('of %j the first that is set is used', (sources, expected) => {
  expect(linearCredential(sources)).toMatchObject(expected);
});

it('without any it says what to set', () => {
  const nothing = () => linearCredential({ apiKey: undefined, environment: { LINEAR_API_KEY: '' } });
  expect(nothing).toThrow(LegionError);
  expect(nothing).toThrow(/credentials\.linear\.api_key.*LINEAR_API_KEY/);
});

it('is told by where it is from, never by its value', () => {
  expect(linearCredential({ environment }).words).toBe('the variable LINEAR_API_KEY');
  const token = linearCredential({ accessToken: 'canary', environment });
  expect(token.words).toBe('credentials.linear.access_token');
});
