/**
 * Checks the published dashboard. It works with the strictest content security policy, is small,
 * and is already compressed.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LAUNCHER } from '../installed/launcher.ts';

const WEB = join(dirname(LAUNCHER), '../dist/web');
/** Limit for the compressed scripts of the first load. */
const MAX_FIRST_LOAD_BYTES = 250 * 1_000;
/** Smaller files are not compressed. */
const COMPRESSED_FROM_BYTES = 1_024;

function files(): readonly string[] {
  return readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(WEB, path)).isFile(),
  );
}

function read(path: string): Buffer {
  return readFileSync(join(WEB, path));
}

test('the page has no inline scripts or styles, and every file it references exists', () => {
  const page = read('index.html').toString();
  expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
  const scripts = [...page.matchAll(/<script\b([^>]*)>([^<]*)</g)];
  expect(scripts.length).toBeGreaterThan(0);
  for (const [, attributes, content] of scripts) {
    expect(attributes).toContain('src="/ui/assets/');
    expect(content?.trim()).toBe('');
  }
  const named = [...page.matchAll(/(?:src|href)="\/ui\/([^"]+)"/g)].map(([, path = '']) => path);
  for (const path of named) expect(existsSync(join(WEB, path)), path).toBe(true);
});

test('every file except the page has a hash in its name, and no file reveals source paths', () => {
  for (const path of files()) {
    if (!path.startsWith('index.html')) expect(path).toMatch(/^assets\/.+-[\w-]{8}\.\w+(?:\.br|\.gz)?$/);
    expect(extname(path)).not.toBe('.map');
    if (/\.(?:js|css)$/.test(path)) expect(read(path).toString(), path).not.toContain('sourceMappingURL');
  }
});

test('every large file has both compressed forms, with the same content', () => {
  const texts = files().filter((path) => /\.(?:js|css|html|svg)$/.test(path));
  const large = texts.filter((path) => read(path).length >= COMPRESSED_FROM_BYTES);
  expect(large.length).toBeGreaterThan(1);
  for (const path of large) {
    const plain = read(path);
    expect(brotliDecompressSync(read(`${path}.br`)).equals(plain), path).toBe(true);
    expect(gunzipSync(read(`${path}.gz`)).equals(plain), path).toBe(true);
    expect(read(`${path}.br`).length).toBeLessThan(plain.length);
  }
});

test('the first load is small', () => {
  const page = read('index.html').toString();
  const first = [...page.matchAll(/"\/ui\/(assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);
  const bytes = first.map((path) => read(existsSync(join(WEB, `${path}.gz`)) ? `${path}.gz` : path).length);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(MAX_FIRST_LOAD_BYTES);
});

test('the Markdown renderer is not part of the first load', () => {
  const page = read('index.html').toString();
  const renderer = files().filter((path) => /rendered-markdown-[^/]+\.js$/.test(path));
  expect(renderer).toHaveLength(1);
  expect(page).not.toContain('rendered-markdown');
});

test('React is the production build', () => {
  const scripts = files().filter((path) => path.endsWith('.js'));
  for (const path of scripts) expect(read(path).toString(), path).not.toContain('react-dom.development');
});
