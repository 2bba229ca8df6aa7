/**
 * A package that is loaded when it is needed has, bundled, the names it has in Node. Node finds the names of a CommonJS package by
 * reading it; esbuild gives such a package one export, the default, and `const { parse } = await import('yaml')` would be undefined.
 */
import { isBuiltin } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'lazy-package';
const PACKAGE = /^[^./]/;
/** Node also offers the whole of a CommonJS package under the name `module.exports`. */
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
