/** Refuses processes and sockets to unit tests, which keeps them fast and their file names true. */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const STARTERS = ['spawn', 'exec', 'execFile', 'fork', 'spawnSync', 'execSync', 'execFileSync'] as const;

for (const name of STARTERS) {
  Object.assign(childProcess, { [name]: () => refuse(`child_process.${name}`) });
}
net.Server.prototype.listen = () => refuse('Server.listen');
net.Socket.prototype.connect = () => refuse('Socket.connect');
// Without this, modules that import a function by its name would still get the original.
syncBuiltinESMExports();

function refuse(what: string): never {
  throw new Error(`${what} in a unit test: rename the file to *.integration.test.ts (see CONTRIBUTING.md)`);
}
