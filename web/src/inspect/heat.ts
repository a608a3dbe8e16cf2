// Colours of heat maps: blue for the least, white or black near the middle, orange for the greatest; not finite ones
// are magenta, so that they are seen at once.
export interface Picture {
  width: number;
  height: number;
  slices: number;
}

// A tensor as pictures: its last two axes are rows and columns, all others count slices.
export function pictureOf(shape: readonly number[]): Picture {
  const width = shape.at(-1) ?? 1;
  const height = shape.length > 1 ? (shape.at(-2) ?? 1) : 1;
  return { width, height, slices: shape.slice(0, -2).reduce((product, dim) => product * dim, 1) };
}

export interface Range {
  low: number;
  high: number;
}

export function rangeOf(values: Float32Array): Range {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? { low, high } : { low: 0, high: 0 };
}

const LOW = [38, 96, 184];
const MIDDLE = [244, 244, 240];
const HIGH = [196, 84, 12];

// RGBA bytes of `values`, with zero in the middle of the colours where the range holds both signs.
export function colours(values: Float32Array, { low, high }: Range): Uint8ClampedArray<ArrayBuffer> {
  const bytes = new Uint8ClampedArray(values.length * 4);
  const reach = low < 0 && high > 0 ? Math.max(-low, high) : Math.max((high - low) / 2, 1e-30);
  const middle = low < 0 && high > 0 ? 0 : (low + high) / 2;
  values.forEach((value, index) => {
    const share = (value - middle) / reach;
    const end = share < 0 ? LOW : HIGH;
    const weight = Math.min(1, Math.abs(share));
    for (let channel = 0; channel < 3; channel += 1) {
      const plain = (MIDDLE[channel] ?? 0) + ((end[channel] ?? 0) - (MIDDLE[channel] ?? 0)) * weight;
      bytes[4 * index + channel] = Number.isFinite(value) ? plain : [230, 0, 200][channel] ?? 0;
    }
    bytes[4 * index + 3] = 255;
  });
  return bytes;
}
