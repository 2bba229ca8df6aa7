/** Counts how often one of our own functions is called, as V8 counts it, so that nothing has to be replaced. */
import { Session } from 'node:inspector/promises';

export async function countCalls(file: string, name: string, run: () => void): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const script = result.find(({ url }) => url.endsWith(file));
    return script?.functions.find(({ functionName }) => functionName === name)?.ranges[0]?.count ?? 0;
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}
