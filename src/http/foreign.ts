/** Refuses requests that were not meant for this daemon: under another name, or sent by a page of another origin. */
import type { IncomingMessage } from 'node:http';
import { LegionError } from '../domain/fault.ts';
import { shown } from '../domain/shown.ts';

/** A page of another origin can make its own name lead to 127.0.0.1, but not make the browser send one of these. */
const NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

export function refuseForeign({ headersDistinct, socket, url = '' }: IncomingMessage): void {
  const ours = NAMES.map((name) => `${name}:${socket.localPort}`);
  const { host: hosts = [], origin: origins = [] } = headersDistinct;
  const [host = ''] = hosts;
  // Two names for one request: whoever reads the other one would see another request.
  if (hosts.length > 1 || !ours.includes(host.toLowerCase())) {
    throw new LegionError('http.foreign_host', `the daemon does not answer to the name ${shown(host)}`);
  }
  const foreign = origins.find((origin) => !ours.some((name) => `http://${name}` === origin));
  if (foreign !== undefined) {
    throw new LegionError('http.foreign_host', `a page of ${shown(foreign)} may not speak to the daemon`);
  }
  if (!url.startsWith('/')) refuseForeignTarget(url, ours);
}

/** As sent to a proxy: the whole address in the request line, which then counts more than the `Host` header. */
function refuseForeignTarget(target: string, ours: readonly string[]): void {
  if (!URL.canParse(target)) {
    throw new LegionError('http.request_malformed', `${shown(target)} is not the path of a request`);
  }
  const { protocol, host } = new URL(target);
  if (protocol !== 'http:' || !ours.includes(host)) {
    throw new LegionError('http.foreign_host', `the daemon is no proxy to ${shown(target)}`);
  }
}
