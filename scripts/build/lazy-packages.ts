/**
 * Gives lazily loaded CommonJS packages the same named exports in the bundle as in Node. Node finds
 * the names by parsing the package, but esbuild exports only the default, so `const { parse } =
 * await import('yaml')` would yield undefined.
 */
import { isBuiltin } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'lazy-package';
const PACKAGE = /^[^./]/;
/**
 * Matches export names, but not `module.exports`, the name under which Node exports the whole
 * CommonJS package.
 */
const IDENTIFIER = /^[\w$]+$/;

export const lazyPackages: Plugin = {
  name: NAMESPACE,
  setup({ resolve, onResolve, onLoad }) {
    onResolve({ filter: PACKAGE }, async ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import' || isBuiltin(path)) return undefined;
      const { path: file, errors } = await resolve(path, { kind: 'import-statement', resolveDir });
      return errors.length > 0 ? { errors } : { path, namespace: NAMESPACE, pluginData: file };
    });
    onLoad({ filter: /./, namespace: NAMESPACE }, async ({ pluginData: file }) => {
      const names = Object.keys(await import(pathToFileURL(file).href)).filter((name) =>
        IDENTIFIER.test(name),
      );
      return {
        contents: `export { ${names.join(', ')} } from ${JSON.stringify(file)};`,
        resolveDir: dirname(file),
      };
    });
  },
};
