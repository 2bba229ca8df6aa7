/**
 * Bundles Legion with every library it uses, split so that each command loads only its own files.
 */
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { lazyPackages } from './lazy-packages.ts';

/** Resolves to the inputs of each output file. */
export async function buildBundle(root: string, dist: string): Promise<Metafile> {
  const { metafile, warnings } = await build({
    absWorkingDir: root,
    entryPoints: { 'cli/main': 'src/cli/main.ts' },
    outdir: dist,
    // All files are as deep as those in `src/cli`, so that `../../package.json` resolves both from
    // the sources and from the bundle.
    chunkNames: 'cli/[name]-[hash]',
    bundle: true,
    splitting: true, // keeps commands lazily loaded
    format: 'esm',
    platform: 'node',
    target: 'node24',
    banner: { js: REQUIRE_BUILTIN },
    // Shorter names save a megabyte in an idle daemon. Source maps make stack traces readable and
    // are loaded only under `node --enable-source-maps`. They contain files and lines, but not the
    // source text.
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    charset: 'ascii', // a single character beyond Latin-1 would double the memory of the whole file
    legalComments: 'none', // all licences are in one file
    plugins: [englishOnly, lazyPackages],
    metafile: true,
    logLevel: 'warning',
  });
  // Most esbuild warnings mean that a library would fail to find a file or package at run time.
  if (warnings.length > 0)
    throw new Error('esbuild printed warnings. Fix them: a bundle with warnings is not published.');
  refuseWhatIsOutside(metafile);
  return metafile;
}

/**
 * CommonJS libraries call `require('events')`, but ES modules have no `require`. The one defined
 * here only has to resolve Node's built-in modules, because everything else is in the bundle.
 */
const REQUIRE_BUILTIN = 'const require=process.getBuiltinModule;';

/**
 * Removes Zod's messages in dozens of other languages, which are larger than the rest of Zod and
 * would be loaded by every command.
 */
const englishOnly: Plugin = {
  name: 'english-only',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, ({ importer, resolveDir }) =>
      /[\\/]zod[\\/]v4[\\/]/.test(importer) ? { path: join(resolveDir, '../locales/en.js') } : undefined,
    );
  },
};

function refuseWhatIsOutside({ outputs }: Metafile): void {
  const outside = Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external === true && !isBuiltin(path));
  if (outside.length === 0) return;
  const names = [...new Set(outside.map(({ path }) => path))].join(', ');
  throw new Error(`the bundle would need ${names}, which an installation does not have`);
}
