/** Where one GitHub has its website, its two APIs and its git, from the one address an operator knows. */
import { LegionError } from '../core/model/fault.ts';

export interface Addresses {
  /** Without a slash at its end. */
  readonly web: string;
  readonly host: string;
  readonly rest: string;
  readonly graphql: string;
}

/** Here a token cannot be read by others on its way, whatever the protocol. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function addressesOf(url: string): Addresses {
  const { protocol, hostname, host, pathname } = parsed(url);
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(hostname)))
    throw refused('must begin with https://, because tokens are sent there');
  if (host === 'github.com')
    return {
      web: 'https://github.com',
      host,
      rest: 'https://api.github.com',
      graphql: 'https://api.github.com/graphql',
    };
  const web = `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
  return { web, host, rest: `${web}/api/v3`, graphql: `${web}/api/graphql` };
}

function parsed(url: string): URL {
  const found = URL.parse(url);
  if (found === null) throw refused('is not an address such as https://github.com');
  // What stands before an @ would be a secret in every message that shows the address.
  if (found.username !== '' || found.password !== '' || found.search !== '' || found.hash !== '')
    throw refused('must be a plain address such as https://github.com');
  return found;
}

function refused(says: string): LegionError {
  return new LegionError('config.invalid', `github.url ${says}`);
}
