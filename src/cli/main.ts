/** The `legion` command: reads the command line, calls one command, returns its exit code. */
import { readFileSync } from 'node:fs';

const HELP = `legion: an autonomous development swarm

Usage
  legion --help       this page
  legion --version    the version
`;

/** Exit codes: 0 done, 1 the command failed, 2 the command line was not understood. */
export async function main(argv: readonly string[]): Promise<number> {
  const [first] = argv;
  if (first === '--version') {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  process.stdout.write(HELP);
  return first === undefined || first === '--help' ? 0 : 2;
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}
