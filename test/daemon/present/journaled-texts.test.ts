import { expect, test } from 'vitest';
import { redactOutput } from '../../../src/daemon/present/reason.ts';

test.each([
  ['an Anthropic key', `sk-${'ant'}-${'a1B2'.repeat(6)}`],
  ['a GitHub token', 'ghp_0123456789abcdefghijABCDEFGHIJ0123'],
  ['a fine-grained GitHub token', 'github_pat_11ABCDEFG0123456789_abcdefghij'],
  ['a Linear key', 'lin_api_0123456789abcdefghij0123456789'],
  ['a Slack token', 'xoxb-0123456789-abcdefghij'],
  ['an AWS key', 'AKIA0123456789ABCDEF'],
  ['a signed token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
  ['a worker’s own token', 'lw1.ZGVtby0x.c2VhbA'],
])('redacts %s', (_, secret) => {
  expect(redactOutput(`before ${secret} after`)).toBe('before [redacted] after');
});

test.each([
  ['Authorization: Bearer 0123456789abcdef0123', 'Authorization: [redacted]'],
  ['DB_PASSWORD=hunter2hunter2', 'DB_PASSWORD=[redacted]'],
  ['{"api_key": "0123456789"}', '{"api_key": "[redacted]"}'],
  ['https://ada:hunter2@example.org/x.git', 'https://ada:[redacted]@example.org/x.git'],
  [
    'a\n-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0123\nabc=\n-----END RSA PRIVATE KEY-----\nb',
    'a\n[redacted]\nb',
  ],
])('recognises a secret by the words around it and redacts it: %s', (text, shown) => {
  expect(redactOutput(text)).toBe(shown);
});

test('leaves plain words unchanged', () => {
  const text = 'npm test: 3 of 4 passed in src/token.ts; the password check fails at login.ts:12';
  expect(redactOutput(text)).toBe(text);
});
