/** The bundle: Legion and every library it uses, in files of which each command loads only its own. */
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { lazyPackages } from './lazy-packages.ts';

/** Resolves to what went into which file. */
export async function bundle(root: string, dist: string): Promise<Metafile> {
  const { metafile, warnings } = await build({
    absWorkingDir: root,
    entryPoints: { 'cli/main': 'src/cli/main.ts' },
    outdir: dist,
    // All as deep as `src/cli`: what looks for `../../package.json` finds it from the source and from any of these.
    chunkNames: 'cli/[name]-[hash]',
    bundle: true,
    splitting: true, // a command that is loaded when it is asked for stays so
    format: 'esm',
    platform: 'node',
    target: 'node24',
    banner: { js: REQUIRE_BUILTIN },
    // Shorter names are a megabyte less in an idle daemon. The maps are read only under `node --enable-source-maps`, which makes
    // a stack trace readable again; they name files and lines, and leave the text of the source out.
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    charset: 'ascii', // one character beyond Latin-1 would double the memory that its whole file takes
    legalComments: 'none', // all licences are in one file
    plugins: [englishOnly, lazyPackages],
    metafile: true,
    logLevel: 'warning',
  });
  // Most of what esbuild warns about is a library that would look for a file or a package where there is none.
  if (warnings.length > 0)
    throw new Error('esbuild has warned: a bundle of which it doubts something is not published');
  refuseWhatIsOutside(metafile);
  return metafile;
}

/**
 * Libraries of the older kind call `require('events')`, which a module does not have. Only what is part of Node is asked for
 * in this way: all else is in the bundle.
 */
const REQUIRE_BUILTIN = 'const require=process.getBuiltinModule;';

/** Zod brings its messages in dozens of languages, more text than all the rest of it, and into the memory of every command. */
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
