import { expect, test } from 'vitest';
import { withoutSecrets } from '../../../src/daemon/present/without-secrets.ts';

const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEabc+/012345678'.repeat(3)}\n${'Q'.repeat(20)}==\n-----END RSA PRIVATE KEY-----`;

test.each([
  ['a token of GitHub', `token is ghp_${'a'.repeat(36)}.`, 'token is [redacted].'],
  ['a fine-grained one', `github_pat_${'a'.repeat(40)}`, '[redacted]'],
  ['a key of Linear', `lin_api_${'a'.repeat(40)}`, '[redacted]'],
  ['a header', `Authorization: Bearer ${'a'.repeat(20)}`, 'Authorization: [redacted]'],
  ['a worker’s token', 'LEGION_WORKER_TOKEN=lw1.abc.def', 'LEGION_WORKER_TOKEN=[redacted]'],
  ['a private key', `before\n${KEY}\nafter it`, 'before\n[redacted]\nafter it'],
  ['a private key without its end', `${KEY.slice(0, 60)}\nthe lamp is red`, '[redacted]\nthe lamp is red'],
])('%s is redacted', (_, text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
});

test('ordinary output stays as it is', () => {
  const text = 'ok 1 - basic auth\nnot ok 2 - token expired\nsha 0123456789abcdef0123456789abcdef01234567\n';
  expect(withoutSecrets(text)).toBe(text);
});
