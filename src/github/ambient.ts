/** The credentials that lie about on the machine, for Legion itself where none is configured. */
import type { Environment } from '../domain/environment.ts';
import { LegionError } from '../domain/fault.ts';
import type { Addresses } from './addresses.ts';
import { ghToken } from './gh-token.ts';
import { sendable, type TokenSource } from './token-source.ts';

/** The rule of `gh`: a token for github.com is nobody else's business, so other hosts have variables of their own. */
const VARIABLES = ['GH_TOKEN', 'GITHUB_TOKEN'] as const;
const VARIABLES_ELSEWHERE = ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'] as const;

interface Found {
  readonly token: string;
  readonly words: string;
}

/** Looked for once it is needed; a token of `gh` is asked for again when GitHub no longer takes it. */
export function ambientToken(environment: Environment, { host }: Addresses): TokenSource {
  const variables = host === 'github.com' ? VARIABLES : VARIABLES_ELSEWHERE;
  let looked: Promise<Found | undefined> | undefined;

  async function look(): Promise<Found | undefined> {
    for (const name of variables) {
      const token = environment[name]?.trim() ?? '';
      if (token !== '') return { token, words: `the variable ${name}` };
    }
    const token = await ghToken(environment, host);
    return token === undefined ? undefined : { token, words: '`gh auth token`' };
  }

  async function found(): Promise<Found | undefined> {
    looked ??= look();
    const result = await looked;
    // A person may sign in at any time: only what was found is kept.
    if (result === undefined) looked = undefined;
    return result;
  }

  async function token(): Promise<string> {
    const it = await found();
    if (it !== undefined) return sendable(it.token, it.words);
    const says = `neither credentials.github.token nor ${variables.join(' or ')} is set, and \`gh\` has no token for ${host}`;
    throw new LegionError('github.unauthorized', says);
  }

  return {
    words: async () => (await found())?.words ?? 'nothing',
    token,
    async renewed(refused) {
      // Whoever comes second finds the one that the first has looked up.
      if ((await found())?.token === refused) looked = undefined;
      const other = (await found())?.token;
      return other === undefined || other === refused ? undefined : other;
    },
  };
}
