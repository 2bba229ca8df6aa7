/**
 * Forbids processes and sockets in unit tests. This keeps unit tests fast, and ensures that other
 * tests are not named as unit tests.
 */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const STARTERS = ['spawn', 'exec', 'execFile', 'fork', 'spawnSync', 'execSync', 'execFileSync'] as const;

for (const name of STARTERS) {
  Object.assign(childProcess, { [name]: () => refuse(`child_process.${name}`) });
}
net.Server.prototype.listen = () => refuse('Server.listen');
net.Socket.prototype.connect = () => refuse('Socket.connect');
// Updates the named exports, because modules that import a function by name would otherwise get the
// original.
syncBuiltinESMExports();

function refuse(what: string): never {
  throw new Error(`${what} in a unit test: rename the file to *.integration.test.ts (see CONTRIBUTING.md)`);
}
