/** The environment a worker is given: what may be added to it, and what of it may be shown. */
import { LegionError, shown } from '../../../core/model/fault.ts';
import { isRefusedVariable } from '../../../domain/refused-variables.ts';

/** The only names a POSIX shell hands on. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Names under which secrets are usually kept. */
const SECRET_NAME =
  /TOKEN|SECRET|PASS(?:W|PHRASE|_|$)|CREDENTIAL|COOKIE|PRIVATE|SIGNATURE|KEY$|(?:^|_)(?:KEY|PAT|PW|AUTH|DSN|SALT)(?:_|$)/i;

/** Values that are secrets whatever their name: well-known beginnings, a password in an address, a private key. */
const SECRET_VALUE =
  /^(?:gh[opsur]_|github_pat_|sk-|xox[a-z]-|glpat-|lin_|AKIA|lw1\.|Bearer |Basic )|:\/\/[^/\s:@]*:[^/\s@]+@|-----BEGIN/;

const REDACTED = '[redacted]';

export function redacted(environment: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(environment).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, value]) => [name, isSecret(name, value) ? REDACTED : value]));
}

/** Refused before anything is claimed: what loads code or sets an identity, and secrets, because the journal keeps the order. */
export function refuseUnfitEnvironment(given: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(given)) {
    refuseLoader(name);
    const complaint = complaintAbout(name, value);
    if (complaint !== undefined) throw new LegionError('input.invalid', `env[${shown(name)}]: ${complaint}`);
  }
}

function refuseLoader(name: string): void {
  if (isRefusedVariable(name))
    throw new LegionError('worker.env_refused', `${name} cannot be given to a worker`);
}

function complaintAbout(name: string, value: string): string | undefined {
  if (!NAME.test(name)) return 'is not a name a shell hands on';
  if (/^legion_/i.test(name)) return 'is a name Legion sets itself';
  if (value.includes('\0')) return 'has a NUL in its value';
  if (isSecret(name, value)) return 'looks like a secret, and would be kept in the journal';
  return undefined;
}

function isSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value);
}
