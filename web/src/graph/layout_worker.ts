import { layoutScope, type LayoutTask } from './layout';

// Lays out scopes beside the page, so that it never stops answering.
self.onmessage = (message: MessageEvent<{ id: number; task: LayoutTask }>) => {
  const { id, task } = message.data;
  try {
    self.postMessage({ id, result: layoutScope(task) });
  } catch (problem) {
    self.postMessage({ id, problem: String(problem) });
  }
};
