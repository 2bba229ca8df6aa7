/** The cookies of sessions as a browser sends them. */

/** Cookies are shared by all ports: without the port in its name, one legion would log the other out. */
export function toCookieName(port: number | undefined): string {
  return `legion-${port}`;
}

/** Finds every value under the name: another server of this machine may have set one beside ours. */
export function findSessionCookies(header: string | undefined, port: number | undefined): readonly string[] {
  const begin = `${toCookieName(port)}=`;
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(begin))
    .map((pair) => pair.slice(begin.length));
}
