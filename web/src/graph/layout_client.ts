import type { LayoutResult, LayoutTask } from './layout';

export type LayOut = (task: LayoutTask) => Promise<LayoutResult>;

const KEPT = 400;

// Remembers the layouts of scopes by all that they depend on: a scope in which nothing changed keeps its very layout.
export function memoised(layOut: LayOut): LayOut {
  const known = new Map<string, Promise<LayoutResult>>();
  return (task) => {
    const key = JSON.stringify(task);
    const found = known.get(key);
    if (found) return found;
    const made = layOut(task);
    known.set(key, made);
    made.catch(() => known.delete(key));
    const oldest = known.keys().next();
    if (known.size > KEPT && !oldest.done) known.delete(oldest.value);
    return made;
  };
}

interface Answer {
  id: number;
  result?: LayoutResult;
  problem?: string;
}

export function byWorker(): LayOut {
  const worker = new Worker(new URL('./layout_worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, { resolve(result: LayoutResult): void; reject(reason: Error): void }>();
  let next = 1;
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.result) asked?.resolve(data.result);
    else asked?.reject(new Error(data.problem ?? 'no layout'));
  };
  return (task) =>
    new Promise((resolve, reject) => {
      const id = next++;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, task });
    });
}
