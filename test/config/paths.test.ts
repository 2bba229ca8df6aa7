/** Tests where Legion puts its files, according to the XDG base directory specification. */
import { isAbsolute, relative } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expandHome, resolveLegionPaths } from '../../src/config/paths.ts';
import { assertProperty } from '../support/property.ts';
import { accepted, refusalOf } from './resolving.ts';

const HOME = '/home/me';
const TEAM = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

test('uses the home folder by default', () => {
  const paths = accepted(resolveLegionPaths({ HOME }));
  expect(paths.clone('github.com', 'acme', 'app')).toBe(
    '/home/me/.local/share/legion/repos/github.com/acme/app',
  );
  expect(paths.workspace(TEAM, 'eng-7')).toBe(`/home/me/.local/share/legion/workspaces/${TEAM}/eng-7`);
  expect(paths.state('mine')).toBe('/home/me/.local/state/legion/legions/mine');
});

test('follows the XDG variables, but ignores a relative or empty one', () => {
  const data = accepted(resolveLegionPaths({ HOME, XDG_DATA_HOME: '/data', XDG_STATE_HOME: 'state' }));
  expect(data.workspaces('mine')).toBe('/data/legion/workspaces/mine');
  expect(data.state('mine')).toBe('/home/me/.local/state/legion/legions/mine');
  const empty = accepted(resolveLegionPaths({ HOME, XDG_DATA_HOME: '' }));
  expect(empty.workspaces('mine')).toBe('/home/me/.local/share/legion/workspaces/mine');
  expect(accepted(resolveLegionPaths({ XDG_DATA_HOME: '/d', XDG_STATE_HOME: '/s' })).state('mine')).toBe(
    '/s/legion/legions/mine',
  );
});

test('fails without a home folder', () => {
  expect(refusalOf(resolveLegionPaths({}))).toMatchObject({
    code: 'config.home_missing',
    message: 'Neither HOME nor XDG_DATA_HOME is an absolute path.',
  });
  expect(refusalOf(resolveLegionPaths({ XDG_DATA_HOME: '/d', HOME: '.' })).message).toContain(
    'XDG_STATE_HOME',
  );
});

test('gives every legion its own state path, and keeps every workspace directly inside the folder of its legion', () => {
  const paths = accepted(resolveLegionPaths({ HOME }));
  const hostile = fc.oneof(
    fc.string(),
    fc.constantFrom('..', '.', '', '/', '../..', 'A', 'a', 'a/b', 'a\0b'),
  );
  assertProperty(
    fc.property(hostile, hostile, (legion, issue) => {
      const below = relative(paths.workspaces(legion), paths.workspace(legion, issue));
      expect(below).toMatch(/^[^/]+$/);
      expect(below).not.toBe('..');
      expect(isAbsolute(below)).toBe(false);
      expect(paths.state(legion) === paths.state(issue)).toBe(legion === issue);
    }),
  );
});

test('expands ~/ to the home of the user', () => {
  expect(accepted(expandHome('~/keys/a.pem', { HOME }))).toBe('/home/me/keys/a.pem');
  expect(accepted(expandHome('/srv/~/a', {}))).toBe('/srv/~/a');
  expect(refusalOf(expandHome('~/a', {})).code).toBe('config.home_missing');
});
