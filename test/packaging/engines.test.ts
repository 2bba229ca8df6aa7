/**
 * Checks the supported Node versions and platforms. package.json and README must agree, and every
 * installed package must accept these versions.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(read('package-lock.json'));

interface LockedPackage {
  readonly engines?: { readonly node?: string };
  readonly optional?: boolean;
}

/**
 * The oldest versions that package.json allows, the newest versions of those release lines, and the
 * version bundled with Legion.
 */
const SUPPORTED = ['20.19.0', '20.20.2', '22.12.0', manifest.dependencies.node];

describe('a fresh npm install', () => {
  test.each(SUPPORTED)('prints no engine warning on Node %s', (version) => {
    const warned = Object.entries(lock.packages)
      // npm skips an incompatible optional package without a warning.
      .filter(([, { optional, engines }]) => optional !== true && !accepts(engines?.node ?? '*', version))
      .map(([path, { engines }]) => `${path} needs ${engines?.node}`);
    expect(warned).toEqual([]);
  });
});

test('package.json and README list the same Node versions and platforms', () => {
  expect(manifest.engines.node).toBe('^20.19.0 || >=22.12.0');
  expect(manifest.os).toEqual(['linux']);
  const readme = read('README.md').replace(/\s+/g, ' ');
  expect(readme).toContain('Node 20 (20.19 or newer) or Node 22.12 or newer');
  expect(readme).toContain('Linux or WSL2');
  expect(readme).toContain('macOS is not supported yet');
});

test.each([
  ['^20.19.0 || >=22.12.0', '20.19.0', true],
  ['^20.19.0 || >=22.12.0', '20.18.9', false],
  ['^20.19.0 || >=22.12.0', '21.0.0', false],
  ['>= 18', '20.19.0', true],
  ['>=18.12 <21', '22.0.0', false],
  ['18 || 20 || >=22', '20.19.0', true],
  ['>=22', '20.20.2', false],
  ['~20.19', '20.20.0', false],
  ['*', '20.19.0', true],
])('compares the range %s with the version %s', (range, version, expected) => {
  expect(accepts(range, version)).toBe(expected);
});

/** Interprets the ranges that packages use in `engines` as npm does. */
function accepts(range: string, version: string): boolean {
  return range.split('||').some((set) => {
    const comparators = set
      .replace(/([<>=^~])\s+/g, '$1')
      .split(/\s+/)
      .filter(Boolean);
    return comparators.every((comparator) => satisfies(comparator, version));
  });
}

function satisfies(comparator: string, version: string): boolean {
  const [, sign = '', rest = ''] = /^(>=|<=|>|<|=|\^|~)?v?(.*)$/.exec(comparator) ?? [];
  if (rest === '*' || rest === 'x') return true;
  const parts = rest.split('.').filter((part) => /^\d+$/.test(part));
  const order = compare(version, parts.join('.'));
  if (sign === '>=') return order >= 0;
  if (sign === '<') return order < 0;
  if (sign === '>') return order > 0;
  if (sign === '<=') return order <= 0;
  // `^20.19.0` fixes the major version, `~20.19` the minor version, and `20` only the parts it
  // contains.
  const fixed = sign === '^' ? 1 : sign === '~' ? Math.min(2, parts.length) : parts.length;
  const isWithin = version.split('.').slice(0, fixed).join('.') === parts.slice(0, fixed).join('.');
  return isWithin && order >= 0;
}

function compare(a: string, b: string): number {
  const [one, other] = [a, b].map((version) => version.split('.').map(Number));
  for (let index = 0; index < 3; index += 1) {
    const difference = (one?.[index] ?? 0) - (other?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
