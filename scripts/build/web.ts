/** The dashboard: built by Vite into files with a hash in their names, each with its compressed forms beside it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { LogLevel, Rolldown } from 'vite';
import { packageFolder } from './licences.ts';

/** What is text; pictures and fonts are compressed already. */
const COMPRESSED: readonly string[] = ['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest'];
/** Below this the headers weigh more than what is saved. */
const LEAST_BYTES = 1_024;

/** Resolves to the folders of the packages of which something is in it. `out` is emptied first. */
export async function buildWeb(
  root: string,
  out: string,
  logLevel: LogLevel = 'warn',
): Promise<readonly string[]> {
  // Else what is for development only would be in it, where whoever builds is being tested.
  Object.assign(process.env, { NODE_ENV: 'production' });
  // Loaded here, because nothing else needs it: it takes longer than all the rest of a build that finds nothing to do.
  const { build } = await import('vite');
  const built = await build({
    configFile: join(root, 'web/vite.config.ts'),
    logLevel,
    build: { outDir: out, emptyOutDir: true },
  });
  compress(out);
  return packagesIn(built);
}

function compress(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSED.includes(extname(entry.name))) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    if (bytes.length < LEAST_BYTES) continue;
    const wish = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, wish));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}

function packagesIn(built: Awaited<ReturnType<typeof import('vite').build>>): readonly string[] {
  const outputs = [built].flat() as readonly Rolldown.RolldownOutput[];
  const files = outputs
    .flatMap(({ output }) => output)
    .flatMap((file) => (file.type === 'chunk' ? Object.entries(file.modules) : []))
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .flatMap(([id]) => packageFolder(id) ?? []);
  return [...new Set(files)];
}
