/** The dashboard's pages and files: static, without a secret in them, and so without a token. */
import { realpathSync } from 'node:fs';
import { join, posix } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import { etag } from 'hono/etag';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { LegionError, shown } from '../core/model/fault.ts';
import { refuseMethod, toLegionError, toRefusalResponse } from './refusal.ts';
import { SAFE_HEADERS } from './safe-headers.ts';

const HOME = '/ui/';
/** Vite puts a hash of the content into each name below it. */
const HASHED = `${HOME}assets/`;
const FILE_ENDINGS: readonly string[] = [
  ...['.css', '.html', '.ico', '.js', '.json', '.map'],
  ...['.png', '.svg', '.txt', '.webmanifest', '.woff2'],
];
/** The build leaves them beside their plain files; they are sent in place of those, never by name. */
const COMPRESSED_ENDINGS: readonly string[] = ['.br', '.gz', '.zst'];

/** Allows only our own files and nothing inline: text that became markup by mistake could do nothing. */
const POLICY = [
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
  'content-security-policy': POLICY,
  // No window that opened the page, or that it opens, can reach into it.
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Accept-Encoding',
};

/** Whether a request asks for a page or one of its files, by its target as it was sent. */
export function isPageTarget(target = ''): boolean {
  const [path = ''] = target.split('?');
  return path === '/' || path === '/ui' || path.startsWith(HOME);
}

/**
 * An application of its own: no form of a path leads from here to the API, which asks for a token.
 * `findFolder` is asked for every request: the folder may be missing, and may be another after a build.
 */
export function createPages(findFolder: () => string | undefined, report: (error: unknown) => void): Hono {
  const app = new Hono();
  app.use(setPageHeaders);
  app.use(methodNotAllowed({ app, onMethodNotAllowed: refuseMethod }));
  app.use(etag());
  for (const path of ['/', '/ui']) app.get(path, (c) => c.redirect(HOME));
  app.get('*', async (c, next) => {
    const folder = findFolder();
    const file = isFileName(c.req.path) ? c.req.path.slice(HOME.length) : 'index.html';
    if (folder === undefined || !isServable(folder, file)) return next();
    return serveStatic({ path: join(folder, file), precompressed: true })(c, next);
  });
  app.get('*', (c) => {
    if (isFileName(c.req.path)) return c.notFound();
    return c.html(UNBUILT_PAGE, 503);
  });
  app.notFound((c) => {
    const message = `the dashboard has no file ${shown(c.req.path)}`;
    return toRefusalResponse(new LegionError('http.route_unknown', message));
  });
  app.onError((error) => toRefusalResponse(toLegionError(error, report)));
  return app;
}

/** Everything else is a page, which the script in it shows: the id of an issue may have dots, too. */
function isFileName(path: string): boolean {
  return path.startsWith(HASHED) || (path.startsWith(HOME) && FILE_ENDINGS.includes(posix.extname(path)));
}

/** Hidden files, links and whatever a link leads to are not part of the dashboard. */
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
  const isHashed = c.req.path.startsWith(HASHED);
  c.res.headers.set('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
};

/** What stands in for the dashboard where it has not been built: plain, because nothing else of it is there. */
const UNBUILT_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Legion: no dashboard</title></head>
<body>
<h1>The dashboard is not built</h1>
<p>The daemon runs; only its pages are missing.</p>
<p>In a clone of Legion it is being built right after <code>legion up</code>: load this page again in a few seconds.
If it stays like this, run <code>legion open</code>, which builds it and says what is wrong, or <code>npm install --include=dev</code> first.</p>
<p>In an installed Legion the installation is incomplete: install it again.</p>
<p>Until then <code>legion watch</code> shows the same in a terminal.</p>
</body>
</html>
`;
