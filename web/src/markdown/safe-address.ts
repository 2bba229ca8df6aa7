/** Addresses a text of strangers may lead to. Pure. */

const PROTOCOLS: readonly string[] = ['http:', 'https:', 'mailto:'];

/** Null for everything else, also for addresses relative to this page, which would act inside of the dashboard. */
export function safeAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return PROTOCOLS.includes(protocol) ? href : null;
}
