import { describe, expect, it } from 'vitest';
import { addressesOf } from '../../src/github/addresses.ts';

describe('the addresses of a GitHub', () => {
  it('has its APIs on a host of their own on github.com', () => {
    const expected = {
      web: 'https://github.com',
      host: 'github.com',
      rest: 'https://api.github.com',
      graphql: 'https://api.github.com/graphql',
    };
    expect(addressesOf('https://github.com')).toEqual(expected);
    expect(addressesOf('https://GitHub.com/')).toEqual(expected);
  });

  it('has them below /api everywhere else', () => {
    expect(addressesOf('https://git.example.org:8443/')).toEqual({
      web: 'https://git.example.org:8443',
      host: 'git.example.org:8443',
      rest: 'https://git.example.org:8443/api/v3',
      graphql: 'https://git.example.org:8443/api/graphql',
    });
    expect(addressesOf('http://127.0.0.1:4000').graphql).toBe('http://127.0.0.1:4000/api/graphql');
  });

  it.each([
    'http://git.example.org',
    'http://127.0.0.1.example.org',
    'http://github.com',
    'ftp://github.com',
    'github.com',
    '',
    'https://ada:secret@github.com',
    'https://git.example.org/?x=1',
  ])('refuses %j, and quotes none of it', (url) => {
    expect(() => addressesOf(url)).toThrow(
      expect.objectContaining({ code: 'config.invalid', message: expect.not.stringContaining('secret') }),
    );
  });
});
