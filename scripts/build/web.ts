/** Builds the dashboard with Vite into files with hashed names, and adds compressed copies. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { LogLevel, Rolldown } from 'vite';
import { findPackageFolder } from './licences.ts';

/** Extensions of text formats. Images and fonts are already compressed. */
const COMPRESSED: readonly string[] = ['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest'];
/** Minimum size of a compressed file. For smaller files, the headers outweigh the savings. */
const MIN_COMPRESSED_BYTES = 1_024;

/** Empties `out` and builds into it. Resolves to the directories of all packages in the build. */
export async function buildWeb(
  root: string,
  out: string,
  logLevel: LogLevel = 'warn',
): Promise<readonly string[]> {
  // Otherwise, a build that is started by a test run would contain development code.
  Object.assign(process.env, { NODE_ENV: 'production' });
  // Imports Vite only now, because loading it takes longer than finding out that the build is up to
  // date.
  const { build } = await import('vite');
  const built = await build({
    configFile: join(root, 'web/vite.config.ts'),
    logLevel,
    build: { outDir: out, emptyOutDir: true },
  });
  writeCompressedFiles(out);
  return listWebPackages(built);
}

function writeCompressedFiles(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSED.includes(extname(entry.name))) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    if (bytes.length < MIN_COMPRESSED_BYTES) continue;
    const wish = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, wish));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}

function listWebPackages(built: Awaited<ReturnType<typeof import('vite').build>>): readonly string[] {
  const outputs = [built].flat() as readonly Rolldown.RolldownOutput[];
  const files = outputs
    .flatMap(({ output }) => output)
    .flatMap((file) => (file.type === 'chunk' ? Object.entries(file.modules) : []))
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .flatMap(([id]) => findPackageFolder(id) ?? []);
  return [...new Set(files)];
}
