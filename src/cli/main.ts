/** The `legion` command: reads the command line, calls one command, returns its exit code. */
import { readFileSync } from 'node:fs';
import { LegionError } from '../domain/fault.ts';
import { printError } from './present/error.ts';

interface Command {
  readonly help: string;
  perform(args: readonly string[]): Promise<void>;
}

/** A command is loaded when it is called: `legion --version` should not wait for a database. */
const COMMANDS: Readonly<
  Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>
> = {
  replay: {
    summary: 'fold a journal again and show any moment of it',
    load: async () => (await import('./commands/replay.ts')).replay,
  },
};

/** Documented in docs/cli.md: 0 done, 1 the command failed, 2 the command line was not understood. */
const EXIT = { done: 0, failed: 1, usage: 2 } as const;

export async function main(argv: readonly string[]): Promise<number> {
  const [name, ...args] = argv;
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') return print(help());
    if (name === '--version' || name === '-v') return print(`${version()}\n`);
    const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (entry === undefined) {
      throw new LegionError('usage.invalid', `${JSON.stringify(name)} is not a command of legion`);
    }
    const command = await entry.load();
    if (args.includes('--help') || args.includes('-h')) return print(command.help);
    await command.perform(args);
    return EXIT.done;
  } catch (error) {
    printError(error, args.includes('--json'));
    return error instanceof LegionError && error.code === 'usage.invalid' ? EXIT.usage : EXIT.failed;
  }
}

function help(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const commands = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`,
  );
  return [
    'legion: an autonomous development swarm',
    '',
    'Usage: legion COMMAND [options]',
    '',
    ...commands,
    '',
    '`legion COMMAND --help` explains a command; `legion --version` prints the version.',
    '',
  ].join('\n');
}

function print(text: string): number {
  process.stdout.write(text);
  return EXIT.done;
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}
