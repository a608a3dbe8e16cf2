const PAUSE = 32;

// Puts off an act so that many calls within a picture or two become one: a small model takes hundreds of steps in a
// second, and nobody reads faster than the screen is drawn. `now` does at once what is put off.
export function soon(act: () => void): { (): void; now(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    act();
  };
  const later = (): void => {
    timer ??= setTimeout(now, PAUSE);
  };
  return Object.assign(later, { now });
}
