/**
 * Creates a small built dashboard with every kind of file, and with files that must never be
 * served.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { inject } from 'vitest';

export const INDEX = '<!doctype html><title>Legion</title><div id="app"></div>\n';
export const SCRIPT = `console.log(${JSON.stringify('legion '.repeat(400))});\n`;
export const SECRET = 'nobody may read this\n';

export interface Built {
  readonly folder: string;
  /** Replaces the built dashboard with another version. */
  rebuild(index: string): void;
  remove(): void;
}

export function builtPages(): Built {
  const above = realpathSync(mkdtempSync(join(inject('scratch'), 'pages-')));
  const folder = join(above, 'web');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), INDEX);
  writeFileSync(join(folder, 'assets/index-1a2b3c.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/index-1a2b3c.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'assets/index-1a2b3c.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(folder, 'assets/plain-9.css'), 'body{margin:0}\n');
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>\n');
  writeFileSync(join(above, 'secret.txt'), SECRET);
  writeFileSync(join(folder, '.hidden.txt'), SECRET);
  mkdirSync(join(above, 'elsewhere'));
  writeFileSync(join(above, 'elsewhere/secret.txt'), SECRET);
  symlinkSync('../secret.txt', join(folder, 'link.txt'));
  symlinkSync('../elsewhere', join(folder, 'linked'));
  return {
    folder,
    rebuild: (index) => writeFileSync(join(folder, 'index.html'), index),
    remove: () => rmSync(above, { recursive: true, force: true }),
  };
}
