/** Runs a TypeScript file as a real process, alone or under a confining command. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * A confining command such as `prlimit …` or `unshare … sh -c …`. The script's command line is
 * appended.
 */
export type Confinement = readonly string[];

/** Resolves to the script's output. A failing script fails the test with its error output. */
export async function runScript(
  script: URL,
  given: readonly string[],
  behind: Confinement = [],
): Promise<string> {
  const file = fileURLToPath(script);
  const [command = '', ...rest] = [...behind, process.execPath, file, ...given];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let complaint = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${file} ended with ${signal ?? code}: ${complaint}`));
    });
  });
}
