#!/usr/bin/env node
/**
 * Starts Legion with Node 24 or newer, regardless of which Node version runs this file. Written in
 * plain JavaScript, so that Node 18 can still parse it.
 */
import { existsSync, readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { constants, homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OLDEST_NODE = 24;
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/**
 * Set for the relaunched process, so that a bundled Node that is too old does not relaunch itself
 * forever. Removed before Legion starts, so that its child processes do not inherit it.
 */
const RELAUNCHED = 'LEGION_RELAUNCHED';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

if (process.platform !== 'linux') {
  refusePlatform();
} else if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) {
  delete process.env[RELAUNCHED];
  await runHere();
} else {
  await relaunch();
}

/**
 * A clone runs its TypeScript source directly. A published package runs a build, because Node does
 * not strip types below node_modules.
 */
async function runHere() {
  const entry = ['src/cli/main.ts', 'dist/cli/main.js'].map((path) => join(root, path)).find(existsSync);
  if (entry === undefined) {
    fail(`dist/cli/main.js is missing in ${root}`, 'install Legion again, or run `npm run build` in a clone');
    return;
  }
  keepCompiled();
  try {
    const { main } = await import(pathToFileURL(entry).href);
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    // The source imports libraries that the bundle already contains. npm does not install them if
    // NODE_ENV is `production`.
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    fail(error.message, 'run `npm install --include=dev` in a clone, or install Legion again');
  }
}

/**
 * Caches compiled modules, because compiling them takes half of a short command's time. The cache is
 * in the user's home directory, because its content is executed. Relative paths are ignored: they
 * would put the cache into the current directory. If Node cannot write the cache, it continues
 * without one.
 */
function keepCompiled() {
  const folders = [process.env.XDG_CACHE_HOME, join(homedir(), '.cache')];
  const cache = folders.find((folder) => folder && isAbsolute(folder));
  if (cache) module.enableCompileCache?.(join(cache, 'legion', 'compiled'));
}

async function relaunch() {
  const executable = bundledNode();
  if (executable === undefined || process.env[RELAUNCHED] !== undefined) {
    needNewerNode(
      `the one that comes with Legion is ${executable === undefined ? 'missing' : 'too old as well'}`,
    );
    return;
  }
  // Imported only here, because the import takes a few milliseconds that other starts need not
  // spend.
  const { spawn } = await import('node:child_process');
  const child = spawn(executable, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, [RELAUNCHED]: '1' },
  });
  const listeners = FORWARDED_SIGNALS.map((signal) => {
    const forward = () => {
      // A terminal sends Ctrl-C to the whole process group. Forwarding it too would count as
      // pressing it twice.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    process.on(signal, forward);
    return () => process.off(signal, forward);
  });
  child.on('error', (error) => needNewerNode(`${executable} failed to start (${error.message})`));
  child.on('exit', (code, signal) => {
    for (const unlisten of listeners) unlisten();
    if (signal === null) {
      process.exitCode = code;
      return;
    }
    // The parent process must see the same signal. The exit code applies if this process survives
    // the signal.
    process.exitCode = 128 + constants.signals[signal];
    process.kill(process.pid, signal);
  });
}

/** Finds the Node executable that the `node` package installed for this machine. */
function bundledNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    const executable = join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.node);
    return existsSync(executable) ? executable : undefined;
  } catch {
    return undefined;
  }
}

/** Legion tracks its workers through /proc, which only Linux has. */
function refusePlatform() {
  const name = { darwin: 'macOS', win32: 'Windows' }[process.platform] ?? process.platform;
  console.error(`legion: Legion runs on Linux and WSL2, not yet on ${name}. [platform.unsupported]`);
  console.error('Use a Linux machine, a Linux virtual machine or container, or WSL2 on Windows.');
  process.exitCode = 1;
}

function needNewerNode(reason) {
  fail(
    `needs Node ${OLDEST_NODE} or newer; this is Node ${process.versions.node}, and ${reason}`,
    `install Node ${OLDEST_NODE}, or run \`npm rebuild node\` where Legion is installed`,
  );
}

function fail(what, next) {
  console.error(`legion: ${what}; ${next}`);
  process.exitCode = 1;
}
