// Tensors as pictures. Heat maps: blue for what is negative, orange for what is positive; not finite ones
// are magenta, so that they are seen at once. Photographs: from black to white, or three colours.
export interface Picture {
  width: number;
  height: number;
  channels: 1 | 3;
  slices: number;
}

const LEAST_PHOTOGRAPH = 8;

// A tensor as pictures: its last two axes are rows and columns, all others count slices. In photographs an axis of
// three before them holds colours, where they are large enough to be such.
export function pictureOf(shape: readonly number[], isPhotograph = false): Picture {
  const width = shape.at(-1) ?? 1;
  const height = shape.length > 1 ? (shape.at(-2) ?? 1) : 1;
  const coloured = isPhotograph && shape.length > 2 && shape.at(-3) === 3 && width >= LEAST_PHOTOGRAPH && height >= LEAST_PHOTOGRAPH;
  const others = shape.slice(0, coloured ? -3 : -2);
  return { width, height, channels: coloured ? 3 : 1, slices: others.reduce((product, dim) => product * dim, 1) };
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
const NOT_FINITE = [230, 0, 200];

// RGBA bytes of `values`. Zero is white where the range holds both signs; of one sign, what is nearest to zero.
export function colours(values: Float32Array, { low, high }: Range): Uint8ClampedArray<ArrayBuffer> {
  const bytes = new Uint8ClampedArray(values.length * 4);
  const both = low < 0 && high > 0;
  const reach = both ? Math.max(-low, high) : Math.max(high - low, 1e-30);
  const middle = both ? 0 : low >= 0 ? low : high;
  values.forEach((value, index) => {
    const share = (value - middle) / reach;
    const end = share < 0 ? LOW : HIGH;
    const weight = Math.min(1, Math.abs(share));
    for (let channel = 0; channel < 3; channel += 1) {
      const plain = (MIDDLE[channel] ?? 0) + ((end[channel] ?? 0) - (MIDDLE[channel] ?? 0)) * weight;
      bytes[4 * index + channel] = Number.isFinite(value) ? plain : (NOT_FINITE[channel] ?? 0);
    }
    bytes[4 * index + 3] = 255;
  });
  return bytes;
}

// RGBA bytes of one photograph, whose channels lie one after the other.
export function photograph(values: Float32Array, channels: 1 | 3, { low, high }: Range): Uint8ClampedArray<ArrayBuffer> {
  const size = Math.floor(values.length / channels);
  const bytes = new Uint8ClampedArray(size * 4);
  const span = high - low || 1;
  for (let pixel = 0; pixel < size; pixel += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      const value = values[pixel + (channels === 3 ? channel * size : 0)] ?? 0;
      bytes[4 * pixel + channel] = Number.isFinite(value) ? ((value - low) / span) * 255 : (NOT_FINITE[channel] ?? 0);
    }
    bytes[4 * pixel + 3] = 255;
  }
  return bytes;
}

const MOST = { width: 318, height: 180 };
const LEAST = 24;

// How large a picture is drawn: its own proportions where they fit, a strip where it is much wider than high.
export function drawnSize({ width, height }: Picture): { width: number; height: number } {
  const scale = Math.min(MOST.width / width, MOST.height / height);
  return { width: Math.max(LEAST, Math.round(width * scale)), height: Math.max(LEAST, Math.round(height * scale)) };
}
