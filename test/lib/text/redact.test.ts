import { describe, expect, it } from 'vitest';
import { quoteAnswer } from '../../../src/lib/text/redact.ts';

describe("a service's response quoted in a message", () => {
  it('is one short line without control characters', () => {
    const shown = quoteAnswer(`a\u0000b\u001b[31m\r\n\u202ec\u2028${'x'.repeat(5_000)}`, []);
    expect(shown).toMatch(/^a b \[31m c x+…$/);
    expect(shown.length).toBeLessThan(350);
  });

  it('contains no token of any shape', () => {
    const secrets = [
      'ghp_0123456789abcdefghijABCDEFGHIJ012345',
      'ghs_0123456789abcdefghijABCDEFGHIJ012345',
      'github_pat_11ABCDEFG0123456789_abcdefghijklmnop',
      'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOjF9.c2lnbmF0dXJl',
    ];
    for (const secret of secrets)
      expect(quoteAnswer(`you sent ${secret} to us`, [])).toBe('you sent *** to us');
    expect(quoteAnswer('Authorization: Basic eC1hY2Nlc3MtdG9rZW46c2VjcmV0', [])).not.toContain('eC1hY2');
    expect(quoteAnswer('-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----', [])).toBe(
      '***',
    );
  });

  it('contains no part of the request’s secret, even if truncated', () => {
    const secret = 'plain-old-secret';
    const shown = quoteAnswer(`${'x'.repeat(290)} ${secret} ${secret}`, [secret]);
    expect(shown).not.toContain('plain');
  });
});
