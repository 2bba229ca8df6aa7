/** Refuses requests that were not meant for this daemon: under another name, or sent by a page of another origin. */
import type { IncomingMessage } from 'node:http';
import { LegionError, shown } from '../domain/fault.ts';

/** A foreign page can point its own name to 127.0.0.1, but cannot make the browser send one of these. */
const NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

export function refuseForeign(incoming: IncomingMessage): void {
  const { headersDistinct, url = '' } = incoming;
  const ours = ownNames(incoming);
  const { host: hosts = [] } = headersDistinct;
  const [host = ''] = hosts;
  // With two names, a program that reads the other one would see a different request.
  if (hosts.length > 1 || !ours.includes(host.toLowerCase())) {
    throw new LegionError('http.foreign_host', `the daemon does not answer to the name ${shown(host)}`);
  }
  refuseForeignPage(incoming);
  if (!url.startsWith('/')) refuseForeignTarget(url, ours);
}

/** Only browsers send an origin: no service does. */
export function refuseForeignPage(incoming: IncomingMessage): void {
  const ours = ownNames(incoming);
  const { origin: origins = [] } = incoming.headersDistinct;
  const foreign = origins.find((origin) => !ours.some((name) => `http://${name}` === origin));
  if (foreign !== undefined) {
    throw new LegionError('http.foreign_host', `a page of ${shown(foreign)} may not speak to the daemon`);
  }
}

function ownNames({ socket }: IncomingMessage): readonly string[] {
  return NAMES.map((name) => `${name}:${socket.localPort}`);
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
