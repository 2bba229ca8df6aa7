/** Runs a TypeScript file as a real process. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Returns the script's output. If the script fails, the test fails and shows the script's stderr.
 */
export async function runScript(script: URL, given: readonly string[]): Promise<string> {
  const file = fileURLToPath(script);
  const child = spawn(process.execPath, [file, ...given], { stdio: ['ignore', 'pipe', 'pipe'] });
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
      else reject(new Error(`${file} exited with ${signal ?? code}: ${complaint}`));
    });
  });
}
