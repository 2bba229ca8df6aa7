import { expect, test } from 'vitest';
import { redactOutput } from '../../../src/daemon/present/reason.ts';

const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEabc+/012345678'.repeat(3)}\n${'Q'.repeat(20)}==\n-----END RSA PRIVATE KEY-----`;

test.each([
  ['a GitHub token', `token is ghp_${'a'.repeat(36)}.`, 'token is [redacted].'],
  ['a fine-grained GitHub token', `github_pat_${'a'.repeat(40)}`, '[redacted]'],
  ['a Linear key', `lin_api_${'a'.repeat(40)}`, '[redacted]'],
  ['an Authorization header', `Authorization: Bearer ${'a'.repeat(20)}`, 'Authorization: [redacted]'],
  ['a worker’s token', 'LEGION_WORKER_TOKEN=lw1.abc.def', 'LEGION_WORKER_TOKEN=[redacted]'],
  ['a private key', `before\n${KEY}\nafter it`, 'before\n[redacted]\nafter it'],
  ['a private key without its end', `${KEY.slice(0, 60)}\nthe lamp is red`, '[redacted]\nthe lamp is red'],
])('redacts %s', (_, text, shown) => {
  expect(redactOutput(text)).toBe(shown);
});

test('leaves ordinary output unchanged', () => {
  const text = 'ok 1 - basic auth\nnot ok 2 - token expired\nsha 0123456789abcdef0123456789abcdef01234567\n';
  expect(redactOutput(text)).toBe(text);
});
