/** What is bundled is whole, and passes the licences of its parts on. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Metafile, stop } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bundle } from '../../scripts/build/bundle.ts';
import { packagesIn, thirdPartyLicences } from '../../scripts/build/licences.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'legion-bundle-'));
});

afterEach(async () => {
  rmSync(root, { recursive: true });
  await stop();
});

describe('the bundle', () => {
  test('holds CommonJS packages, with the names they have in Node, and asks only Node for more', async () => {
    write('node_modules/older/index.js', `exports.found = typeof require('events').EventEmitter;`);
    write(
      'src/cli/main.ts',
      `import { found } from 'older';
      export const main = async () => [found, (await import('older')).found];`,
    );
    await bundle(root, join(root, 'dist'));
    rmSync(join(root, 'node_modules'), { recursive: true });
    const { main } = await import(join(root, 'dist/cli/main.js'));
    expect(await main()).toEqual(['function', 'function']);
  });

  test('is refused where it would look for a package in an installation', async () => {
    write('src/cli/main.ts', `try { require('somewhere'); } catch {} export const main = 1;`);
    await expect(bundle(root, join(root, 'dist'))).rejects.toThrow('the bundle would need somewhere');
  });
});

describe('the licences', () => {
  test('are those of the packages that left something in the bundle', () => {
    plant('used', 'ISC', { 'LICENSE.md': 'the text of used', NOTICE: 'its notice' });
    plant('@scope/also', 'MIT', { licence: 'the text of also' });
    plant('shaken-off', 'MIT', { LICENSE: 'the text of what was left out' });
    const folders = packagesIn(
      made({
        'src/cli/main.ts': 10,
        'node_modules/used/lib/a.js': 1,
        'node_modules/used/lib/b.js': 1,
        'node_modules/used/node_modules/@scope/also/index.js': 1,
        'node_modules/shaken-off/index.js': 0,
      }),
      root,
    );
    const text = thirdPartyLicences([...folders, ...folders]);
    expect(text.match(/^\S+ \d.*$/gm)).toEqual(['@scope/also 1.0.0 (MIT)', 'used 1.0.0 (ISC)']);
    expect(text).toMatch(/the text of also\n[\s\S]+the text of used\n\nits notice\n$/);
    expect(text).not.toContain('left out');
  });

  test('are supplied for a package under the Unlicense, which often ships without the text', () => {
    plant('unlicensed', 'Unlicense', { 'README.md': 'Unlicense' });
    const folders = packagesIn(made({ 'node_modules/unlicensed/index.js': 1 }), root);
    expect(thirdPartyLicences(folders)).toContain('released into the public domain');
  });

  test('fail the build where one has no text', () => {
    plant('wordless', 'MIT', { 'README.md': 'MIT', NOTICE: 'not a licence', LICENSE: '\n' });
    const folders = packagesIn(made({ 'node_modules/wordless/index.js': 1 }), root);
    expect(() => thirdPartyLicences(folders)).toThrow('wordless 1.0.0 comes without a licence text');
  });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function plant(name: string, license: string, files: Readonly<Record<string, string>>): void {
  const folder =
    name === '@scope/also' ? 'node_modules/used/node_modules/@scope/also' : `node_modules/${name}`;
  write(`${folder}/package.json`, JSON.stringify({ name, version: '1.0.0', license }));
  for (const [file, text] of Object.entries(files)) write(`${folder}/${file}`, text);
}

/** What esbuild tells about a bundle, as far as it is asked here. */
function made(bytes: Readonly<Record<string, number>>): Metafile {
  const inputs = Object.fromEntries(
    Object.entries(bytes).map(([file, bytesInOutput]) => [file, { bytesInOutput }]),
  );
  return { inputs: {}, outputs: { 'dist/cli/main.js': { bytes: 0, inputs, imports: [], exports: [] } } };
}
