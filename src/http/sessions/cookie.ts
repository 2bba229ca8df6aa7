/** The cookie of a session: out of reach of every script, and of every request that another site begins. */

/** Cookies know no ports: every legion of this machine has its own name, or one would log the other out. */
export function cookieName(port: number | undefined): string {
  return `legion-${port}`;
}

/** Without `Secure`, which browsers do not agree about on loopback; the name `__Host-…` would need it. */
export function cookieSet(port: number | undefined, value: string, lastsMs: number): string {
  const seconds = Math.floor(lastsMs / 1_000);
  return `${cookieName(port)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
}

/** Every value under the name: another server of this machine may have put one of its own beside ours. */
export function cookiesIn(header: string | undefined, port: number | undefined): readonly string[] {
  const begin = `${cookieName(port)}=`;
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(begin))
    .map((pair) => pair.slice(begin.length));
}
