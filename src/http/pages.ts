/** Serves the dashboard's static pages and files, which contain no secrets and so need no token. */
import { realpathSync } from 'node:fs';
import { join, posix } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import { etag } from 'hono/etag';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { LegionError, quoteText } from '../core/model/fault.ts';
import { refuseMethod, SAFE_HEADERS, toLegionError, toRefusalResponse } from './refusal.ts';

const PAGES_PATH = '/ui/';
/** Vite puts a content hash into the name of each file below this path. */
const HASHED_ASSETS_PATH = `${PAGES_PATH}assets/`;
const FILE_ENDINGS: readonly string[] = [
  ...['.css', '.html', '.ico', '.js', '.json', '.map'],
  ...['.png', '.svg', '.txt', '.webmanifest', '.woff2'],
];
/**
 * Endings of the compressed files that the build writes next to the plain ones. A compressed file
 * is sent in place of its plain file, and cannot be requested by its own name.
 */
const COMPRESSED_ENDINGS: readonly string[] = ['.br', '.gz', '.zst'];

/**
 * Allows only the dashboard's own files and no inline code, so that text that becomes markup by
 * mistake is harmless.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...SAFE_HEADERS,
  'content-security-policy': CONTENT_SECURITY_POLICY,
  // Isolates the page from windows that opened it and from windows that it opens.
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Accept-Encoding',
};

/** Returns whether a raw request target is a page or one of its files. */
export function isPageTarget(target = ''): boolean {
  const [path = ''] = target.split('?');
  return path === '/' || path === '/ui' || path.startsWith(PAGES_PATH);
}

/**
 * Creates an application that is separate from the API. The API requires a token, and the
 * separation ensures that no spelling of a path can reach the API from here. `findFolder` is called
 * for every request, because the directory may not exist yet and a build may change it.
 */
export function createPages(findFolder: () => string | undefined, report: (error: unknown) => void): Hono {
  const app = new Hono();
  app.use(setPageHeaders);
  app.use(methodNotAllowed({ app, onMethodNotAllowed: refuseMethod }));
  app.use(etag());
  for (const path of ['/', '/ui']) app.get(path, (c) => c.redirect(PAGES_PATH));
  app.get('*', async (c, next) => {
    const folder = findFolder();
    const file = isFileName(c.req.path) ? c.req.path.slice(PAGES_PATH.length) : 'index.html';
    if (folder === undefined || !isServable(folder, file)) return next();
    return serveStatic({ path: join(folder, file), precompressed: true })(c, next);
  });
  app.get('*', (c) => {
    if (isFileName(c.req.path)) return c.notFound();
    return c.html(UNBUILT_PAGE, 503);
  });
  app.notFound((c) => {
    const message = `The dashboard has no file ${quoteText(c.req.path)}.`;
    return toRefusalResponse(new LegionError('http.route_unknown', message));
  });
  app.onError((error) => toRefusalResponse(toLegionError(error, report)));
  return app;
}

/**
 * Returns whether a path refers to a file. Every other path is a page that the script renders. A
 * dot does not make a path a file, because issue ids may contain dots too.
 */
function isFileName(path: string): boolean {
  return (
    path.startsWith(HASHED_ASSETS_PATH) ||
    (path.startsWith(PAGES_PATH) && FILE_ENDINGS.includes(posix.extname(path)))
  );
}

/** Refuses hidden files and files behind a link, because they are not part of the dashboard. */
function isServable(folder: string, file: string): boolean {
  if (file.split('/').some((part) => part.startsWith('.'))) return false;
  if (COMPRESSED_ENDINGS.includes(posix.extname(file))) return false;
  try {
    return realpathSync(join(folder, file)) === join(realpathSync(folder), file);
  } catch {
    return false;
  }
}

const setPageHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(PAGE_HEADERS)) c.res.headers.set(name, value);
  if (!c.res.ok && c.res.status !== 304) return;
  const isHashed = c.req.path.startsWith(HASHED_ASSETS_PATH);
  c.res.headers.set('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
};

/**
 * Shown in place of the dashboard until the dashboard is built. Plain HTML, because no other file
 * exists yet.
 */
const UNBUILT_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Legion: no dashboard</title></head>
<body>
<h1>The dashboard is not built</h1>
<p>The daemon is running; only its pages are missing.</p>
<p>In a clone of Legion, the dashboard is built right after <code>legion up</code>: reload this page in a few seconds.
If this page stays, run <code>npm install --include=dev</code>, then <code>legion open</code>, which builds the dashboard and reports errors.</p>
<p>In an installed Legion, the installation is incomplete: reinstall it.</p>
<p>Until then <code>legion watch</code> shows the same information in a terminal.</p>
</body>
</html>
`;
