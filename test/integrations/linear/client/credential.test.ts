import { expect, it } from 'vitest';
import { LegionError } from '../../../../src/core/model/fault.ts';
import { chooseLinearCredential } from '../../../../src/integrations/linear/client/credential.ts';

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
] as const)('uses the first credential of %j that is set', (sources, expected) => {
  expect(chooseLinearCredential(sources)).toMatchObject(expected);
});

it('states what to set if there is no credential', () => {
  const nothing = () => chooseLinearCredential({ apiKey: undefined, environment: { LINEAR_API_KEY: '' } });
  expect(nothing).toThrow(LegionError);
  expect(nothing).toThrow(/credentials\.linear\.api_key.*LINEAR_API_KEY/);
});

it('describes a credential by its source, never by its value', () => {
  expect(chooseLinearCredential({ environment }).source).toBe('the variable LINEAR_API_KEY');
  const token = chooseLinearCredential({ accessToken: 'canary', environment });
  expect(token.source).toBe('credentials.linear.access_token');
});
