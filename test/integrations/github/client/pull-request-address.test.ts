import { expect, test } from 'vitest';
import {
  buildPullRequestUrl,
  findPullRequestNumbers,
} from '../../../../src/integrations/tracker-support/pull-request-address.ts';

const WEB = 'https://github.com';
const REPO = { owner: 'acme', name: 'app' };

test('extracts the pull request number from a URL, whatever the URL’s case and trailing text', () => {
  const own = buildPullRequestUrl(WEB, REPO, 7);
  expect(own).toBe('https://github.com/acme/app/pull/7');
  const addresses = [
    own,
    'https://GitHub.com/Acme/App/pull/8/files#diff',
    'https://github.com/acme/app/pull/9?a=b',
  ];
  expect(findPullRequestNumbers(addresses, WEB, REPO)).toEqual([7, 8, 9]);
});

test('ignores URLs of other pages, repositories and servers', () => {
  const addresses = [
    'https://github.com/acme/app/issues/7',
    'https://github.com/acme/app-two/pull/7',
    'https://github.com/acme/app/pull/7x',
    'https://github.com/acme/app/pull/0',
    'https://evil.example/https://github.com/acme/app/pull/7',
    'https://github.com.evil.example/acme/app/pull/7',
    '',
  ];
  expect(findPullRequestNumbers(addresses, WEB, REPO)).toEqual([]);
});
