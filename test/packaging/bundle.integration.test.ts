/** Checks that the bundle is complete and includes the licences of its packages. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Metafile, stop } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildBundle } from '../../scripts/build/bundle.ts';
import { listBundledPackages, renderThirdPartyLicences } from '../../scripts/build/licences.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'legion-bundle-'));
});

afterEach(async () => {
  rmSync(root, { recursive: true });
  await stop();
});

describe('the bundle', () => {
  test("keeps the export names that CommonJS packages have in Node, and requires only Node's built-in modules", async () => {
    write('node_modules/older/index.js', `exports.found = typeof require('events').EventEmitter;`);
    write(
      'src/cli/main.ts',
      `import { found } from 'older';
      export const main = async () => [found, (await import('older')).found];`,
    );
    await buildBundle(root, join(root, 'dist'));
    rmSync(join(root, 'node_modules'), { recursive: true });
    const { main } = await import(join(root, 'dist/cli/main.js'));
    expect(await main()).toEqual(['function', 'function']);
  });

  test('is rejected if it needs a package that is not installed with Legion', async () => {
    write('src/cli/main.ts', `try { require('somewhere'); } catch {} export const main = 1;`);
    await expect(buildBundle(root, join(root, 'dist'))).rejects.toThrow('the bundle would need somewhere');
  });
});

describe('the licences', () => {
  test('cover exactly the packages that contribute to the bundle', () => {
    plant('used', 'ISC', { 'LICENSE.md': 'the text of used', NOTICE: 'its notice' });
    plant('@scope/also', 'MIT', { licence: 'the text of also' });
    plant('shaken-off', 'MIT', { LICENSE: 'the text of what was left out' });
    const folders = listBundledPackages(
      made({
        'src/cli/main.ts': 10,
        'node_modules/used/lib/a.js': 1,
        'node_modules/used/lib/b.js': 1,
        'node_modules/used/node_modules/@scope/also/index.js': 1,
        'node_modules/shaken-off/index.js': 0,
      }),
      root,
    );
    const text = renderThirdPartyLicences([...folders, ...folders]);
    expect(text.match(/^\S+ \d.*$/gm)).toEqual(['@scope/also 1.0.0 (MIT)', 'used 1.0.0 (ISC)']);
    expect(text).toMatch(/the text of also\n[\s\S]+the text of used\n\nits notice\n$/);
    expect(text).not.toContain('left out');
  });

  test('include a text for packages under the Unlicense, which often ship without one', () => {
    plant('unlicensed', 'Unlicense', { 'README.md': 'Unlicense' });
    const folders = listBundledPackages(made({ 'node_modules/unlicensed/index.js': 1 }), root);
    expect(renderThirdPartyLicences(folders)).toContain('released into the public domain');
  });

  test('fail the build if a package has no licence text', () => {
    plant('wordless', 'MIT', { 'README.md': 'MIT', NOTICE: 'not a licence', LICENSE: '\n' });
    const folders = listBundledPackages(made({ 'node_modules/wordless/index.js': 1 }), root);
    expect(() => renderThirdPartyLicences(folders)).toThrow('wordless 1.0.0 comes without a licence text');
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

/** Builds an esbuild metafile with the parts used here. */
function made(bytes: Readonly<Record<string, number>>): Metafile {
  const inputs = Object.fromEntries(
    Object.entries(bytes).map(([file, bytesInOutput]) => [file, { bytesInOutput }]),
  );
  return { inputs: {}, outputs: { 'dist/cli/main.js': { bytes: 0, inputs, imports: [], exports: [] } } };
}
