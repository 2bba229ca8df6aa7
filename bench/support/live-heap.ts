/**
 * Measures the live heap of a running Node process: the heap size after a full garbage collection.
 */
import { readFileSync } from 'node:fs';
import { waitUntil } from '../bench.ts';

/** Environment for the measured process. Its inspector picks a free port when it is opened. */
export const INSPECTABLE = { NODE_OPTIONS: '--inspect-port=0' } as const;

const OPENING_MS = 20_000;
const ANSWER_MS = 60_000;

/** Opens the inspector on first use. `log` is the file that receives the process's stderr. */
export async function readLiveHeapMb(pid: number, log: string, signal: AbortSignal): Promise<number> {
  const find = () => /ws:\/\/127\.0\.0\.1:\S+/.exec(readFileSync(log, 'utf8'))?.[0];
  if (find() === undefined) process.kill(pid, 'SIGUSR1');
  await waitUntil(() => find() !== undefined, {
    what: `the inspector of ${pid}`,
    deadlineMs: OPENING_MS,
    signal,
  });
  const ask = await openInspector(find() ?? '', AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]));
  try {
    // Collects twice, because objects that were kept alive only by finalisers are freed by the
    // second collection.
    await ask.call('HeapProfiler.collectGarbage');
    await ask.call('HeapProfiler.collectGarbage');
    const { usedSize } = (await ask.call('Runtime.getHeapUsage')) as { usedSize: number };
    return Math.round(usedSize / 1e5) / 10;
  } finally {
    ask.close();
  }
}

interface InspectorClient {
  call(method: string): Promise<unknown>;
  close(): void;
}

async function openInspector(url: string, signal: AbortSignal): Promise<InspectorClient> {
  const socket = new WebSocket(url);
  const answers = new Map<number, (result: unknown) => void>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  socket.addEventListener('error', () => failed.reject(new Error(`No inspector responds at ${url}.`)));
  signal.addEventListener('abort', () => failed.reject(signal.reason), { once: true });
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) answers.get(id)?.(result);
  });
  await Promise.race([
    new Promise((resolve) => socket.addEventListener('open', resolve, { once: true })),
    failed.promise,
  ]);
  let last = 0;
  return {
    call(method) {
      last += 1;
      const id = last;
      const answered = new Promise((resolve) => answers.set(id, resolve));
      socket.send(JSON.stringify({ id, method }));
      return Promise.race([answered, failed.promise]);
    },
    close: () => socket.close(),
  };
}
