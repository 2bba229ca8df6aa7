/** Builds what is published: an empty `dist/`, then the JavaScript and the types of `src/`. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const ROOT = dirname(import.meta.dirname);

// A file whose source is gone must not live on in what is published.
rmSync(join(ROOT, 'dist'), { recursive: true, force: true });

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const { status, error } = spawnSync(process.execPath, [compiler, '-p', join(ROOT, 'tsconfig.build.json')], {
  cwd: ROOT,
  stdio: 'inherit',
});
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
